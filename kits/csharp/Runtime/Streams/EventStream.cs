using System;
using System.Threading;
using System.Threading.Tasks;

namespace Earshot
{
    /// <summary>
    /// Follows the events of the project without losing one: connects again by itself and continues after the last event that was
    /// handled. Runs on servers of the game.
    /// </summary>
    public sealed class EventStream
    {
        private readonly ServerClient server;

        public EventStream(ServerClient server)
        {
            this.server = server;
        }

        /// <summary>Types, comma-separated; a trailing * is a wildcard: sanction.*,gathering.started. null: all.</summary>
        public string Types { get; set; }

        /// <summary>Only events about this person, by external user id; null: about anybody.</summary>
        public string User { get; set; }

        /// <summary>Resources, comma-separated, as kind:id or id; null: all.</summary>
        public string Resources { get; set; }

        /// <summary>
        /// The last event that was handled, or after which the stream began. Store it and set it before the next RunAsync to continue
        /// there. null: from now on; `earliest`: every event that is kept.
        /// </summary>
        public string LastEventId { get; set; }

        /// <summary>Called when the stream is open, for the first time or again.</summary>
        public event Action Connected;

        /// <summary>Called when the connection is lost; the stream makes it again by itself.</summary>
        public event Action<EarshotException> Lost;

        /// <summary>Called when events after LastEventId are not kept any more: read the state anew.</summary>
        public event Action<StreamGap> Gap;

        /// <summary>Hands over one event at a time, in order, until it is cancelled. The next one comes when the task of the handler is done.</summary>
        /// <exception cref="EarshotException">The daemon refuses the stream for good: a key without the scope events:read, an unknown project.</exception>
        /// <exception cref="OperationCanceledException">Cancelled.</exception>
        public Task RunAsync(Func<DomainEvent, Task> onEvent, CancellationToken cancel)
        {
            var stream = new SseConnection(server.Connection)
            {
                Connected = begin =>
                {
                    LastEventId = LastEventId ?? begin;
                    server.Options.Tell<object>(_ => { if (Connected != null) Connected(); }, null);
                },
                Lost = error => server.Options.Tell(Lost, error),
            };
            return stream.RunAsync(NewCall, frame => TakeAsync(frame, onEvent, cancel), cancel);
        }

        private Call NewCall()
        {
            var call = new Call("GET", "/api/projects/" + Call.Segment(server.ProjectId) + "/events/stream")
                .Query("types", Types)
                .Query("user", User)
                .Query("resources", Resources);
            call.LastEventId = LastEventId;
            return call;
        }

        private async Task<bool> TakeAsync(SseFrame frame, Func<DomainEvent, Task> onEvent, CancellationToken cancel)
        {
            if (frame.Name == "stream.closed") return false;
            if (frame.Name != "message" && frame.Name != "stream.gap") return true;
            object json;
            try
            {
                json = JsonReader.Read(frame.Data);
            }
            catch (FormatException error)
            {
                throw new UnreadableAnswerException("The stream has an event that is no JSON.", error);
            }
            if (frame.Name == "stream.gap")
            {
                var gap = StreamGap.FromJson(json);
                server.Options.Tell(Gap, gap);
                return true;
            }
            var taken = DomainEvent.FromJson(json);
            var mainThread = server.Options.MainThread;
            await (mainThread == null ? onEvent(taken) : mainThread.InvokeAsync(() => onEvent(taken), cancel)).ConfigureAwait(false);
            LastEventId = taken.Id;
            return true;
        }
    }
}
