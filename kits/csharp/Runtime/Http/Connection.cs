using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Threading;
using System.Threading.Tasks;

namespace Earshot
{
    /// <summary>
    /// Sends calls to one daemon with one credential. A call that gets no answer, or one that may be another later, is sent again with
    /// pauses. A repeat of a change carries the same key, so that nothing is done twice; a change without a key whose answer was lost is
    /// not repeated.
    /// </summary>
    internal sealed class Connection : IDisposable
    {
        private const int MaxAnswerBytes = 16 * 1024 * 1024;
        private const int MaxConnections = 16;
        private readonly EarshotOptions options;
        private readonly ICredential credential;
        private readonly HttpClient client;
        private readonly string baseUrl;

        public Connection(EarshotOptions options, ICredential credential)
        {
            baseUrl = options.CheckedBaseUrl().AbsoluteUri.TrimEnd('/');
            this.options = options;
            this.credential = credential;
            client = new HttpClient(options.Handler ?? DefaultHandler(), options.Handler == null);
            client.Timeout = Timeout.InfiniteTimeSpan; // each call has its own
            client.MaxResponseContentBufferSize = MaxAnswerBytes;
        }

        /// <summary>Sends a call whose answer is empty.</summary>
        public Task SendAsync(Call call, CancellationToken cancel)
        {
            return AnswerAsync(call, options.Attempts, cancel);
        }

        public Task<T> SendAsync<T>(Call call, Func<object, T> read, CancellationToken cancel)
        {
            return SendAsync(call, read, options.Attempts, cancel);
        }

        public async Task<T> SendAsync<T>(Call call, Func<object, T> read, int attempts, CancellationToken cancel)
        {
            var answer = await AnswerAsync(call, attempts, cancel).ConfigureAwait(false);
            try
            {
                return Read(answer.Text, read);
            }
            catch (UnreadableAnswerException error)
            {
                error.MayBeDone = call.IsChange;
                throw;
            }
        }

        /// <summary>Reads a list to its end: an answer ends at 2 MiB, and its header Link names the next part.</summary>
        public async Task<List<T>> SendListAsync<T>(Call call, Func<object, T> read, CancellationToken cancel)
        {
            var list = new List<T>();
            while (call != null)
            {
                var answer = await AnswerAsync(call, options.Attempts, cancel).ConfigureAwait(false);
                list.AddRange(Read(answer.Text, json => Fields.AsList(json, read)) ?? new List<T>());
                call = answer.NextTarget == null ? null : call.At(answer.NextTarget);
            }
            return list;
        }

        /// <summary>Opens a stream and returns its answer as it begins.</summary>
        public async Task<HttpResponseMessage> OpenAsync(Call call, CancellationToken cancel)
        {
            var token = await credential.GetAsync(cancel).ConfigureAwait(false);
            var response = await ExchangeAsync(call, token, HttpCompletionOption.ResponseHeadersRead, cancel).ConfigureAwait(false);
            if (response.IsSuccessStatusCode) return response;
            using (response)
            {
                var refusal = await RefusalAsync(response).ConfigureAwait(false);
                if (refusal is CredentialException && await credential.RenewAsync(token, cancel).ConfigureAwait(false))
                    return await OpenRenewedAsync(call, cancel).ConfigureAwait(false);
                throw refusal;
            }
        }

        public void Dispose()
        {
            client.Dispose();
        }

        private async Task<HttpResponseMessage> OpenRenewedAsync(Call call, CancellationToken cancel)
        {
            var token = await credential.GetAsync(cancel).ConfigureAwait(false);
            var response = await ExchangeAsync(call, token, HttpCompletionOption.ResponseHeadersRead, cancel).ConfigureAwait(false);
            if (response.IsSuccessStatusCode) return response;
            using (response) throw await RefusalAsync(response).ConfigureAwait(false);
        }

        private async Task<Answer> AnswerAsync(Call call, int attempts, CancellationToken cancel)
        {
            var isRenewed = false;
            for (var attempt = 1; ; attempt += 1)
            {
                var token = (string)null;
                EarshotException lost;
                try
                {
                    token = await credential.GetAsync(cancel).ConfigureAwait(false);
                    return await OnceAsync(call, token, cancel).ConfigureAwait(false);
                }
                catch (EarshotException error)
                {
                    lost = error;
                }
                if (lost is CredentialException && !isRenewed && await credential.RenewAsync(token, cancel).ConfigureAwait(false))
                {
                    isRenewed = true;
                    attempt -= 1;
                    continue;
                }
                call.MayBeDone = call.MayBeDone || IsLostAnswer(lost);
                lost.MayBeDone = call.MayBeDone && call.IsChange && (lost.IsPassing || lost is CredentialException);
                var wait = BackOff.Wait(attempt - 1, lost.RetryAfter);
                var isDoubtful = call.MayBeDone && !call.IsRepeatable;
                if (isDoubtful || !lost.IsPassing || attempt >= attempts || lost.RetryAfter > options.LongestWait)
                    System.Runtime.ExceptionServices.ExceptionDispatchInfo.Capture(lost).Throw();
                await Task.Delay(wait, cancel).ConfigureAwait(false);
            }
        }

        /// <summary>True if the daemon may have carried the request out: a proxy that got no answer, or a failure on the way, does not say.</summary>
        private static bool IsLostAnswer(EarshotException error)
        {
            var unreachable = error as UnreachableException;
            if (unreachable != null) return !unreachable.WasNeverSent;
            var unavailable = error as UnavailableException;
            return unavailable != null && (unavailable.Code == "unknown" || unavailable.Status == 500);
        }

        private async Task<Answer> OnceAsync(Call call, string token, CancellationToken cancel)
        {
            using (var response = await ExchangeAsync(call, token, HttpCompletionOption.ResponseContentRead, cancel).ConfigureAwait(false))
            {
                if (!response.IsSuccessStatusCode) throw await RefusalAsync(response).ConfigureAwait(false);
                var text = response.Content == null ? "" : await response.Content.ReadAsStringAsync().ConfigureAwait(false);
                return new Answer { Text = text, NextTarget = NextTarget(response) };
            }
        }

        private void NameIgnoredFields(Call call, HttpResponseMessage response)
        {
            IEnumerable<string> ignored;
            if (options.Debug == null || !response.Headers.TryGetValues("X-Ignored-Fields", out ignored)) return;
            options.Debug("Earshot ignores unknown fields of the body of " + call.Target + ": " + string.Join(", ", ignored));
        }

        private async Task<HttpResponseMessage> ExchangeAsync(Call call, string token, HttpCompletionOption until, CancellationToken cancel)
        {
            using (var limit = CancellationTokenSource.CreateLinkedTokenSource(cancel))
            using (var message = call.Message(baseUrl))
            {
                limit.CancelAfter(options.Timeout);
                credential.Show(message, token);
                try
                {
                    var response = WithoutRedirect(await client.SendAsync(message, until, limit.Token).ConfigureAwait(false));
                    NameIgnoredFields(call, response);
                    return response;
                }
                catch (Exception error)
                {
                    cancel.ThrowIfCancellationRequested();
                    if (error is ObjectDisposedException) throw;
                    if (error is OperationCanceledException) throw new UnreachableException(baseUrl, "nothing within " + options.Timeout.TotalSeconds + " s.", error);
                    if (error is HttpRequestException || error is IOException || error is System.Net.WebException)
                        throw new UnreachableException(baseUrl, error.GetBaseException().Message, error);
                    throw;
                }
            }
        }

        /// <summary>A redirect would make a read of a change, and show the credential to another server.</summary>
        private HttpResponseMessage WithoutRedirect(HttpResponseMessage response)
        {
            if ((int)response.StatusCode < 300 || (int)response.StatusCode > 399) return response;
            var target = response.Headers.Location;
            response.Dispose();
            throw new UnreadableAnswerException("The server at " + baseUrl + " redirects to " + target + ", which is not followed, so nothing was done. Set BaseUrl to the address of the daemon.", null);
        }

        private static async Task<ApiException> RefusalAsync(HttpResponseMessage response)
        {
            string text;
            try
            {
                text = response.Content == null ? "" : await response.Content.ReadAsStringAsync().ConfigureAwait(false);
            }
            catch (Exception error)
            {
                if (!(error is HttpRequestException || error is IOException)) throw;
                text = ""; // cut in the middle: the status says enough
            }
            var asked = response.Headers.RetryAfter;
            // A date is one of the clock that made the answer, which may be wrong, as may be the one here.
            var retryAfter = asked == null ? null : asked.Delta ?? asked.Date - (response.Headers.Date ?? DateTimeOffset.UtcNow);
            return ApiException.Of(Refusal.Read((int)response.StatusCode, text, retryAfter > TimeSpan.Zero ? retryAfter : null));
        }

        private static T Read<T>(string text, Func<object, T> read)
        {
            try
            {
                return read(JsonReader.Read(text));
            }
            catch (FormatException error)
            {
                throw new UnreadableAnswerException("The answer is not from Earshot: it is no JSON. Check BaseUrl.", error);
            }
        }

        /// <summary>Reads `Link: &lt;path?offset=…&gt;; rel="next"` (RFC 8288); null: there is no next part.</summary>
        private string NextTarget(HttpResponseMessage response)
        {
            IEnumerable<string> links;
            if (!response.Headers.TryGetValues("Link", out links)) return null;
            var next = links.FirstOrDefault(link => link.Contains("rel=\"next\""));
            if (next == null || !next.StartsWith("<", StringComparison.Ordinal) || next.IndexOf('>') < 0) return null;
            var target = next.Substring(1, next.IndexOf('>') - 1);
            var path = target.StartsWith("/", StringComparison.Ordinal) ? target : new Uri(target).PathAndQuery;
            // Below a path of a host, the daemon's addresses begin with that path, as BaseUrl does.
            var basePath = new Uri(baseUrl).AbsolutePath.TrimEnd('/');
            return basePath != "" && path.StartsWith(basePath + "/", StringComparison.Ordinal) ? path.Substring(basePath.Length) : path;
        }

        private static HttpMessageHandler DefaultHandler()
        {
            var handler = new HttpClientHandler { UseCookies = false, AllowAutoRedirect = false };
            try
            {
                handler.MaxConnectionsPerServer = MaxConnections; // Mono allows two, and each stream holds one
            }
            catch (NotImplementedException)
            {
            }
            catch (PlatformNotSupportedException)
            {
            }
            return handler;
        }

        private struct Answer
        {
            public string Text;
            public string NextTarget;
        }
    }
}
