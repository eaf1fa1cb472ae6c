/**
 * Connections that arrive. libuv accepts one of them in each turn of the event loop, so work in a row that answers within
 * its turn (SQLite does) lets them in first: a health check may be behind a burst of others.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** For so long at most, work waits while every turn brings a connection. */
const waitMaxMs = 10;

/** The process has one event loop, so these are the process's too. */
let arrivals = 0;
let arrivedAtMs = Number.NEGATIVE_INFINITY;

export function connectionArrived(): void {
  arrivals += 1;
  arrivedAtMs = performance.now();
}

/** Connections that have arrived since the start. */
export const arrivalCount = (): number => arrivals;

/** Resolves at once unless one has arrived lately. */
export async function letConnectionsIn(): Promise<void> {
  const beganMs = performance.now();
  if (beganMs - arrivedAtMs > waitMaxMs) return;
  let before: number;
  do {
    before = arrivals;
    await nextTurn();
  } while (arrivals !== before && performance.now() - beganMs < waitMaxMs);
}
