using System;

namespace Earshot
{
    /// <summary>
    /// Earshot as a server of the game sees it: tokens for players and rooms, gatherings, who is sanctioned, events of any player. Takes
    /// an API key, so it never runs in the game itself. Safe to use from several threads.
    /// </summary>
    public sealed partial class ServerClient : IDisposable
    {
        /// <exception cref="ArgumentException">The address, the project or the key is missing.</exception>
        public ServerClient(EarshotOptions options, string apiKey)
        {
            Options = options;
            Connection = new Connection(options, new ApiKeyCredential(apiKey));
        }

        public string ProjectId
        {
            get { return Options.ProjectId; }
        }

        internal EarshotOptions Options { get; private set; }

        internal Connection Connection { get; private set; }

        public void Dispose()
        {
            Connection.Dispose();
        }
    }
}
