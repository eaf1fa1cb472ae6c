/**
 * What the clock does to sanctions. Each turn reads from the table what is due, so neither restarts nor jumps of the
 * clock lose one, and several daemons share the work: whoever marks a row first announces it.
 */
import type { Sanction } from '../../../src/contract/sanctions.js';
import type { Clock } from '../../clock.js';
import type { Database, Transaction } from '../../database/database.js';
import type { Enforcement } from './enforcement.js';
import type { ErasedBans } from './erased-bans.js';
import type { SanctionJournal } from './journal.js';
import type { SanctionRow, SanctionStore } from './store.js';

type Move = (tx: Transaction, now: Date, take: number) => Promise<SanctionRow[]>;

export class SanctionTerms {
  constructor(
    private readonly database: Database,
    private readonly sanctions: SanctionStore,
    private readonly erasedBans: ErasedBans,
    private readonly journal: SanctionJournal,
    private readonly enforcement: Enforcement,
    private readonly now: Clock,
  ) {}

  /** Puts into force up to `batchSize` that were issued ahead of their time; returns how many. */
  beginDue(batchSize: number): Promise<number> {
    return this.move((tx, now, take) => this.sanctions.begin(tx, now, take), batchSize, { isActive: false });
  }

  /** Lifts up to `batchSize` whose end has come; returns how many. */
  async expireDue(batchSize: number): Promise<number> {
    await this.erasedBans.forgetEnded(this.now());
    return this.move((tx, now, take) => this.sanctions.expire(tx, now, take), batchSize, {
      isActive: true,
      status: 'active',
    });
  }

  private async move(move: Move, batchSize: number, previous: Partial<Sanction>): Promise<number> {
    const moved = await this.database.transaction(async (tx) => {
      const rows = await move(tx, this.now(), batchSize);
      const projects = new Set(rows.map(({ projectId }) => projectId));
      for (const projectId of projects) {
        const own = rows.filter((row) => row.projectId === projectId);
        await this.journal.changed(tx, 'sanction.updated', own, () => previous);
      }
      return rows;
    });
    await this.enforcement.enforceAll(moved);
    return moved.length;
  }
}
