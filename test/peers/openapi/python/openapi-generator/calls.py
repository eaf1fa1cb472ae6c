"""Makes the twelve calls through the client that openapi-generator made, and prints what it got as JSON."""

import json
import os
import sys

sys.path.insert(0, "generated")
from openapi_client import (  # noqa: E402
    ApiClient,
    ApiException,
    Configuration,
    CreateParticipantRequest,
    CreateSanctionRequest,
    EventBatch,
    EventPayload,
    GameplayApi,
    GameplayConfigurationApi,
    ParticipantsApi,
    RevokeSanctionRequest,
    SanctionsApi,
    UpdateSanctionRequest,
    WatchingApi,
)

project, board, user = (os.environ[f"DAEMON_{name}"] for name in ("PROJECT", "BOARD", "USER"))


def client_of(key: str) -> ApiClient:
    return ApiClient(Configuration(host=os.environ["DAEMON_URL"], api_key={"apiKey": key}))


def status_of(call) -> int:
    try:
        call()
    except ApiException as refusal:
        return refusal.status
    return 0


client = client_of(os.environ["DAEMON_API_KEY"])
sanctions, participants, gameplay = SanctionsApi(client), ParticipantsApi(client), GameplayApi(client)
ready = WatchingApi(client).get_readiness()
participant = participants.create_participant(project, CreateParticipantRequest(externalUserId=user))
sanction = sanctions.create_sanction(project, CreateSanctionRequest(type="mute", externalUserId=user))
page = sanctions.list_sanctions(project, external_user_id=user, limit=1)
revoked = sanctions.revoke_sanction(project, str(sanction.id), revoke_sanction_request=RevokeSanctionRequest())
change = UpdateSanctionRequest(reason="too late")
conflict = status_of(lambda: sanctions.update_sanction(project, str(sanction.id), change))
unknown = status_of(lambda: sanctions.get_sanction(project, "00000000-0000-7000-8000-000000000000"))
score = EventPayload(user_id=user, event_name="achieve-score", metadata={"score": 3_000_000_000})
event = gameplay.send_event(score)
member = GameplayConfigurationApi(client).get_leaderboard_member(project, board, "user", user)
kill = {"user_id": user, "event_name": "kill-enemy", "metadata": {"amount": 1}}
upload = gameplay.send_events(EventBatch(events=[kill] * 200))
stranger = status_of(lambda: ParticipantsApi(client_of("earshot_live_wrong")).list_participants(project))
removed = participants.delete_participant_with_http_info(project, str(participant.id))

print(
    json.dumps(
        {
            "ready": ready.status,
            "participant": participant.external_user_id,
            "permanent": sanction.end_at is None and sanction.reason is None,
            "page": [page.total, len(page.sanctions)],
            "revoked": revoked.status,
            "conflict": conflict,
            "unknown": unknown,
            "event": event.message,
            "score": member.member.score,
            "upload": len(upload.results),
            "stranger": stranger,
            "removed": removed.status_code,
        }
    )
)
