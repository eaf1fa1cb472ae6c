/** Looks again and again, also when the daemon is away for a moment. */
import { sleep, waitMs } from '../../../client/back-off.js';
import { ApiError, DaemonUnreachable } from '../../../client/errors.js';

/** Called with a sentence when the daemon does not answer; null: it answers again. */
export type Trouble = (line: string | null) => void;

/** True if asking again later can help. */
export const passes = (error: unknown): error is ApiError | DaemonUnreachable =>
  error instanceof DaemonUnreachable || (error instanceof ApiError && error.isPassing);

/** Calls `refresh` again and again until the signal comes. Throws what it throws, unless that passes. */
export async function poll(
  everyMs: number,
  until: AbortSignal,
  refresh: () => Promise<void>,
  trouble: Trouble,
): Promise<void> {
  let away = false;
  while (!until.aborted) {
    try {
      await refresh();
      if (away) trouble(null);
      away = false;
    } catch (error) {
      if (!passes(error)) throw error;
      away = true;
      trouble(sentence(error));
    }
    await sleep(everyMs, until);
  }
}

/** Returns the result of `read`, tried again after errors that may pass; null: the signal came first. Throws other errors. */
export async function looked<T>(read: () => Promise<T>, until: AbortSignal, trouble: Trouble): Promise<T | null> {
  for (let attempt = 0; !until.aborted; attempt += 1) {
    try {
      const found = await read();
      if (attempt > 0) trouble(null);
      return found;
    } catch (error) {
      if (!passes(error)) throw error;
      trouble(sentence(error));
      await sleep(waitMs(attempt), until);
    }
  }
  return null;
}

const sentence = (error: ApiError | DaemonUnreachable): string =>
  `${error instanceof ApiError ? error.message : 'The daemon does not answer.'} Trying again.`;
