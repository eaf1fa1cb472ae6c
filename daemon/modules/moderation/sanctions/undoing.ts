/** Revokes many sanctions, a bounded number in each transaction: other writers wait for it. */
import type { Database } from '../../../platform/database/database.js';
import { mapWithPauses } from '../../../platform/database/slices.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ActedBy } from '../reviews/rule-reviews.js';
import type { SanctionJournal } from './journal.js';
import type { RoomEnforcer } from './room-enforcer.js';
import type { SanctionRow } from './sanction-rows.js';
import { RowsChanged, type SanctionStore } from './store.js';

/** Sanctions in each part; after an interruption the same call revokes the rest. */
const undonePerPart = 1_000;
/** How often rows are read again that were changed in the meantime. */
const undoAttemptsMax = 5;

/** Reads up to `take` of the sanctions that have not ended at `now`. */
type ReadActive = (now: Date, take: number) => Promise<SanctionRow[]>;

export class SanctionUndoing {
  constructor(
    private readonly database: Database,
    private readonly sanctions: SanctionStore,
    private readonly journal: SanctionJournal,
    private readonly enforcer: RoomEnforcer,
    private readonly now: Clock,
  ) {}

  /** Revokes all that `read` finds, and returns how many there were. */
  async revokeAll(read: ReadActive, by: ActedBy): Promise<number> {
    let revoked = 0;
    for (let part = undonePerPart; part === undonePerPart; revoked += part) part = await this.revokePart(read, by);
    return revoked;
  }

  /** All of the part or nothing. */
  private async revokePart(read: ReadActive, { actorId, reason }: ActedBy): Promise<number> {
    const revokedAt = this.now();
    const revocation = { revokedAt, revokedByUserId: actorId, revokeReason: reason };
    for (let attempt = 1; ; attempt += 1) {
      const rows = await read(revokedAt, undonePerPart);
      if (rows.length === 0) return 0;
      const events = await this.journal.revoked(
        await mapWithPauses(rows, (row) => ({ ...row, ...revocation, updatedAt: revokedAt })),
      );
      try {
        await this.database.transaction(async (tx) => {
          await this.sanctions.revoke(tx, rows, revocation);
          await this.journal.store(tx, events);
        });
        await this.enforcer.applied(rows);
        return rows.length;
      } catch (error) {
        if (!(error instanceof RowsChanged) || attempt >= undoAttemptsMax) throw error;
      }
    }
  }
}
