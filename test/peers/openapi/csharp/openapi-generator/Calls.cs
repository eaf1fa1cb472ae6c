using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using Newtonsoft.Json;
using Org.OpenAPITools.Api;
using Org.OpenAPITools.Client;
using Org.OpenAPITools.Model;

/// <summary>The client imports this package, which NuGet alone has, and uses nothing of it.</summary>
namespace JsonSubTypes
{
    static class NotUsed { }
}

/// <summary>Makes the twelve calls through the client that openapi-generator made, and prints what it got as JSON.</summary>
static class Calls
{
    static readonly HttpClient http = new HttpClient();

    static string Given(string name) => Environment.GetEnvironmentVariable("DAEMON_" + name);

    static Configuration ClientOf(string key) => new Configuration
    {
        BasePath = Given("URL"),
        ApiKey = new Dictionary<string, string> { { "X-API-Key", key } },
    };

    static int StatusOf(Action call)
    {
        try
        {
            call();
            return 0;
        }
        catch (ApiException refusal)
        {
            return refusal.ErrorCode;
        }
    }

    static void Main()
    {
        string project = Given("PROJECT"), user = Given("USER");
        var client = ClientOf(Given("API_KEY"));
        var sanctions = new SanctionsApi(http, client);
        var participants = new ParticipantsApi(http, client);
        var gameplay = new GameplayApi(http, client);
        var got = new Dictionary<string, object>();

        got["ready"] = new WatchingApi(http, client).GetReadiness().Status.ToString().ToLower();
        var participant = participants.CreateParticipant(project, new CreateParticipantRequest(user));
        got["participant"] = participant.ExternalUserId;
        var wanted = new CreateSanctionRequest(CreateSanctionRequest.TypeEnum.Mute, externalUserId: user);
        var sanction = sanctions.CreateSanction(project, wanted);
        got["permanent"] = sanction.EndAt == null && sanction.Reason == null;
        var page = sanctions.ListSanctions(project, limit: 1, externalUserId: user);
        got["page"] = new[] { page.Total, page.Sanctions.Count };
        var id = sanction.Id.ToString();
        var revoked = sanctions.RevokeSanction(project, id, revokeSanctionRequest: new RevokeSanctionRequest());
        got["revoked"] = revoked.Status.ToString().ToLower();
        var change = new UpdateSanctionRequest("too late");
        got["conflict"] = StatusOf(() => sanctions.UpdateSanction(project, id, change));
        got["unknown"] = StatusOf(() => sanctions.GetSanction(project, "00000000-0000-7000-8000-000000000000"));
        var score = new Dictionary<string, object> { { "score", 3000000000L } };
        got["event"] = gameplay.SendEvent(new EventPayload(user, "achieve-score", metadata: score)).Message.ToString();
        var member = new GameplayConfigurationApi(http, client).GetLeaderboardMember(project, Given("BOARD"), "user", user);
        got["score"] = member.Member.Score;
        object kill = new { user_id = user, event_name = "kill-enemy", metadata = new { amount = 1 } };
        got["upload"] = gameplay.SendEvents(new EventBatch(Enumerable.Repeat(kill, 200).ToList())).Results.Count;
        var stranger = new ParticipantsApi(http, ClientOf("earshot_live_wrong"));
        got["stranger"] = StatusOf(() => stranger.ListParticipants(project));
        got["removed"] = (int)participants.DeleteParticipantWithHttpInfo(project, participant.Id.ToString()).StatusCode;
        Console.WriteLine(JsonConvert.SerializeObject(got));
    }
}
