"""Makes the twelve calls through the client that openapi-python-client made, and prints what it got as JSON."""

import json
import os

from generated.api.gameplay import send_event, send_events
from generated.api.gameplay_configuration import get_leaderboard_member
from generated.api.participants import create_participant, delete_participant, list_participants
from generated.api.sanctions import create_sanction, get_sanction, list_sanctions, revoke_sanction, update_sanction
from generated.api.watching import get_readiness
from generated.client import AuthenticatedClient
from generated.models import (
    CreateParticipantRequest,
    CreateSanctionRequest,
    EventBatch,
    EventPayload,
    GetLeaderboardMemberMemberType,
    RevokeSanctionRequest,
    UpdateSanctionRequest,
)

project, board, user = (os.environ[f"DAEMON_{name}"] for name in ("PROJECT", "BOARD", "USER"))


def client_of(key: str) -> AuthenticatedClient:
    return AuthenticatedClient(os.environ["DAEMON_URL"], key, prefix="", auth_header_name="X-API-Key")


client = client_of(os.environ["DAEMON_API_KEY"])
ready = get_readiness.sync(client=client)
participant = create_participant.sync(project, client=client, body=CreateParticipantRequest(user))
sanction = create_sanction.sync(
    project, client=client, body=CreateSanctionRequest.from_dict({"type": "mute", "externalUserId": user})
)
page = list_sanctions.sync(project, client=client, external_user_id=user, limit=1)
revoked = revoke_sanction.sync(project, str(sanction.id), client=client, body=RevokeSanctionRequest())
conflict = update_sanction.sync_detailed(
    project, str(sanction.id), client=client, body=UpdateSanctionRequest(reason="too late")
)
unknown = get_sanction.sync_detailed(project, "00000000-0000-7000-8000-000000000000", client=client)
score = {"user_id": user, "event_name": "achieve-score", "metadata": {"score": 3_000_000_000}}
event = send_event.sync(client=client, body=EventPayload.from_dict(score))
member = get_leaderboard_member.sync(project, board, GetLeaderboardMemberMemberType.USER, user, client=client)
kill = {"user_id": user, "event_name": "kill-enemy", "metadata": {"amount": 1}}
upload = send_events.sync(client=client, body=EventBatch([kill] * 200))
stranger = list_participants.sync_detailed(project, client=client_of("earshot_live_wrong"))
removed = delete_participant.sync_detailed(project, str(participant.id), client=client)

print(
    json.dumps(
        {
            "ready": ready.status,
            "participant": participant.external_user_id,
            "permanent": sanction.end_at is None and sanction.reason is None,
            "page": [page.total, len(page.sanctions)],
            "revoked": revoked.status,
            "conflict": conflict.status_code,
            "unknown": unknown.status_code,
            "event": event.message,
            "score": member.member.score,
            "upload": len(upload.results),
            "stranger": stranger.status_code,
            "removed": removed.status_code,
        }
    )
)
