/** Ctrl-c ends what a command does, so that it can clean up; a second one ends the command at once. */

import { sleep } from '../client/back-off.js';

/** Exit code. */
export const interrupted = 130;

/** Ctrl-c was pressed at a prompt. */
export class Interrupted extends Error {}

/** Returns a signal that the first interruption aborts. For commands that have something to clean up; use it once. */
export function interruption(controller = new AbortController()): AbortSignal {
  const before = process.listeners('SIGINT');
  process.once('SIGINT', () => {
    process.once('SIGINT', () => process.exit(interrupted));
    process.exitCode = interrupted;
    controller.abort();
  });
  // Removed after the new one is added: with no listener at all, a signal that arrives now would be lost.
  for (const listener of before) process.off('SIGINT', listener);
  return controller.signal;
}

/** Resolves when the signal comes, or the seconds have passed. A wait without an end does not keep the process alive. */
export const untilEnd = (signal: AbortSignal, seconds: number | null): Promise<void> =>
  seconds === null ? aborted(signal) : sleep(seconds * 1_000, signal);

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
