using System;
using System.Collections.Generic;
using System.Diagnostics;
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

        /// <summary>Runs the work in one of the next frames.</summary>
        public void Post(Action work)
        {
            lock (pending) pending.Enqueue(work);
        }

        /// <summary>Runs the work in one of the next frames; the task ends with it.</summary>
        public Task InvokeAsync(Action work)
        {
            return InvokeAsync(() =>
            {
                work();
                return Task.FromResult(true);
            });
        }

        /// <summary>Begins the work in one of the next frames; the task ends with it.</summary>
        public Task InvokeAsync(Func<Task> work)
        {
            // Whoever waits goes on elsewhere, and not within this frame.
            var done = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            Post(async () =>
            {
                try
                {
                    await work().ConfigureAwait(false);
                    done.SetResult(true);
                }
                catch (Exception error)
                {
                    done.SetException(error);
                }
            });
            return done.Task;
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
                work();
                count += 1;
            } while (watch.Elapsed.TotalMilliseconds < milliseconds);
            return count;
        }
    }
}
