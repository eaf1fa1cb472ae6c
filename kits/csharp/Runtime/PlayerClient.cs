using System;
using System.Threading;
using System.Threading.Tasks;

namespace Earshot
{
    /// <summary>
    /// Earshot as one player sees it: challenges, battle passes, leaderboards. Runs in the game, with a player token that your server
    /// makes (ServerClient.CreatePlayerTokenAsync). Safe to use from several threads.
    /// </summary>
    public sealed partial class PlayerClient : IDisposable
    {
        /// <param name="options">Where the daemon is.</param>
        /// <param name="getToken">Gets a player token from your server; called at first, and whenever the last one is over.</param>
        /// <param name="token">A token that you have already; null: the callback gets the first one.</param>
        /// <exception cref="ArgumentException">The address, the project or both token and callback are missing.</exception>
        public PlayerClient(EarshotOptions options, Func<CancellationToken, Task<string>> getToken, string token = null)
        {
            Options = options;
            Connection = new Connection(options, new TokenCredential(token, getToken, options.MainThread));
        }

        public string ProjectId
        {
            get { return Options.ProjectId; }
        }

        /// <summary>Language of names and descriptions.</summary>
        public string Language
        {
            get { return Options.Language; }
        }

        internal EarshotOptions Options { get; private set; }

        internal Connection Connection { get; private set; }

        public void Dispose()
        {
            Connection.Dispose();
        }

        /// <summary>
        /// Acts on a challenge. A repeat after a lost answer is refused if the first request was carried out, so the challenge is read then:
        /// in one of these states, the action has succeeded.
        /// </summary>
        private async Task<ActionResponse> ActAsync(Call call, string challengeId, CancellationToken cancel, params string[] states)
        {
            call.IsRefusedTwice = true;
            try
            {
                return await Connection.SendAsync(call, ActionResponse.FromJson, cancel).ConfigureAwait(false);
            }
            catch (ConflictException)
            {
                if (!call.MayBeDone) throw;
                var challenge = await GetPersonalChallengeByIdAsync(challengeId, cancel).ConfigureAwait(false);
                if (Array.IndexOf(states, challenge.Type) < 0) throw;
                return new ActionResponse { Status = 200, Message = "OK", Challenge = challenge };
            }
        }
    }
}
