#include "CppRestOpenAPIClient/api/GameplayApi.h"
#include "CppRestOpenAPIClient/api/GameplayConfigurationApi.h"
#include "CppRestOpenAPIClient/api/ParticipantsApi.h"
#include "CppRestOpenAPIClient/api/SanctionsApi.h"
#include "CppRestOpenAPIClient/api/WatchingApi.h"
#include <cstdlib>
#include <iostream>

using namespace org::openapitools::client::api;
using namespace org::openapitools::client::model;
using web::json::value;

static std::string given(const std::string& name) { return std::getenv(("DAEMON_" + name).c_str()); }

static std::shared_ptr<const ApiClient> clientOf(const std::string& key) {
    auto configuration = std::make_shared<ApiConfiguration>();
    configuration->setBaseUrl(given("URL"));
    configuration->setApiKey("apiKey", key);
    return std::make_shared<ApiClient>(configuration);
}

template <typename Call> static int statusOf(Call call) {
    try {
        call().wait();
        return 0;
    } catch (const ApiException& refusal) {
        return refusal.error_code().value();
    }
}

static std::shared_ptr<AnyType> any(const value& json) {
    auto made = std::make_shared<AnyType>();
    made->fromJson(json);
    return made;
}

/** Makes the twelve calls through the client that openapi-generator made, and prints what it got as JSON. */
int main() {
    const auto project = given("PROJECT"), user = given("USER");
    const auto client = clientOf(given("API_KEY"));
    const SanctionsApi sanctions(client);
    const ParticipantsApi participants(client);
    const GameplayApi gameplay(client);
    const auto none = boost::none;
    auto got = value::object();

    const auto ready = WatchingApi(client).getReadiness().get();
    got["ready"] = value(ready->fromStatusEnum(ready->getStatus()));
    auto newcomer = std::make_shared<CreateParticipantRequest>();
    newcomer->setExternalUserId(user);
    const auto participant = participants.createParticipant(project, newcomer, none).get();
    got["participant"] = value(participant->getExternalUserId());
    auto wanted = std::make_shared<CreateSanctionRequest>();
    wanted->setType(CreateSanctionRequest::TypeEnum::MUTE);
    wanted->setExternalUserId(user);
    const auto sanction = sanctions.createSanction(project, wanted, none).get();
    got["permanent"] = value(!sanction->endAtIsSet() && !sanction->reasonIsSet());
    const auto page =
        sanctions.listSanctions(project, 1, none, none, user, none, none, none, none, none, none, none, none, none, none).get();
    got["page"] = value::array({value(page->getTotal()), value(page->getSanctions().size())});
    const auto id = sanction->getId();
    const auto revoked = sanctions.revokeSanction(project, id, none, std::make_shared<RevokeSanctionRequest>()).get();
    got["revoked"] = value(revoked->fromStatusEnum(revoked->getStatus()));
    auto change = std::make_shared<UpdateSanctionRequest>();
    change->setReason("too late");
    got["conflict"] = value(statusOf([&] { return sanctions.updateSanction(project, id, change); }));
    const auto nobody = "00000000-0000-7000-8000-000000000000";
    got["unknown"] = value(statusOf([&] { return sanctions.getSanction(project, nobody); }));
    auto score = std::make_shared<EventPayload>();
    score->setUserId(user);
    score->setEventName("achieve-score");
    score->setMetadata({{"score", any(value(int64_t{3'000'000'000}))}});
    const auto event = gameplay.sendEvent(score, none, none, none).get();
    got["event"] = value(event->fromMessageEnum(event->getMessage()));
    const auto member = GameplayConfigurationApi(client)
        .getLeaderboardMember(project, given("BOARD"), "user", user, none, none).get();
    got["score"] = value(member->getMember()->getScore());
    auto kill = value::object();
    kill["user_id"] = value(user);
    kill["event_name"] = value("kill-enemy");
    kill["metadata"]["amount"] = value(1);
    auto batch = std::make_shared<EventBatch>();
    batch->setEvents(std::vector<std::shared_ptr<AnyType>>(200, any(kill)));
    got["upload"] = value(gameplay.sendEvents(batch, none, none, none).get()->getResults().size());
    const ParticipantsApi stranger(clientOf("earshot_live_wrong"));
    got["stranger"] = value(statusOf([&] { return stranger.deleteParticipant(project, participant->getId()); }));
    participants.deleteParticipant(project, participant->getId()).wait();
    got["removed"] = value(204); // any other status throws
    std::cout << got.serialize() << std::endl;
}
