import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.GameplayApi;
import org.openapitools.client.api.GameplayConfigurationApi;
import org.openapitools.client.api.ParticipantsApi;
import org.openapitools.client.api.SanctionsApi;
import org.openapitools.client.api.WatchingApi;
import org.openapitools.client.model.CreateParticipantRequest;
import org.openapitools.client.model.CreateSanctionRequest;
import org.openapitools.client.model.EventBatch;
import org.openapitools.client.model.EventPayload;
import org.openapitools.client.model.RevokeSanctionRequest;
import org.openapitools.client.model.UpdateSanctionRequest;

/** Makes the twelve calls through the client that openapi-generator made, and prints what it got as JSON. */
public class Calls {
  interface Call {
    void make() throws ApiException;
  }

  static int statusOf(Call call) {
    try {
      call.make();
      return 0;
    } catch (ApiException refusal) {
      return refusal.getCode();
    }
  }

  static ApiClient clientOf(String key) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("DAEMON_URL"));
    client.setRequestInterceptor(request -> request.header("X-API-Key", key));
    return client;
  }

  public static void main(String[] arguments) throws Exception {
    String project = System.getenv("DAEMON_PROJECT"), user = System.getenv("DAEMON_USER");
    ApiClient client = clientOf(System.getenv("DAEMON_API_KEY"));
    SanctionsApi sanctions = new SanctionsApi(client);
    ParticipantsApi participants = new ParticipantsApi(client);
    GameplayApi gameplay = new GameplayApi(client);
    Map<String, Object> got = new LinkedHashMap<>();

    got.put("ready", new WatchingApi(client).getReadiness().getStatus());
    var participant = participants.createParticipant(project, new CreateParticipantRequest().externalUserId(user), null);
    got.put("participant", participant.getExternalUserId());
    var wanted = new CreateSanctionRequest().type(CreateSanctionRequest.TypeEnum.MUTE).externalUserId(user);
    var sanction = sanctions.createSanction(project, wanted, null);
    got.put("permanent", sanction.getEndAt() == null && sanction.getReason() == null);
    var page = sanctions.listSanctions(project, 1, null, null, user, null, null, null, null, null, null, null, null, null, null);
    got.put("page", List.of(page.getTotal(), page.getSanctions().size()));
    String id = sanction.getId().toString();
    got.put("revoked", sanctions.revokeSanction(project, id, null, new RevokeSanctionRequest()).getStatus());
    var change = new UpdateSanctionRequest().reason("too late");
    got.put("conflict", statusOf(() -> sanctions.updateSanction(project, id, change)));
    got.put("unknown", statusOf(() -> sanctions.getSanction(project, "00000000-0000-7000-8000-000000000000")));
    var score = new EventPayload().userId(user).eventName("achieve-score").metadata(Map.of("score", 3_000_000_000L));
    got.put("event", gameplay.sendEvent(score, null, null, null).getMessage());
    var member = new GameplayConfigurationApi(client)
        .getLeaderboardMember(project, System.getenv("DAEMON_BOARD"), "user", user, null, null);
    got.put("score", member.getMember().getScore());
    Object kill = Map.of("user_id", user, "event_name", "kill-enemy", "metadata", Map.of("amount", 1));
    var batch = new EventBatch().events(Collections.nCopies(200, kill));
    got.put("upload", gameplay.sendEvents(batch, null, null, null).getResults().size());
    var stranger = new ParticipantsApi(clientOf("earshot_live_wrong"));
    got.put("stranger", statusOf(() -> stranger.deleteParticipant(project, participant.getId().toString())));
    got.put("removed", participants.deleteParticipantWithHttpInfo(project, participant.getId().toString()).getStatusCode());
    System.out.println(new ObjectMapper().writeValueAsString(got));
  }
}
