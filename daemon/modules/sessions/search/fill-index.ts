/** Makes messages searchable that were stored before there was an index, in the background, the newest first. */
import { setImmediate as pause } from 'node:timers/promises';
import type { Database } from '../../../platform/database/database.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { JobRunner } from '../../../platform/scheduler/jobs.js';
import type { Repeat } from '../../../platform/scheduler/repeat.js';
import type { SearchStore } from './search-store.js';

const everyMs = 60_000;
const messagesAtOnce = 100;
const jobName = 'message-index';

export const fillIndex = (database: Database, index: SearchStore, jobs: JobRunner, log: Logger): Repeat =>
  jobs.repeat('fill-message-index', everyMs, async () => {
    let filled = 0;
    for (let some = messagesAtOnce; some === messagesAtOnce; filled += some) {
      some = await database.transaction(async (tx) =>
        (await database.isAlone(tx, jobName)) ? index.fill(tx, messagesAtOnce) : 0,
      );
      await pause(); // other work runs between two batches
    }
    if (filled > 0) log.info({ messages: filled }, 'earlier transcripts are now searchable');
  });
