using System;

namespace Earshot
{
    /// <summary>Waiting times before a repeat: longer each time, and varied by a quarter, so that games do not return all at once.</summary>
    internal static class BackOff
    {
        private static readonly int[] StepsMs = { 500, 1000, 2000, 5000, 10000, 30000 };
        private static readonly TimeSpan Longest = TimeSpan.FromMinutes(1);
        private static readonly Random Chance = new Random();

        /// <param name="attempt">0 for the first repeat</param>
        /// <param name="asked">What the daemon asks for: never less than this, as far as that is a minute at most.</param>
        public static TimeSpan Wait(int attempt, TimeSpan? asked)
        {
            double chance;
            if (asked > Longest) asked = Longest; // a proxy may ask for a year
            lock (Chance) chance = Chance.NextDouble();
            var step = StepsMs[Math.Min(attempt, StepsMs.Length - 1)] * (0.75 + chance / 2);
            // Those who were told the same time come back spread over a quarter of a second more.
            return TimeSpan.FromMilliseconds(asked == null ? step : Math.Max(step, asked.Value.TotalMilliseconds + chance * 250));
        }
    }
}
