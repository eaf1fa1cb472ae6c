using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Earshot
{
    /// <summary>
    /// Sends game events in batches, in order, each once, however often the network fails or the game restarts. Enqueue returns at once
    /// and may be called from any thread.
    /// </summary>
    public sealed class GameEventQueue : IDisposable
    {
        private const int MaxBatchBytes = 512 * 1024;
        private const int MaxEventBytes = 64 * 1024;
        private const int MaxBatchEvents = 1000;
        private readonly Connection connection;
        private readonly EarshotOptions client;
        private readonly GameEventQueueOptions options;
        private readonly Func<Call> newCall;
        private readonly object gate = new object();
        private readonly Queue<EventBatchFile> batches = new Queue<EventBatchFile>();
        private readonly List<KeyValuePair<long, TaskCompletionSource<bool>>> flushes = new List<KeyValuePair<long, TaskCompletionSource<bool>>>();
        private readonly SemaphoreSlim signal = new SemaphoreSlim(0);
        private readonly CancellationTokenSource closing = new CancellationTokenSource();
        private readonly FileStream folderLock;
        private readonly Task worker;
        /// <summary>Of the batch that is being sent: how many of its events were answered, and which of them rejected.</summary>
        private int answered;
        private readonly List<RejectedGameEvent> rejected = new List<RejectedGameEvent>();
        private int partSize = MaxBatchEvents;
        private EventBatchFile open;
        private bool isFolderLost;
        private long nextNumber;
        private long flushedUpTo = -1;
        private int waiting;
        private long dropped;

        /// <summary>Queue of the player's own events. A folder belongs to one player: the events in it do not name one.</summary>
        /// <exception cref="IOException">The folder cannot be used, or another queue uses it.</exception>
        public GameEventQueue(PlayerClient player, GameEventQueueOptions options)
            : this(player.Connection, player.Options, options, () => new Call("POST", "/api/v1/events/batch").Query("auth", "access_token"))
        {
        }

        /// <summary>Queue of a server: each event names its player (`UserId`).</summary>
        /// <exception cref="IOException">The folder cannot be used, or another queue uses it.</exception>
        public GameEventQueue(ServerClient server, GameEventQueueOptions options)
            : this(server.Connection, server.Options, options, () => new Call("POST", "/api/projects/" + Call.Segment(server.ProjectId) + "/game-events"))
        {
        }

        private GameEventQueue(Connection connection, EarshotOptions client, GameEventQueueOptions options, Func<Call> newCall)
        {
            this.connection = connection;
            this.client = client;
            this.options = options;
            this.newCall = newCall;
            if (options.MaxBatch < 1 || options.MaxBatch > MaxBatchEvents) throw new ArgumentException("MaxBatch lies between 1 and " + MaxBatchEvents + ".");
            if (options.Folder != null)
            {
                Directory.CreateDirectory(options.Folder);
                folderLock = LockIn(options.Folder);
                foreach (var batch in EventBatchFile.Left(options.Folder))
                {
                    batches.Enqueue(batch);
                    waiting += batch.Count;
                    nextNumber = batch.Number + 1;
                }
            }
            worker = Task.Run(() => WorkAsync());
        }

        /// <summary>Called for each event that the daemon will never take.</summary>
        public event Action<RejectedGameEvent> Rejected;

        /// <summary>Called when events could not be sent for now; the queue tries again by itself.</summary>
        public event Action<EarshotException> Delayed;

        /// <summary>Events that the daemon has not acknowledged yet.</summary>
        public int Waiting
        {
            get
            {
                lock (gate) return waiting;
            }
        }

        /// <summary>Events of this run that found the queue full.</summary>
        public long Dropped
        {
            get
            {
                lock (gate) return dropped;
            }
        }

        /// <summary>True once the disk took no event: further ones wait in memory, and are lost with the game.</summary>
        public bool IsInMemory
        {
            get
            {
                lock (gate) return isFolderLost || options.Folder == null;
            }
        }

        /// <summary>Adds an event, for example "kill-enemy" with { amount: 1 }. `earshot game-events catalogue` lists names and properties.</summary>
        /// <returns>false: the queue is full, and the event is dropped</returns>
        /// <exception cref="ArgumentException">JSON has no form for a property, or the event is larger than 64 KiB.</exception>
        /// <exception cref="ObjectDisposedException">The queue is closed.</exception>
        public bool Enqueue(string eventName, IDictionary<string, object> properties = null, string sessionId = null)
        {
            var metadata = properties == null ? null : new Dictionary<string, object>(properties);
            return Enqueue(new EventPayload { EventName = eventName, Metadata = metadata, SessionId = sessionId });
        }

        /// <summary>Adds an event with all its fields.</summary>
        /// <returns>false: the queue is full, and the event is dropped</returns>
        /// <exception cref="ArgumentException">JSON has no form for a property, or the event is larger than 64 KiB.</exception>
        /// <exception cref="ObjectDisposedException">The queue is closed.</exception>
        public bool Enqueue(EventPayload payload)
        {
            var line = WithField(JsonWriter.Write(payload), "occurred_at", Times.Write(DateTimeOffset.UtcNow));
            if (line.Length > MaxEventBytes) throw new ArgumentException("The event is larger than " + MaxEventBytes + " characters.");
            lock (gate)
            {
                if (closing.IsCancellationRequested) throw new ObjectDisposedException("GameEventQueue");
                if (waiting >= options.MaxWaiting)
                {
                    dropped += 1;
                    return false;
                }
                var isFirst = open == null || open.IsSealed || open.Count >= options.MaxBatch || open.Bytes >= MaxBatchBytes;
                if (isFirst) OpenBatch();
                Append(line);
                waiting += 1;
                if (isFirst || open.Count >= options.MaxBatch) signal.Release();
            }
            return true;
        }

        /// <summary>Sends what waits without waiting for more. The task ends once all of it is acknowledged or rejected.</summary>
        /// <exception cref="OperationCanceledException">Cancelled, or the queue was closed before.</exception>
        public async Task FlushAsync(CancellationToken cancel = default(CancellationToken))
        {
            var done = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            lock (gate)
            {
                if (waiting == 0) return;
                if (closing.IsCancellationRequested) throw new OperationCanceledException();
                flushedUpTo = nextNumber - 1;
                flushes.Add(new KeyValuePair<long, TaskCompletionSource<bool>>(flushedUpTo, done));
            }
            signal.Release();
            using (cancel.Register(() => done.TrySetCanceled())) await done.Task.ConfigureAwait(false);
        }

        /// <summary>Sends what waits as far as the time allows, and closes the queue. What is left stays in the folder.</summary>
        public async Task CloseAsync(TimeSpan patience)
        {
            using (var limit = new CancellationTokenSource(patience))
            {
                try
                {
                    await FlushAsync(limit.Token).ConfigureAwait(false);
                }
                catch (OperationCanceledException)
                {
                }
            }
            closing.Cancel();
            await worker.ConfigureAwait(false);
            Release();
        }

        /// <summary>Closes the queue at once. What waits stays in the folder and is sent after the next start.</summary>
        public void Dispose()
        {
            closing.Cancel();
            worker.Wait(TimeSpan.FromSeconds(2));
            Release();
        }

        /// <summary>Mono keeps FileShare within one process, and the region within one machine; other runtimes keep the first alone.</summary>
        private static FileStream LockIn(string folder)
        {
            var file = new FileStream(Path.Combine(folder, "lock"), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
            try
            {
                file.Lock(0, 1);
            }
            catch (NotSupportedException)
            {
                // a platform that runs one copy of a game
            }
            catch (NotImplementedException)
            {
            }
            catch (IOException)
            {
                file.Dispose();
                throw;
            }
            return file;
        }

        private void OpenBatch()
        {
            if (open != null) open.Seal();
            try
            {
                open = EventBatchFile.Create(isFolderLost ? null : options.Folder, nextNumber);
            }
            catch (Exception error)
            {
                if (!IsOfDisk(error)) throw;
                isFolderLost = true;
                open = EventBatchFile.Create(null, nextNumber);
            }
            nextNumber += 1;
            batches.Enqueue(open);
        }

        private void Append(string line)
        {
            try
            {
                open.Append(line);
            }
            catch (Exception error)
            {
                if (!IsOfDisk(error)) throw;
                isFolderLost = true;
                OpenBatch();
                open.Append(line);
            }
        }

        private async Task WorkAsync()
        {
            var failures = 0;
            while (!closing.IsCancellationRequested)
            {
                try
                {
                    TimeSpan untilDue;
                    var batch = NextBatch(out untilDue);
                    if (batch == null)
                    {
                        await signal.WaitAsync(untilDue, closing.Token).ConfigureAwait(false);
                        continue;
                    }
                    TimeSpan wait;
                    try
                    {
                        var rejected = await SendAsync(batch).ConfigureAwait(false);
                        failures = 0;
                        Remove(batch);
                        foreach (var one in rejected) client.Tell(Rejected, one);
                        continue;
                    }
                    catch (EarshotException error)
                    {
                        wait = BackOff.Wait(failures, error.RetryAfter);
                        client.Tell(Delayed, error);
                    }
                    catch (Exception error)
                    {
                        if (closing.IsCancellationRequested) throw new OperationCanceledException();
                        wait = BackOff.Wait(failures, null); // whatever it is, the events wait, and the queue lives on
                        client.Tell(Delayed, new UnreadableAnswerException("The events were not sent: " + error.Message, error));
                    }
                    failures += 1;
                    await Task.Delay(wait, closing.Token).ConfigureAwait(false);
                }
                catch (OperationCanceledException)
                {
                    // closing
                }
            }
        }

        /// <summary>Returns the oldest batch if it is due; else null, and when it will be.</summary>
        private EventBatchFile NextBatch(out TimeSpan untilDue)
        {
            lock (gate)
            {
                untilDue = Timeout.InfiniteTimeSpan;
                while (batches.Count > 0 && batches.Peek().Count == 0) Delete(batches.Dequeue()); // the disk failed at its first event
                if (batches.Count == 0) return null;
                var first = batches.Peek();
                var age = DateTime.UtcNow - first.BeganAt;
                var isDue = first.IsSealed || first.Count >= options.MaxBatch || first.Number <= flushedUpTo || age >= options.FlushInterval || age < TimeSpan.Zero;
                if (!isDue)
                {
                    untilDue = options.FlushInterval - age;
                    return null;
                }
                first.Seal();
                return first;
            }
        }

        /// <summary>Returns the events that were rejected; throws where the batch must be sent again.</summary>
        private async Task<List<RejectedGameEvent>> SendAsync(EventBatchFile batch)
        {
            List<string> lines;
            try
            {
                lines = batch.Lines();
            }
            catch (Exception error)
            {
                if (!IsOfDisk(error)) throw;
                return Enumerable.Repeat(Unreadable("", error.Message), batch.Count).ToList();
            }
            var damaged = lines.Where(line => !IsObject(line)).Select(line => Unreadable(line, "The line of the event in its file is damaged."));
            var events = lines.Select((line, at) => new KeyValuePair<string, string>(batch.Key + "#" + at, line)).Where(one => IsObject(one.Value)).ToList();
            while (answered < events.Count)
            {
                var part = events.GetRange(answered, Math.Min(partSize, events.Count - answered));
                var refused = await SendAsync(part).ConfigureAwait(false);
                if (refused == null) partSize = part.Count / 2;
                else
                {
                    answered += part.Count;
                    rejected.AddRange(refused);
                    partSize = Math.Min(MaxBatchEvents, partSize * 2);
                }
            }
            return damaged.Concat(rejected).ToList();
        }

        /// <summary>
        /// Sends events, each with a key of its own, so that it counts once however they are cut. Returns those that were rejected; null:
        /// there are too many, or one of them spoils them all.
        /// </summary>
        private async Task<List<RejectedGameEvent>> SendAsync(List<KeyValuePair<string, string>> events)
        {
            var call = newCall();
            var sentAt = JsonWriter.Write(Times.Write(DateTimeOffset.UtcNow));
            call.BodyText = "{\"sent_at\":" + sentAt + ",\"events\":[" + string.Join(",", events.Select(one => WithField(one.Value, "idempotency_key", one.Key))) + "]}";
            call.IdempotencyKey = events[0].Key;
            List<EventBatchResult> results;
            try
            {
                results = (await connection.SendAsync(call, EventBatchAnswer.FromJson, 1, closing.Token).ConfigureAwait(false)).Results;
            }
            catch (ApiException error)
            {
                // What a proxy says, or the daemon of the credential or the project, is no fault of the events: they wait.
                var isAboutEvents = IsAboutEvents(error);
                if (events.Count > 1 && (isAboutEvents || error.Status == 413)) return null;
                if (!isAboutEvents) throw;
                return new List<RejectedGameEvent> { new RejectedGameEvent { Json = events[0].Value, Code = error.Code, Message = error.Message, Details = error.Details } };
            }
            if (results == null || results.Count != events.Count || results.Any(result => result == null || result.Status == 0))
                throw new UnreadableAnswerException("The answer has not one result for each event.", null);
            var late = results.FirstOrDefault(result => result.Status == 408 || result.Status == 429 || result.Status >= 500);
            if (late != null) throw ApiException.Of(new Refusal { Status = (int)late.Status, Code = late.Code, Message = late.Message });
            return events
                .Zip(results, (one, result) => result.Status == 200 ? null : RejectedBy(one.Value, result))
                .Where(one => one != null)
                .ToList();
        }

        private static RejectedGameEvent RejectedBy(string line, EventBatchResult result)
        {
            var found = result.Details ?? new List<EventBatchResultDetail>();
            var details = found.Select(one => new ErrorDetail { Path = one.Path, Message = one.Message }).ToList();
            return new RejectedGameEvent { Json = line, Code = result.Code, Message = result.Message, Details = details };
        }

        private static RejectedGameEvent Unreadable(string line, string message)
        {
            return new RejectedGameEvent { Json = line, Code = "unreadable", Message = message, Details = new List<ErrorDetail>() };
        }

        /// <summary>True if the daemon refuses a batch for something in it.</summary>
        private static bool IsAboutEvents(ApiException error)
        {
            if (error.RequestId == null) return false;
            if (error.Code == ErrorCode.ValidationFailed) return error.Details.Any(one => one.Path != null && one.Path.StartsWith("body", StringComparison.Ordinal));
            return error.Code == ErrorCode.MalformedJson || error.Code == ErrorCode.TextNotAllowed || error.Code == ErrorCode.BodyTooLarge;
        }

        private static bool IsObject(string line)
        {
            try
            {
                return JsonReader.Read(line) is Dictionary<string, object>;
            }
            catch (FormatException)
            {
                return false; // zeros, or half a line: what a machine leaves that loses power
            }
        }

        /// <summary>Puts a field before those of an event: one of the event's own comes later, and is the one that counts.</summary>
        private static string WithField(string line, string name, string value)
        {
            var field = "{" + JsonWriter.Write(name) + ":" + JsonWriter.Write(value);
            return line.StartsWith("{\"", StringComparison.Ordinal) ? field + "," + line.Substring(1) : field + "}";
        }

        private void Remove(EventBatchFile batch)
        {
            Delete(batch);
            answered = 0;
            rejected.Clear();
            lock (gate)
            {
                batches.Dequeue();
                waiting -= batch.Count;
                foreach (var flush in flushes)
                    if (flush.Key <= batch.Number) flush.Value.TrySetResult(true);
                flushes.RemoveAll(flush => flush.Key <= batch.Number);
            }
        }

        private static void Delete(EventBatchFile batch)
        {
            try
            {
                batch.Delete();
            }
            catch (Exception error)
            {
                if (!IsOfDisk(error)) throw; // sent again after a restart, without effect: the daemon knows the key
            }
        }

        private void Release()
        {
            lock (gate)
            {
                foreach (var batch in batches) batch.Seal();
                foreach (var flush in flushes) flush.Value.TrySetCanceled();
                flushes.Clear();
            }
            if (folderLock != null) folderLock.Dispose();
        }

        private static bool IsOfDisk(Exception error)
        {
            return error is IOException || error is UnauthorizedAccessException;
        }
    }
}
