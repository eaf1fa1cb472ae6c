/** Begins the next period of boards soon after one is over, and announces its end, whether or not anybody plays or reads. */
import type { Database } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { NextDue } from '../../platform/scheduler/due-work.js';
import type { JobRunner } from '../../platform/scheduler/jobs.js';
import type { Repeat } from '../../platform/scheduler/repeat.js';
import type { Clock } from '../../platform/time/clock.js';
import type { BoardPeriods } from './board-periods.js';
import type { BoardStore } from './board-store.js';

const everyMs = 1_000;
const batchSize = 100;

interface PeriodEndNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly boards: BoardStore;
  readonly periods: BoardPeriods;
  readonly now: Clock;
}

export class PeriodEnds {
  constructor(private readonly needs: PeriodEndNeeds) {}

  readonly nextDue: NextDue = () => this.needs.boards.nextEnd(this.needs.database.read, this.needs.now());

  /** Handles up to `limit` boards; returns how many there were. */
  async apply(limit: number): Promise<number> {
    const { database, log, boards, periods, now: clock } = this.needs;
    const now = clock();
    const overdue = await boards.overdue(database.read, now, limit);
    for (const { projectId, id } of overdue)
      await database.transaction(async (tx) => {
        const definition = await boards.definition(tx, projectId, id);
        if (definition === null) return;
        const { announced } = await periods.running(tx, definition, now);
        await log.append(tx, ...announced);
      });
    return overdue.length;
  }
}

export const endPeriods = (ends: PeriodEnds, jobs: JobRunner): Repeat =>
  jobs.repeat(
    'end-leaderboard-periods',
    everyMs,
    async () => {
      while ((await ends.apply(batchSize)) === batchSize);
    },
    ends.nextDue,
  );
