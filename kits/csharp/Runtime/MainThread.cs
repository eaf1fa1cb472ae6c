using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Earshot
{
    /// <summary>
    /// Takes work from any thread and runs it on the one that calls RunPending, once a frame. EarshotBehaviour does so in Unity;
    /// EarshotOptions.MainThread makes callbacks and handlers of events come here.
    /// </summary>
    public sealed class MainThread
    {
        private readonly Queue<Action> pending = new Queue<Action>();

        /// <summary>Called on the main thread with what a handler has thrown. The work after it goes on.</summary>
        public event Action<Exception> Failed;

        /// <summary>Runs the work in one of the next frames.</summary>
        public void Post(Action work)
        {
            lock (pending) pending.Enqueue(work);
        }

        /// <summary>Runs the work in one of the next frames; the task ends with it, or when it is cancelled before.</summary>
        public Task InvokeAsync(Action work, CancellationToken cancel = default(CancellationToken))
        {
            return InvokeAsync(() =>
            {
                work();
                return Task.FromResult(true);
            }, cancel);
        }

        /// <summary>Begins the work in one of the next frames; the task ends with it, or when it is cancelled before.</summary>
        public Task InvokeAsync(Func<Task> work, CancellationToken cancel = default(CancellationToken))
        {
            return InvokeAsync(async () =>
            {
                await work().ConfigureAwait(false);
                return true;
            }, cancel);
        }

        /// <summary>Begins the work in one of the next frames; the task ends with its result, or when it is cancelled before.</summary>
        public async Task<T> InvokeAsync<T>(Func<Task<T>> work, CancellationToken cancel = default(CancellationToken))
        {
            // Whoever waits goes on elsewhere, and not within this frame.
            var done = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
            Post(async () =>
            {
                if (done.Task.IsCompleted) return;
                try
                {
                    done.TrySetResult(await work().ConfigureAwait(false));
                }
                catch (Exception error)
                {
                    done.TrySetException(error);
                }
            });
            using (cancel.Register(() => done.TrySetCanceled())) return await done.Task.ConfigureAwait(false);
        }

        /// <summary>Runs work until none is left or the time is over, at least one piece. Returns how many pieces ran.</summary>
        /// <param name="milliseconds">Share of the frame that the work may take.</param>
        public int RunPending(double milliseconds = 2)
        {
            var watch = Stopwatch.StartNew();
            var count = 0;
            do
            {
                Action work;
                lock (pending)
                {
                    if (pending.Count == 0) return count;
                    work = pending.Dequeue();
                }
                try
                {
                    work();
                }
                catch (Exception error)
                {
                    if (Failed != null) Failed(error);
                }
                count += 1;
            } while (watch.Elapsed.TotalMilliseconds < milliseconds);
            return count;
        }
    }
}
