/** The limits of judging. */

/** What another daemon changed, and what could not be judged at first, is found within this time. */
export const pollMs = 1_000;
/** How often places of projects where nothing is judged are moved on. */
export const sweepMs = 60_000;
