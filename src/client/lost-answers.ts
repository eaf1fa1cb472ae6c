/**
 * Repeats requests whose answers were lost, where that is harmless: reads a few times, changes once under their
 * Idempotency-Key. Of every other change it says that it may have been done.
 */
import { askedWaitMs, sleep, waitMs } from './back-off.js';
import { ApiError, DaemonUnreachable, MayBeDone } from './errors.js';
import { isTimeout, wasNeverSent } from './unreachable.js';

/** `key`: the Idempotency-Key of a change, by which the daemon carries it out once, however often it arrives. */
export type Repeatability = 'read' | 'never' | { readonly key: string };

/** Waits before each repeat. While the daemon still works on a change, its answer is asked for as often as a read. */
const stepsMs = [250, 500, 1_000, 2_000] as const;
const keyedRepeats = 1;
/** A call waits no longer than this where a proxy asks for it: whoever called hears of it instead. */
const askedMaxSeconds = 10;
/** Answers of proxies that got none themselves, or no whole one. */
const gatewayStatuses = new Set([502, 503, 504]);

/**
 * Makes the attempts; each throws DaemonUnreachable or ApiError where it fails. Throws the last error, or MayBeDone where a
 * change may have been carried out.
 */
export async function withRepeats<T>(
  baseUrl: string,
  repeatability: Repeatability,
  attempt: () => Promise<T>,
): Promise<T> {
  const isRead = repeatability === 'read';
  const key = typeof repeatability === 'object' ? repeatability.key : null;
  const allowed = isRead ? stepsMs.length : key === null ? 0 : keyedRepeats;
  let lost: unknown = null;
  let repeats = 0;
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isRunning = lost !== null && error instanceof ApiError && error.code === 'idempotency_in_progress';
      if (isLost(error)) lost = error;
      else if (lost === null || isFinal(error)) throw error;
      if (!isRunning) repeats += 1;
      const asked = error instanceof ApiError ? error.retryAfterSeconds : null;
      const isOver = repeats > allowed || failures >= stepsMs.length || (asked ?? 0) > askedMaxSeconds;
      if (isOver || (isRead && isTimeout(error))) throw isRead ? error : new MayBeDone(baseUrl, lost, key);
      await sleep(askedWaitMs(waitMs(failures, stepsMs), asked));
    }
  }
}

/** True if the request may have been carried out, and nobody said so. */
const isLost = (error: unknown): boolean =>
  error instanceof DaemonUnreachable
    ? !wasNeverSent(error.cause)
    : error instanceof ApiError && gatewayStatuses.has(error.status) && error.code === 'unknown';

/** True for a refusal of the daemon itself, which it does not give to a change that it has carried out. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && !error.isPassing && error.status !== 401 && error.code !== 'idempotency_in_progress';
