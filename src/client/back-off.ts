/** Waiting times of a client before it reconnects: longer each time, and varied, so that clients do not return all at once. */

const stepsMs = [500, 1_000, 2_000, 5_000, 10_000, 30_000] as const;
/** Varied by a quarter. */
const jitter = 0.25;
/** After a connection that lasted this long, the waiting times start again from the first. */
export const steadyMs = 10_000;

/**
 * @param attempt 0 for the first one after a good connection
 * @param steps milliseconds before each further attempt; the last one repeats
 */
export const waitMs = (attempt: number, steps: readonly number[] = stepsMs): number => {
  const step = steps[Math.min(attempt, steps.length - 1)] ?? 0;
  return step * (1 - jitter + 2 * jitter * Math.random());
};

/** A timer takes 31 bits: with more, it fires at once. */
const timerMaxMs = 2 ** 31 - 1;
/** However long a daemon, or a proxy before it, asks to wait. */
const askedMaxMs = 60_000;

/** Returns the wait before the next attempt: never less than was asked for, as far as that is a minute at most. */
export const askedWaitMs = (usualMs: number, askedSeconds: number | null): number =>
  Math.max(usualMs, Math.min((askedSeconds ?? 0) * 1_000, askedMaxMs));

/** Resolves after the time, or as soon as the signal aborts. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  for (let rest = ms; rest > 0 && signal?.aborted !== true; rest -= timerMaxMs)
    await slept(Math.min(rest, timerMaxMs), signal);
}

const slept = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
  });
