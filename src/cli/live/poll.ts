/** Looks again and again, also when the daemon is away for a moment. */
import { sleep } from '../../client/back-off.js';
import { ApiError, DaemonUnreachable } from '../../client/errors.js';

/** Told in words of a daemon that does not answer; null: it answers again. */
export type Trouble = (line: string | null) => void;

/** Whether looking again later can help. */
export const passes = (error: unknown): error is ApiError | DaemonUnreachable =>
  error instanceof DaemonUnreachable || (error instanceof ApiError && error.isPassing);

/** Until the signal comes. Throws what `look` throws, unless it passes. */
export async function poll(
  everyMs: number,
  until: AbortSignal,
  look: () => Promise<void>,
  trouble: Trouble,
): Promise<void> {
  let away = false;
  while (!until.aborted) {
    try {
      await look();
      if (away) trouble(null);
      away = false;
    } catch (error) {
      if (!passes(error)) throw error;
      away = true;
      trouble(`${error instanceof ApiError ? error.message : 'The daemon does not answer.'} Trying again.`);
    }
    await sleep(everyMs, until);
  }
}
