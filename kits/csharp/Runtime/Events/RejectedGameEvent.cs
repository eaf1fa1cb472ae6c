using System.Collections.Generic;

namespace Earshot
{
    /// <summary>A game event that the daemon will never take: an unknown name, a property that is missing or wrong.</summary>
    public sealed class RejectedGameEvent
    {
        /// <summary>The event, as JSON.</summary>
        public string Json { get; internal set; }

        /// <summary>One of ErrorCode.</summary>
        public string Code { get; internal set; }

        public string Message { get; internal set; }

        /// <summary>Findings by property.</summary>
        public IReadOnlyList<ErrorDetail> Details { get; internal set; }
    }
}
