/**
 * Work under a time limit. The timer and the listener end with the work. AbortSignal.any would do neither: it holds its
 * sources weakly, so a timeout that nobody else holds never fires, and a combined signal with a listener stays in memory.
 */

/** No complete answer came within the time limit. */
export class TimedOut extends Error {
  override name = 'TimedOut';
  constructor(limitMs: number) {
    super(`timed out: no answer within ${limitMs / 1_000} s`);
  }
}

/**
 * Runs the work with a signal that fires after the time limit, or with `interrupted`; the work must end then. Throws
 * TimedOut in place of what the work throws after the limit.
 */
export async function withTimeLimit<Result>(
  limitMs: number,
  interrupted: AbortSignal | null,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  const interrupt = (): void => ending.abort(interrupted?.reason);
  const timer = setTimeout(() => ending.abort(new TimedOut(limitMs)), limitMs);
  if (interrupted?.aborted === true) interrupt();
  interrupted?.addEventListener('abort', interrupt, { once: true });
  try {
    return await work(ending.signal);
  } catch (error) {
    throw ending.signal.reason instanceof TimedOut ? ending.signal.reason : error;
  } finally {
    clearTimeout(timer);
    interrupted?.removeEventListener('abort', interrupt);
  }
}
