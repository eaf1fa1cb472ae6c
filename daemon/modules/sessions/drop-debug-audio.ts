/**
 * Deletes recordings of utterances that nobody may hear any more: a day old, of a project that has turned them off, or
 * of a deleted message. A file stays only as long as a message that may be heard refers to it.
 */
import type { JobRunner } from '../../platform/scheduler/jobs.js';
import type { Repeat } from '../../platform/scheduler/repeat.js';
import type { Recordings } from './removal.js';

interface DatedRecordings extends Recordings {
  /** Names of files written before the time. */
  namesBefore(time: Date): Promise<string[]>;
}

interface AudibleRecordings {
  /** Returns the recordings that may be heard now or are on legal hold, out of these. */
  kept(names: readonly string[]): Promise<ReadonlySet<string>>;
}

const everyMs = 60_000;
const batchSize = 500;
/** A file is written before its message. */
const graceMs = 60_000;

export const dropDebugAudio = (
  recordings: DatedRecordings,
  messages: AudibleRecordings,
  now: () => Date,
  jobs: JobRunner,
): Repeat =>
  jobs.repeat('drop-debug-audio', everyMs, async () => {
    const names = await recordings.namesBefore(new Date(now().getTime() - graceMs));
    for (let first = 0; first < names.length; first += batchSize) {
      const batch = names.slice(first, first + batchSize);
      const kept = await messages.kept(batch);
      for (const name of batch) if (!kept.has(name)) await recordings.remove(name);
    }
  });
