using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;

namespace Earshot
{
    /// <summary>Reads server-sent events, and connects again when the connection is lost.</summary>
    internal sealed class SseConnection
    {
        /// <summary>Three heartbeats: the daemon sends a comment every 15 s.</summary>
        private static readonly TimeSpan Silence = TimeSpan.FromSeconds(45);
        /// <summary>After a connection that lasted this long, waiting times start again from the first.</summary>
        private static readonly TimeSpan Steady = TimeSpan.FromSeconds(10);
        private readonly Connection connection;

        public SseConnection(Connection connection)
        {
            this.connection = connection;
        }

        /// <summary>Called with the answer's header Last-Event-ID once a connection is there; null: it has none.</summary>
        public Action<string> Connected { get; set; }

        /// <summary>Called when the connection is lost, before it is made again.</summary>
        public Action<EarshotException> Lost { get; set; }

        /// <summary>Runs until it is cancelled. A frame whose handler returns false ends the connection; it is made again.</summary>
        /// <exception cref="EarshotException">The daemon refuses the stream for good.</exception>
        /// <exception cref="OperationCanceledException">Cancelled.</exception>
        public async Task RunAsync(Func<Call> newCall, Func<SseFrame, Task<bool>> onFrame, CancellationToken cancel)
        {
            for (var attempt = 0; ; attempt += 1)
            {
                var beganAt = DateTime.UtcNow;
                var tookSome = false;
                EarshotException lost;
                try
                {
                    Func<SseFrame, Task<bool>> take = frame =>
                    {
                        tookSome = true;
                        return onFrame(frame);
                    };
                    await ConnectAsync(newCall(), take, cancel).ConfigureAwait(false);
                    lost = new UnreachableException("the stream", "the daemon has ended it.", null);
                }
                catch (EarshotException error)
                {
                    if (!error.IsPassing) throw;
                    lost = error;
                }
                cancel.ThrowIfCancellationRequested();
                if (tookSome || DateTime.UtcNow - beganAt > Steady) attempt = 0;
                if (Lost != null) Lost(lost);
                await Task.Delay(BackOff.Wait(attempt, lost.RetryAfter), cancel).ConfigureAwait(false);
            }
        }

        private async Task ConnectAsync(Call call, Func<SseFrame, Task<bool>> onFrame, CancellationToken cancel)
        {
            using (var response = await connection.OpenAsync(call, cancel).ConfigureAwait(false))
            {
                IEnumerable<string> begin;
                var last = response.Headers.TryGetValues("Last-Event-ID", out begin) ? string.Join("", begin) : null;
                if (Connected != null) Connected(last);
                using (var stream = await response.Content.ReadAsStreamAsync().ConfigureAwait(false))
                using (cancel.Register(stream.Dispose)) // a read of Mono does not end by the token alone
                {
                    var parser = new SseParser();
                    var bytes = new byte[16 * 1024];
                    for (;;)
                    {
                        var count = await ReadAsync(stream, bytes, cancel).ConfigureAwait(false);
                        if (count == 0) return;
                        foreach (var frame in parser.Read(bytes, count))
                            if (!await onFrame(frame).ConfigureAwait(false)) return;
                    }
                }
            }
        }

        /// <summary>Looks at the error of a task that nobody waits for any more, as the runtime asks.</summary>
        private static void Observe(Task late)
        {
            late.ContinueWith(ended => ended.Exception, TaskContinuationOptions.OnlyOnFaulted);
        }

        private static async Task<int> ReadAsync(Stream stream, byte[] bytes, CancellationToken cancel)
        {
            using (var quiet = CancellationTokenSource.CreateLinkedTokenSource(cancel))
            {
                var read = stream.ReadAsync(bytes, 0, bytes.Length, cancel);
                var silence = Task.Delay(Silence, quiet.Token);
                var first = await Task.WhenAny(read, silence).ConfigureAwait(false);
                quiet.Cancel();
                cancel.ThrowIfCancellationRequested();
                if (first != read)
                {
                    Observe(read);
                    throw new UnreachableException("the stream", "no data for " + Silence.TotalSeconds + " s.", null);
                }
                try
                {
                    return await read.ConfigureAwait(false);
                }
                catch (Exception error)
                {
                    cancel.ThrowIfCancellationRequested();
                    if (error is IOException || error is HttpRequestException || error is System.Net.WebException || error is ObjectDisposedException || error is OperationCanceledException)
                        throw new UnreachableException("the stream", error.GetBaseException().Message, error);
                    throw;
                }
            }
        }
    }
}
