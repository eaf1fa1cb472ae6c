// What a game's own server does with Earshot: lets players in, counts what they do, and hears of sanctions.
//   POST /enter?user=u1    200 with a player token for the game, or 403 with the reason of the ban
//   POST /kill?user=u1     counts a kill; kills go out in batches
//   POST /hook             webhooks of the daemon
// Compile: mcs -r:System.Net.Http.dll $(find kits/csharp/Runtime -name '*.cs') examples/csharp/GameServer.cs
// Environment: EARSHOT_URL, EARSHOT_PROJECT, EARSHOT_API_KEY (scopes tokens, gameplay, sanctions:read), EARSHOT_WEBHOOK_SECRET, PORT
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Text;
using System.Threading.Tasks;
using Earshot;

static class GameServer
{
    const int MaxHook = 1024 * 1024;
    const int MaxHeard = 10000;
    static readonly HashSet<string> Heard = new HashSet<string>();
    static ServerClient earshot;
    static GameEventQueue events;
    static WebhookVerifier verifier;

    static void Main()
    {
        Func<string, string> setting = Environment.GetEnvironmentVariable;
        var options = new EarshotOptions { BaseUrl = setting("EARSHOT_URL"), ProjectId = setting("EARSHOT_PROJECT") };
        earshot = new ServerClient(options, setting("EARSHOT_API_KEY"));
        verifier = new WebhookVerifier(setting("EARSHOT_WEBHOOK_SECRET"));
        events = new GameEventQueue(earshot, new GameEventQueueOptions { Folder = setting("QUEUE") });
        events.Rejected += rejected => Console.WriteLine("rejected: " + rejected.Code + " " + string.Join(", ", rejected.Details.Select(one => one.Path + " " + one.Message)) + " " + rejected.Json);
        var listener = new HttpListener();
        listener.Prefixes.Add("http://127.0.0.1:" + setting("PORT") + "/");
        listener.Start();
        Console.WriteLine("Waiting for players");
        for (;;)
        {
            var context = listener.GetContext();
            Task.Run(() => AnswerAsync(context));
        }
    }

    static async Task AnswerAsync(HttpListenerContext context)
    {
        var status = 404;
        var text = "";
        try
        {
            var user = context.Request.QueryString["user"];
            switch (context.Request.HttpMethod + " " + context.Request.Url.AbsolutePath)
            {
                case "POST /enter":
                    var ban = (await earshot.ListActiveUserSanctionsAsync(user)).FirstOrDefault(one => one.Type == "temp_ban" || one.Type == "perm_ban");
                    status = ban == null ? 200 : 403;
                    text = ban == null ? (await earshot.CreatePlayerTokenAsync(user)).Token : ban.Reason;
                    break;
                case "POST /kill":
                    events.Enqueue(new EventPayload { EventName = "kill-enemy", UserId = user, Metadata = new Dictionary<string, object> { { "amount", 1 } } });
                    status = 202;
                    break;
                case "POST /hook":
                    status = Hear(context.Request);
                    break;
            }
        }
        catch (EarshotException error)
        {
            status = 503;
            text = error.Message;
        }
        catch (ArgumentException error)
        {
            status = 400;
            text = error.Message;
        }
        context.Response.StatusCode = status;
        var bytes = Encoding.UTF8.GetBytes(text);
        context.Response.Close(bytes, false);
    }

    static int Hear(HttpListenerRequest request)
    {
        if (request.ContentLength64 < 0 || request.ContentLength64 > MaxHook) return 413;
        var body = new MemoryStream();
        request.InputStream.CopyTo(body);
        var id = request.Headers["webhook-id"];
        if (!verifier.IsGenuine(id, request.Headers["webhook-timestamp"], request.Headers["webhook-signature"], body.ToArray())) return 400;
        lock (Heard)
        {
            if (Heard.Count >= MaxHeard) Heard.Clear(); // a repeat comes soon, or never
            if (!Heard.Add(id)) return 204; // delivered before
        }
        var happened = DomainEvent.FromJson(JsonReader.Read(Encoding.UTF8.GetString(body.ToArray())));
        var sanction = SanctionResponse.FromJson(happened.Data);
        Console.WriteLine(sanction.ExternalUserId + ": " + happened.Type + ", " + sanction.Type);
        return 204;
    }
}
