using System;
using System.Net.Http;
using System.Threading;

namespace Earshot
{
    /// <summary>Where the daemon is, and how patiently it is asked.</summary>
    public sealed class EarshotOptions
    {
        /// <summary>Address of the daemon, for example https://earshot.example.com</summary>
        public string BaseUrl { get; set; }

        /// <summary>Id of the project: `earshot projects list`.</summary>
        public string ProjectId { get; set; }

        /// <summary>Language of names and descriptions: en, de, …</summary>
        public string Language { get; set; } = "en";

        /// <summary>Longest wait for one answer.</summary>
        public TimeSpan Timeout { get; set; } = TimeSpan.FromSeconds(15);

        /// <summary>How often a call is sent before it fails, the first time included. 1: no repeats.</summary>
        public int Attempts { get; set; } = 4;

        /// <summary>A call fails at once where the daemon asks to wait longer than this.</summary>
        public TimeSpan LongestWait { get; set; } = TimeSpan.FromSeconds(30);

        /// <summary>Runs callbacks and handlers of events; null: threads of the pool do.</summary>
        public MainThread MainThread { get; set; }

        /// <summary>Sends the requests; null: an HttpClientHandler. For certificates of your own, or a platform without sockets.</summary>
        public HttpMessageHandler Handler { get; set; }

        /// <summary>Called with what a developer should know, such as fields of a body that the daemon ignored; null: nobody is told. In Unity: Debug.Log.</summary>
        public Action<string> Debug { get; set; }

        /// <summary>Calls the handlers where callbacks run. What one throws ends neither the others, nor the caller, nor the process.</summary>
        internal void Tell<T>(Action<T> handlers, T value)
        {
            if (handlers == null) return;
            foreach (Action<T> handler in handlers.GetInvocationList()) TellOne(handler, value);
        }

        private void TellOne<T>(Action<T> handler, T value)
        {
            if (MainThread != null) MainThread.Post(() => handler(value));
            else
                ThreadPool.QueueUserWorkItem(_ =>
                {
                    try
                    {
                        handler(value);
                    }
                    catch (Exception error)
                    {
                        if (Debug != null) Debug("A handler of Earshot has thrown: " + error);
                    }
                });
        }

        /// <exception cref="ArgumentException">The address is no http or https address, or the project is missing.</exception>
        internal Uri CheckedBaseUrl()
        {
            Uri url;
            var isHttp = Uri.TryCreate((BaseUrl ?? "").TrimEnd('/'), UriKind.Absolute, out url) && (url.Scheme == "http" || url.Scheme == "https");
            if (!isHttp) throw new ArgumentException("BaseUrl is the address of the daemon, such as https://earshot.example.com. It is: " + BaseUrl);
            if (string.IsNullOrEmpty(ProjectId)) throw new ArgumentException("ProjectId is missing. `earshot projects list` shows it.");
            return url;
        }
    }
}
