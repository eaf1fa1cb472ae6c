using System;

namespace Earshot
{
    /// <summary>Where game events wait, and how they are sent.</summary>
    public sealed class GameEventQueueOptions
    {
        /// <summary>
        /// Folder of this queue alone, one for each player, such as Application.persistentDataPath + "/earshot/" + userId. Events in it are
        /// sent after a restart of the game. null: events wait in memory.
        /// </summary>
        public string Folder { get; set; }

        /// <summary>Longest time that an event waits for others to go with it.</summary>
        public TimeSpan FlushInterval { get; set; } = TimeSpan.FromSeconds(2);

        /// <summary>Events of one request, at most 1,000.</summary>
        public int MaxBatch { get; set; } = 100;

        /// <summary>Events that may wait; further ones are dropped and counted.</summary>
        public int MaxWaiting { get; set; } = 10000;
    }
}
