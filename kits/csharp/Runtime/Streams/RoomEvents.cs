using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Earshot
{
    /// <summary>
    /// What happens in a voice room, as a player in it is told: who is there, and that they are muted, warned or removed. Runs in the
    /// game, with the room token by which it joins the room (docs/voice.md).
    /// </summary>
    public sealed class RoomEvents : IDisposable
    {
        private readonly EarshotOptions options;
        private readonly string roomId;
        private readonly Connection connection;

        /// <param name="options">Where the daemon is.</param>
        /// <param name="roomId">Room of the token.</param>
        /// <param name="roomToken">From your server: ServerClient.GenerateProjectTokenAsync.</param>
        /// <exception cref="ArgumentException">The address, the project or the token is missing.</exception>
        public RoomEvents(EarshotOptions options, string roomId, string roomToken)
        {
            this.options = options;
            this.roomId = roomId;
            connection = new Connection(options, new TokenCredential(roomToken, null, null));
        }

        /// <summary>Called when the connection is lost; it is made again by itself.</summary>
        public event Action<EarshotException> Lost;

        /// <summary>
        /// Hands over one event at a time until it is cancelled or the room puts the player out. Each connection begins with room.state,
        /// which says how everything is; what follows are changes: room.peer, room.slot, room.muted, room.limited, room.blocks,
        /// room.addresses, room.warned, room.announced, room.notified, message, room.removed, room.closed.
        /// </summary>
        /// <param name="onEvent">Gets the type and the fields of the event, as docs/voice.md lists them.</param>
        /// <exception cref="EarshotException">The daemon refuses the stream for good: the token is over, or the player is banned.</exception>
        /// <exception cref="OperationCanceledException">Cancelled.</exception>
        public async Task RunAsync(Action<string, Dictionary<string, object>> onEvent, CancellationToken cancel)
        {
            using (var leaving = CancellationTokenSource.CreateLinkedTokenSource(cancel))
            {
                var stream = new SseConnection(connection) { Lost = error => options.Tell(Lost, error) };
                Func<Call> newCall = () => new Call("GET", "/rooms/" + Call.Segment(roomId) + "/events");
                try
                {
                    await stream.RunAsync(newCall, frame => TakeAsync(frame, onEvent, leaving), leaving.Token).ConfigureAwait(false);
                }
                catch (OperationCanceledException)
                {
                    cancel.ThrowIfCancellationRequested(); // else the room has put the player out
                }
            }
        }

        public void Dispose()
        {
            connection.Dispose();
        }

        private async Task<bool> TakeAsync(SseFrame frame, Action<string, Dictionary<string, object>> onEvent, CancellationTokenSource leaving)
        {
            Dictionary<string, object> fields;
            try
            {
                fields = Fields.Of(JsonReader.Read(frame.Data));
            }
            catch (FormatException error)
            {
                throw new UnreadableAnswerException("The stream has an event that is no JSON.", error);
            }
            var type = Fields.Text(fields, "type") ?? frame.Name;
            if (options.MainThread == null) onEvent(type, fields);
            else await options.MainThread.InvokeAsync(() => onEvent(type, fields), leaving.Token).ConfigureAwait(false);
            var isEnd = type == "room.closed" || (type == "room.removed" && Fields.Text(fields, "resourceId") == null);
            if (!isEnd) return true;
            if (!Fields.Bool(fields, "rejoin")) leaving.Cancel();
            return false;
        }
    }
}
