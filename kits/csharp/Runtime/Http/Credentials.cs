using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Threading;
using System.Threading.Tasks;

namespace Earshot
{
    /// <summary>What a client shows to prove who it is.</summary>
    internal interface ICredential
    {
        Task<string> GetAsync(CancellationToken cancel);

        void Show(HttpRequestMessage message, string value);

        /// <summary>Gets another one instead of the one that was refused; false: there is none.</summary>
        Task<bool> RenewAsync(string refused, CancellationToken cancel);
    }

    internal static class CredentialText
    {
        /// <summary>Returns the credential without the line end that files and consoles leave at it.</summary>
        /// <exception cref="ArgumentException">No header can carry it.</exception>
        public static string Checked(string text)
        {
            var trimmed = text.Trim();
            foreach (var one in trimmed)
                if (one <= ' ' || one > '~') throw new ArgumentException("The key or token has a space or another character within it that none has.");
            return trimmed;
        }
    }

    internal sealed class ApiKeyCredential : ICredential
    {
        private readonly string key;

        public ApiKeyCredential(string key)
        {
            if (string.IsNullOrEmpty(key)) throw new ArgumentException("The API key is missing. `earshot api-keys create` makes one.");
            this.key = CredentialText.Checked(key);
        }

        public Task<string> GetAsync(CancellationToken cancel)
        {
            return Task.FromResult(key);
        }

        public void Show(HttpRequestMessage message, string value)
        {
            message.Headers.Add("X-API-Key", value);
        }

        public Task<bool> RenewAsync(string refused, CancellationToken cancel)
        {
            return Task.FromResult(false);
        }
    }

    /// <summary>A token that is got again when it is over. However many calls find that out, the callback runs once at a time.</summary>
    internal sealed class TokenCredential : ICredential
    {
        private readonly Func<CancellationToken, Task<string>> getToken;
        private readonly MainThread mainThread;
        private readonly SemaphoreSlim turn = new SemaphoreSlim(1);
        private volatile string current;

        /// <param name="mainThread">Runs the callback; null: the thread that finds out does.</param>
        public TokenCredential(string token, Func<CancellationToken, Task<string>> getToken, MainThread mainThread)
        {
            if (token == null && getToken == null) throw new ArgumentException("Give a token, or a callback that gets one from your server.");
            current = token == null ? null : CredentialText.Checked(token);
            this.getToken = getToken;
            this.mainThread = mainThread;
        }

        public async Task<string> GetAsync(CancellationToken cancel)
        {
            if (current == null) await RenewAsync(null, cancel).ConfigureAwait(false);
            return current;
        }

        public void Show(HttpRequestMessage message, string value)
        {
            message.Headers.Authorization = new AuthenticationHeaderValue("Bearer", value);
        }

        public async Task<bool> RenewAsync(string refused, CancellationToken cancel)
        {
            if (getToken == null) return false;
            await turn.WaitAsync(cancel).ConfigureAwait(false);
            try
            {
                if (current == refused) current = await AskAsync(cancel).ConfigureAwait(false);
                return true;
            }
            finally
            {
                turn.Release();
            }
        }

        private async Task<string> AskAsync(CancellationToken cancel)
        {
            try
            {
                var asked = mainThread == null ? getToken(cancel) : mainThread.InvokeAsync(() => getToken(cancel), cancel);
                var token = await asked.ConfigureAwait(false);
                if (string.IsNullOrWhiteSpace(token)) throw new InvalidOperationException("the callback returned none.");
                return CredentialText.Checked(token);
            }
            catch (Exception error)
            {
                if (cancel.IsCancellationRequested) throw new OperationCanceledException(cancel);
                throw new TokenRefreshException(error);
            }
        }
    }
}
