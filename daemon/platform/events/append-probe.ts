/**
 * Readiness of the event log: every change appends to it, so a daemon that cannot is of no use to writers. Anybody may
 * ask, so it is tried once a second at most, one try at a time.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Probe } from '../observability/health.js';
import type { EventLog } from './log.js';

/** How long a success counts. */
const keepMs = 1_000;
/** Less than readiness waits for its parts. */
const patienceMs = 1_500;

const late =
  'no event could be appended in time: another daemon or program holds the event log; `SELECT * FROM pg_locks` shows it where it does not pass within seconds';

export function appendProbe(log: Pick<EventLog, 'tryAppend'>): Probe {
  let succeededAt = Number.NEGATIVE_INFINITY;
  let running: Promise<null> | null = null;
  const tryNow = async (): Promise<null> => {
    try {
      await log.tryAppend();
      succeededAt = performance.now();
      return null;
    } finally {
      running = null;
    }
  };
  return {
    part: 'database',
    check: () => {
      if (performance.now() - succeededAt < keepMs) return null;
      running ??= tryNow();
      running.catch(() => {}); // it may fail when nobody waits for it any more
      return Promise.race([running, wait(patienceMs, late, { ref: false })]);
    },
  };
}
