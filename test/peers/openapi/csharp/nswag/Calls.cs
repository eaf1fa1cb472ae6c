using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using System.Threading.Tasks;
using Earshot;
using Newtonsoft.Json;

/// <summary>Makes the twelve calls through the client that NSwag made, and prints what it got as JSON.</summary>
static class Calls
{
    static string Given(string name) => Environment.GetEnvironmentVariable("DAEMON_" + name);

    static EarshotClient ClientOf(string key)
    {
        var http = new HttpClient();
        http.DefaultRequestHeaders.Add("X-API-Key", key);
        return new EarshotClient(http) { BaseUrl = Given("URL") };
    }

    static async Task<int> StatusOf(Task call)
    {
        try
        {
            await call;
            return 0;
        }
        catch (ApiException refusal)
        {
            return refusal.StatusCode;
        }
    }

    static async Task Make()
    {
        string project = Given("PROJECT"), user = Given("USER");
        var client = ClientOf(Given("API_KEY"));
        var got = new Dictionary<string, object>();

        got["ready"] = (await client.GetReadinessAsync()).Status.ToString().ToLower();
        var participant = await client.CreateParticipantAsync(project, null, new CreateParticipantRequest { ExternalUserId = user });
        got["participant"] = participant.ExternalUserId;
        var wanted = new CreateSanctionRequest { Type = CreateSanctionRequestType.Mute, ExternalUserId = user };
        var sanction = await client.CreateSanctionAsync(project, null, wanted);
        got["permanent"] = sanction.EndAt == null && sanction.Reason == null;
        var page = await client.ListSanctionsAsync(project, 1, null, null, user, null, null, null, null, null, null, null, null, null, null);
        got["page"] = new[] { page.Total, page.Sanctions.Count };
        var id = sanction.Id.ToString();
        got["revoked"] = (await client.RevokeSanctionAsync(project, id, null, new RevokeSanctionRequest())).Status.ToString().ToLower();
        got["conflict"] = await StatusOf(client.UpdateSanctionAsync(project, id, new UpdateSanctionRequest { Reason = "too late" }));
        got["unknown"] = await StatusOf(client.GetSanctionAsync(project, "00000000-0000-7000-8000-000000000000"));
        var score = new Dictionary<string, object> { { "score", 3000000000L } };
        var payload = new EventPayload { User_id = user, Event_name = "achieve-score", Metadata = score };
        got["event"] = (await client.SendEventAsync(null, null, null, payload)).Message.ToString();
        var member = await client.GetLeaderboardMemberAsync(project, Given("BOARD"), MemberType2.User, user, null, null);
        got["score"] = member.Member.Score;
        object kill = new { user_id = user, event_name = "kill-enemy", metadata = new { amount = 1 } };
        var batch = new EventBatch { Events = Enumerable.Repeat(kill, 200).ToList() };
        got["upload"] = (await client.SendEventsAsync(null, null, null, batch)).Results.Count;
        got["stranger"] = await StatusOf(ClientOf("earshot_live_wrong").DeleteParticipantAsync(project, participant.Id.ToString()));
        await client.DeleteParticipantAsync(project, participant.Id.ToString());
        got["removed"] = 204; // any other status throws
        Console.WriteLine(JsonConvert.SerializeObject(got));
    }

    static void Main() => Make().GetAwaiter().GetResult();
}
