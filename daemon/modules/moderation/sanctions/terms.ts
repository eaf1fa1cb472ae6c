/**
 * Starts and ends sanctions by the clock. Each turn reads from the table what is due, so neither restarts nor clock
 * jumps lose one, and several daemons share the work: the one that marks a row first announces it.
 */

import type { Sanction } from '../../../../src/contract/moderation/sanction-record.js';
import type { Database } from '../../../platform/database/database.js';
import type { NextDue } from '../../../platform/scheduler/due-work.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { SanctionJournal } from './journal.js';
import type { RoomEnforcer } from './room-enforcer.js';
import type { SanctionRow } from './sanction-rows.js';
import type { ChangeByClock, SanctionStore } from './store.js';

interface SanctionTermsNeeds {
  readonly database: Database;
  readonly sanctions: SanctionStore;
  readonly journal: SanctionJournal;
  readonly enforcer: RoomEnforcer;
  readonly now: Clock;
}

export class SanctionTerms {
  constructor(private readonly needs: SanctionTermsNeeds) {}

  readonly nextDue: NextDue = () => this.needs.sanctions.nextDue();

  /** Puts up to `batchSize` sanctions with a later start into force; returns how many. */
  beginDue(batchSize: number): Promise<number> {
    return this.make('begin', batchSize, () => ({ isActive: false }));
  }

  /** Ends up to `batchSize` sanctions; returns how many. */
  expireDue(batchSize: number): Promise<number> {
    // One that began and ended while no daemon ran was never announced as being in force.
    return this.make('expire', batchSize, ({ begunAt }) => ({
      ...(begunAt === null ? {} : { isActive: true }),
      status: 'active',
    }));
  }

  /** Reads before it writes: most of the time nothing is due. */
  private async make(
    change: ChangeByClock,
    batchSize: number,
    previous: (row: SanctionRow) => Partial<Sanction>,
  ): Promise<number> {
    const ids = await this.needs.sanctions.due(change, this.needs.now(), batchSize);
    if (ids.length === 0) return 0;
    const made = await this.needs.database.transaction(async (tx) => {
      const rows = await this.needs.sanctions.mark(tx, change, ids, this.needs.now());
      const projects = new Set(rows.map(({ projectId }) => projectId));
      for (const projectId of projects) {
        const own = rows.filter((row) => row.projectId === projectId);
        const before = new Map(own.map((row) => [row.id, previous(row)]));
        await this.needs.journal.changed(tx, 'sanction.updated', own, ({ id }) => before.get(id));
      }
      return rows;
    });
    await this.needs.enforcer.applied(made);
    return made.length;
  }
}
