/** Holds the progress of people under a sanction that says so, and gives it back when the sanction is revoked or overturned. */
import type { Database, Transaction } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import { nothingByTime } from '../../platform/scheduler/due-work.js';
import type { JobRunner } from '../../platform/scheduler/jobs.js';
import type { Repeat } from '../../platform/scheduler/repeat.js';
import type { Clock } from '../../platform/time/clock.js';
import type { EventCounter } from '../game-events/event-counter.js';
import type { StoredEvent } from '../game-events/event-store.js';
import type { RevisionStore } from '../game-events/revision-store.js';
import type { RankedRestrictions } from '../moderation/sanctions/ranked-restriction-store.js';
import type { HeldEvent, HeldEventStore } from './held-event-store.js';

export type ProgressHolds = Pick<RankedRestrictions, 'progressHolds' | 'takenBack'>;

const jobName = 'release-held-progress';
const everyMs = 2_000;
const eventsPerPart = 100;

/**
 * Returns the events of users whose progress is not held. Of the others, notes those that concern a challenge that their
 * user has in progress: whatever comes together with an event, the same is held.
 */
export async function withoutHeld(
  tx: Transaction,
  events: readonly StoredEvent[],
  isConcerned: (event: StoredEvent) => boolean,
  { holds, store }: { readonly holds: Pick<ProgressHolds, 'progressHolds'>; readonly store: HeldEventStore },
): Promise<readonly StoredEvent[]> {
  const users = await holds.progressHolds(tx, [...new Set(events.map(({ projectId }) => projectId))]);
  if (users.size === 0) return events;
  const held: HeldEvent[] = [];
  const counting = events.filter((one) => {
    const sanctionId = users.get(one.projectId)?.get(one.event.userId);
    if (sanctionId !== undefined && isConcerned(one)) held.push({ eventId: one.id, sanctionId });
    return sanctionId === undefined;
  });
  if (held.length > 0) await store.insert(tx, held);
  return counting;
}

interface ReleaseNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly holds: Pick<ProgressHolds, 'takenBack'>;
  readonly store: HeldEventStore;
  readonly revisions: RevisionStore;
  readonly counter: EventCounter;
  readonly now: Clock;
}

/**
 * Counts what a sanction held that was taken back, as if it came now: where another sanction holds the person's progress,
 * that one holds it further. What an expired sanction held stays noted, since an appeal may still overturn it.
 */
export const releaseHeldProgress = (needs: ReleaseNeeds, jobs: JobRunner): Repeat =>
  jobs.repeat(
    jobName,
    everyMs,
    async () => {
      for (const sanctionId of await needs.holds.takenBack(await needs.store.sanctionIds()))
        while (await releasePart(needs, sanctionId));
    },
    nothingByTime,
  );

/** Returns true if the sanction may hold more; false also while another daemon does the same. */
function releasePart(needs: ReleaseNeeds, sanctionId: string): Promise<boolean> {
  const { database, log, store, revisions, counter, now } = needs;
  return database.transaction(async (tx) => {
    if (!(await database.isAlone(tx, jobName))) return false;
    const { events, more } = await store.remove(tx, sanctionId, eventsPerPart);
    const projectIds = [...new Set(events.map(({ projectId }) => projectId))];
    const { count } = await counter.prepare(tx, await revisions.find(tx, projectIds));
    const announced = await count(events, now());
    if (announced.length > 0) await log.append(tx, ...announced);
    return more;
  });
}
