// Does what csharp.peers.ts asks of the kit, by lines of JSON on standard input and output. What it prints without being asked
// is {"notice": …}. Only here is the kit called by reflection: so each of its operations can be.
using System;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Earshot;

static class Driver
{
    static readonly TextWriter Output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false)) { AutoFlush = true };
    static readonly MainThread Main0 = new MainThread();
    static readonly int MainId = Thread.CurrentThread.ManagedThreadId;
    static readonly Dictionary<string, CancellationTokenSource> Cancels = new Dictionary<string, CancellationTokenSource>();
    static PlayerClient player;
    static ServerClient server;
    static GameEventQueue queue;
    static EventStream stream;

    static int Main()
    {
        var isOver = false;
        var reader = new Thread(() =>
        {
            var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
            string line;
            while ((line = input.ReadLine()) != null)
            {
                var command = Fields.Of(JsonReader.Read(line));
                var ignored = AnswerAsync(command);
                GC.KeepAlive(ignored);
            }
            isOver = true;
        });
        reader.IsBackground = true;
        reader.Start();
        while (!isOver) // frames, as a game draws them
        {
            Main0.RunPending();
            Thread.Sleep(5);
        }
        return 0;
    }

    static async Task AnswerAsync(Dictionary<string, object> command)
    {
        object result;
        try
        {
            result = await DoAsync(command).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            var known = error as ApiException;
            Say(new Dictionary<string, object> { { "id", command["id"] }, { "error", Dump(error) }, { "type", error.GetType().Name }, { "code", known == null ? null : known.Code } });
            return;
        }
        Say(new Dictionary<string, object> { { "id", command["id"] }, { "result", result } });
    }

    static async Task<object> DoAsync(Dictionary<string, object> command)
    {
        switch ((string)command["do"])
        {
            case "json": return JsonReader.Read((string)command["text"]);
            case "write": return JsonWriter.Write(JsonReader.Read((string)command["text"]));
            case "fraction": return JsonWriter.Write(double.NaN);
            case "player":
                var tokenFile = Fields.Text(command, "tokenFile");
                Func<CancellationToken, Task<string>> getToken = cancel =>
                {
                    Notice("refresh", new Dictionary<string, object> { { "onMain", OnMain } });
                    return Task.FromResult(File.ReadAllText(tokenFile));
                };
                player = new PlayerClient(OptionsOf(command), tokenFile == null ? null : getToken, Fields.Text(command, "token"));
                return null;
            case "server":
                server = new ServerClient(OptionsOf(command), Fields.Text(command, "key"));
                return null;
            case "call": return await CallAsync(command).ConfigureAwait(false);
            case "cancel":
                Cancels[(string)command["name"]].Cancel();
                return null;
            case "queue":
                var options = new GameEventQueueOptions { Folder = Fields.Text(command, "folder") };
                options.FlushInterval = TimeSpan.FromMilliseconds(Fields.LongOrNull(command, "flushMs") ?? 100);
                options.MaxBatch = (int)(Fields.LongOrNull(command, "maxBatch") ?? 100);
                options.MaxWaiting = (int)(Fields.LongOrNull(command, "maxWaiting") ?? 10000);
                queue = Fields.Text(command, "on") == "server" ? new GameEventQueue(server, options) : new GameEventQueue(player, options);
                queue.Rejected += one => Notice("rejected", new Dictionary<string, object> { { "json", one.Json }, { "code", one.Code }, { "details", one.Details.Select(Dump).ToList() }, { "onMain", OnMain } });
                if (Fields.Bool(command, "loud"))
                {
                    queue.Rejected += one => { throw new InvalidOperationException("a handler has thrown"); };
                    queue.Delayed += error => { throw new InvalidOperationException("a handler has thrown"); };
                }
                queue.Delayed += error => Notice("delayed", new Dictionary<string, object> { { "type", error.GetType().Name }, { "onMain", OnMain } });
                return null;
            case "enqueue":
                var taken = 0;
                for (var count = Fields.LongOrNull(command, "count") ?? 1; count > 0; count -= 1)
                    if (queue.Enqueue(new EventPayload { EventName = (string)command["name"], UserId = Fields.Text(command, "user"), OccurredAt = Fields.Text(command, "at") == null ? (DateTimeOffset?)null : Times.Read(Fields.Text(command, "at")), Metadata = Fields.Map(command, "properties") })) taken += 1;
                return taken;
            case "flush":
                using (var limit = new CancellationTokenSource((int)(Fields.LongOrNull(command, "withinMs") ?? 30000))) await queue.FlushAsync(limit.Token).ConfigureAwait(false);
                return null;
            case "state": return new Dictionary<string, object> { { "waiting", queue.Waiting }, { "dropped", queue.Dropped }, { "inMemory", queue.IsInMemory } };
            case "close":
                await queue.CloseAsync(TimeSpan.FromMilliseconds(Fields.LongOrNull(command, "withinMs") ?? 10000)).ConfigureAwait(false);
                return null;
            case "dispose":
                queue.Dispose();
                return null;
            case "follow":
                stream = new EventStream(server) { Types = Fields.Text(command, "types"), LastEventId = Fields.Text(command, "lastEventId") };
                stream.Connected += () => Notice("connected", null);
                stream.Lost += error => Notice("lost", error.GetType().Name);
                stream.Gap += gap => Notice("gap", gap.LastEventId);
                await stream.RunAsync(one => Handled(one, Fields.LongOrNull(command, "handlerMs") ?? 0), Cancel("follow")).ConfigureAwait(false);
                return null;
            case "lastEventId": return stream.LastEventId;
            case "room":
                using (var room = new RoomEvents(OptionsOf(command), Fields.Text(command, "room"), Fields.Text(command, "token")))
                {
                    room.Lost += error => Notice("lost", error.GetType().Name);
                    await room.RunAsync((type, fields) => Notice("room", new Dictionary<string, object>(fields) { { "onMain", OnMain } }), Cancel("room")).ConfigureAwait(false);
                }
                return null;
            case "webhook":
                var now = DateTimeOffset.UtcNow.AddSeconds(Fields.LongOrNull(command, "later") ?? 0);
                var verifier = new WebhookVerifier((string)command["secret"], () => now);
                return verifier.IsGenuine(Fields.Text(command, "webhook-id"), Fields.Text(command, "webhook-timestamp"), Fields.Text(command, "webhook-signature"), Encoding.UTF8.GetBytes((string)command["body"]));
            case "stand":
                Main0.Post(() => Thread.Sleep((int)Fields.Long(command, "milliseconds")));
                return null;
            case "frames":
                var order = new List<object>();
                await Task.WhenAll(Enumerable.Range(0, 50).Select(at => Main0.InvokeAsync(() => order.Add(OnMain ? at : -1)))).ConfigureAwait(false);
                return order;
            case "loud":
                await Main0.InvokeAsync(() => { throw new InvalidOperationException("loud"); }).ConfigureAwait(false);
                return null;
            default: throw new ArgumentException("unknown: " + command["do"]);
        }
    }

    static bool OnMain
    {
        get { return Thread.CurrentThread.ManagedThreadId == MainId; }
    }

    static async Task Handled(DomainEvent one, long milliseconds)
    {
        var onMain = OnMain;
        await Task.Delay((int)milliseconds).ConfigureAwait(false);
        Notice("event", new Dictionary<string, object> { { "id", one.Id }, { "type", one.Type }, { "data", one.Data }, { "action", one.Action }, { "onMain", onMain } });
    }

    static CancellationToken Cancel(string name)
    {
        Cancels[name] = new CancellationTokenSource();
        return Cancels[name].Token;
    }

    static EarshotOptions OptionsOf(Dictionary<string, object> command)
    {
        var options = new EarshotOptions { BaseUrl = Fields.Text(command, "url"), ProjectId = Fields.Text(command, "project") };
        options.Attempts = (int)(Fields.LongOrNull(command, "attempts") ?? options.Attempts);
        options.Timeout = TimeSpan.FromMilliseconds(Fields.LongOrNull(command, "timeoutMs") ?? 15000);
        if (Fields.Bool(command, "onMain")) options.MainThread = Main0;
        return options;
    }

    /// <summary>Calls an operation by its name, with arguments by name.</summary>
    static async Task<object> CallAsync(Dictionary<string, object> command)
    {
        var target = Fields.Text(command, "on") == "server" ? (object)server : player;
        var method = target.GetType().GetMethod((string)command["name"] + "Async");
        if (method == null) throw new ArgumentException("no operation " + command["name"]);
        var given = Fields.Map(command, "args") ?? new Dictionary<string, object>();
        var unknown = given.Keys.Except(method.GetParameters().Select(one => one.Name)).FirstOrDefault();
        if (unknown != null) throw new ArgumentException("no argument " + unknown);
        var cancel = command.ContainsKey("cancel") ? Cancel((string)command["cancel"]) : CancellationToken.None;
        var args = method.GetParameters().Select(one => one.ParameterType == typeof(CancellationToken) ? cancel : Read(Fields.Any(given, one.Name), one.ParameterType)).ToArray();
        Task task;
        try
        {
            task = (Task)method.Invoke(target, args);
        }
        catch (TargetInvocationException error)
        {
            throw error.InnerException;
        }
        await task.ConfigureAwait(false);
        var result = task.GetType().GetProperty("Result");
        return method.ReturnType == typeof(Task) ? null : Dump(result.GetValue(task));
    }

    static object Read(object json, Type type)
    {
        if (json == null) return null;
        type = Nullable.GetUnderlyingType(type) ?? type;
        if (type == typeof(DateTimeOffset)) return Times.Read((string)json);
        if (type.IsValueType) return Convert.ChangeType(json, type);
        if (type == typeof(string) || type == typeof(object) || type == typeof(Dictionary<string, object>)) return json;
        if (type.IsGenericType)
        {
            var list = (IList)Activator.CreateInstance(type);
            foreach (var item in (List<object>)json) list.Add(Read(item, type.GetGenericArguments()[0]));
            return list;
        }
        var made = Activator.CreateInstance(type);
        foreach (var field in (Dictionary<string, object>)json)
        {
            var property = type.GetProperty(field.Key);
            if (property == null) throw new ArgumentException(type.Name + " has no " + field.Key);
            if (property.CanWrite) property.SetValue(made, Read(field.Value, property.PropertyType));
            else foreach (var item in (List<object>)field.Value) ((IList)property.GetValue(made)).Add(item);
        }
        return made;
    }

    static object Dump(object value)
    {
        if (value == null || value is string || value.GetType().IsPrimitive || value is DateTimeOffset || value is IDictionary) return value;
        if (value is TimeSpan) return ((TimeSpan)value).TotalSeconds;
        if (value is IEnumerable) return ((IEnumerable)value).Cast<object>().Select(Dump).ToList();
        if (value.GetType().Assembly != typeof(PlayerClient).Assembly) return value.ToString();
        var properties = value.GetType().GetProperties(BindingFlags.Public | BindingFlags.Instance);
        return properties
            .Where(one => one.DeclaringType.Assembly == typeof(PlayerClient).Assembly || one.Name == "Message")
            .ToDictionary(one => one.Name, one => Dump(one.GetValue(value)));
    }

    static void Notice(string name, object value)
    {
        Say(new Dictionary<string, object> { { "notice", name }, { "value", value } });
    }

    static void Say(object value)
    {
        var line = JsonWriter.Write(value);
        lock (Output) Output.WriteLine(line);
    }
}
