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
            var line = JsonWriter.Write(payload);
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
                        foreach (var one in rejected) Report(Rejected, one);
                        continue;
                    }
                    catch (EarshotException error)
                    {
                        wait = BackOff.Wait(failures, error.RetryAfter);
                        Report(Delayed, error);
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
                return Enumerable.Repeat(new RejectedGameEvent { Code = "unreadable", Message = error.Message }, batch.Count).ToList();
            }
            var call = newCall();
            call.BodyText = "{\"events\":[" + string.Join(",", lines) + "]}";
            call.IdempotencyKey = batch.Key;
            List<EventBatchResult> results;
            try
            {
                results = (await connection.SendAsync(call, EventBatchAnswer.FromJson, 1, closing.Token).ConfigureAwait(false)).Results;
            }
            catch (InvalidRequestException refused)
            {
                return lines.Select(line => new RejectedGameEvent { Json = line, Code = refused.Code, Message = refused.Message }).ToList();
            }
            if (results == null || results.Count != lines.Count) throw new UnreadableAnswerException("The answer has not one result for each event.", null);
            var late = results.FirstOrDefault(result => result.Status == 408 || result.Status == 429 || result.Status >= 500);
            if (late != null) throw ApiException.Of(new Refusal { Status = (int)late.Status, Code = late.Code, Message = late.Message });
            return lines
                .Zip(results, (line, result) => result.Status == 200 ? null : new RejectedGameEvent { Json = line, Code = result.Code, Message = result.Message })
                .Where(one => one != null)
                .ToList();
        }

        private void Remove(EventBatchFile batch)
        {
            Delete(batch);
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

        private void Report<T>(Action<T> handler, T value)
        {
            if (handler == null) return;
            if (client.MainThread != null) client.MainThread.Post(() => handler(value));
            else ThreadPool.QueueUserWorkItem(_ => handler(value));
        }

        private static bool IsOfDisk(Exception error)
        {
            return error is IOException || error is UnauthorizedAccessException;
        }
    }
}
