/** When a delivery is tried again: eight attempts, each step varied by a fifth. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** Delay before attempt 2, 3, … */
const stepsMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

const jitter = 0.2;
/** Retry-After is honoured up to this multiple of the step. */
const retryAfterFactor = 2;

/** No attempt waits longer. */
export const longestWaitMs = Math.max(...stepsMs) * Math.max(1 + jitter, retryAfterFactor);

/**
 * Milliseconds until the next attempt after `attempts` have failed, or null when there is none. `random` is 0 to 1.
 */
export function waitAfter(attempts: number, retryAfterMs: number | null, random: number): number | null {
  const step = stepsMs[attempts - 1];
  if (step === undefined) return null;
  const varied = step * (1 - jitter + 2 * jitter * random);
  return retryAfterMs === null ? varied : Math.max(varied, Math.min(retryAfterMs, step * retryAfterFactor));
}

/** Retry-After in seconds or as a date; null when absent or unusable. */
export function retryAfterMs(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * second : Date.parse(header) - now.getTime();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}
