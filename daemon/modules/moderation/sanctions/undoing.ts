/** Revokes many sanctions, or puts many back, a bounded number in each transaction: other writers wait for it. */
import type { MadeQuery } from '../../../../src/contract/common.js';
import type { Sanction } from '../../../../src/contract/moderation/sanction-record.js';
import { addTo } from '../../../platform/collections/add-to.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { changesBetween } from '../../../platform/events/log.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { SanctionOutcomes } from '../cases.js';
import type { ActedBy } from '../reviews/rule-reviews.js';
import type { ErasedBanOrigin, ErasedBans } from './erased-ban-store.js';
import type { SanctionJournal } from './journal.js';
import type { RoomEnforcer } from './room-enforcer.js';
import { statusOf } from './rules.js';
import { changedBy, type SanctionRow } from './sanction-rows.js';
import { RowsChanged, type SanctionStore } from './store.js';

/** Sanctions in each part; after an interruption the same call revokes the rest. */
const undonePerPart = 1_000;
/** How often rows are read again that were changed in the meantime. */
const undoAttemptsMax = 5;

/** Reads up to `take` of the sanctions that are to be revoked at `now`. */
type ReadActive = (now: Date, take: number) => Promise<SanctionRow[]>;

export class SanctionUndoing {
  constructor(
    private readonly database: Database,
    private readonly sanctions: SanctionStore,
    private readonly erasedBans: Pick<ErasedBans, 'liftOf' | 'countOf'>,
    private readonly journal: SanctionJournal,
    private readonly enforcer: RoomEnforcer,
    private readonly outcomes: SanctionOutcomes,
    private readonly now: Clock,
  ) {}

  /**
   * Revokes all that `read` finds, lifts what erasures have left of bans of the same origin, and returns how many of both
   * were active.
   */
  async revokeAll(projectId: string, origin: ErasedBanOrigin, read: ReadActive, by: ActedBy): Promise<number> {
    let active = 0;
    for (let part = undonePerPart; part === undonePerPart; ) {
      const revoked = await this.revokePart(read, by);
      part = revoked.all;
      active += revoked.active;
    }
    return active + (await this.liftErased(projectId, origin));
  }

  /** How many bans of erased people have this origin and have not ended. */
  countErased = (projectId: string, origin: ErasedBanOrigin): Promise<number> =>
    this.erasedBans.countOf(projectId, origin, this.now());

  /** Undoes what somebody did in a time: what they imposed is revoked, what they revoked is in force again. */
  async undoActs(projectId: string, author: string, made: MadeQuery, by: ActedBy) {
    const revoked = await this.revokeAll(
      projectId,
      { createdByUserId: author, ...made },
      (now, take) => this.sanctions.activeOfAuthor(projectId, author, made, now, take),
      by,
    );
    let restored = 0;
    for (let part = undonePerPart; part === undonePerPart; restored += part)
      part = await this.restorePart(projectId, author, made, by.actorId);
    return { revoked, restored };
  }

  /** Says what `undoActs` would do. */
  async foreseeActs(projectId: string, author: string, made: MadeQuery) {
    const now = this.now();
    const [revoked, erased, restored] = await Promise.all([
      this.sanctions.countActiveOfAuthor(projectId, author, made, now),
      this.countErased(projectId, { createdByUserId: author, ...made }),
      this.sanctions.countRevokedBy(projectId, author, made, now),
    ]);
    return { revoked: revoked + erased, restored };
  }

  /** Puts sanctions back whose own time is not over, within the caller's transaction; the caller applies them in the rooms. */
  async restoreIn(tx: Transaction, rows: readonly SanctionRow[], actorId: string): Promise<Sanction[]> {
    const now = this.now();
    const lasting = rows.filter((row) => statusOf({ ...row, revokedAt: null }, now) === 'active');
    const before = new Map((await this.journal.complete(lasting)).map((one) => [one.id, one]));
    const inForce = { revokedAt: null, revokedByUserId: null, revokeReason: null, updatedAt: now };
    const idsByChange = new Map<string, string[]>(); // most of them were never changed
    for (const row of lasting) addTo(idsByChange, JSON.stringify(changedBy(row, actorId)), row.id);
    const restored: SanctionRow[] = [];
    for (const [change, ids] of idsByChange)
      restored.push(...(await this.sanctions.updateAll(tx, ids, { ...inForce, ...JSON.parse(change) })));
    const previous = (after: Sanction) => changesBetween(before.get(after.id) ?? after, after);
    return this.journal.changed(tx, 'sanction.updated', restored, previous);
  }

  private async restorePart(projectId: string, author: string, made: MadeQuery, actorId: string): Promise<number> {
    const restored = await this.database.transaction(async (tx) => {
      const rows = await this.sanctions.lockRevokedBy(tx, projectId, author, made, this.now(), undonePerPart);
      return this.outcomes.during(tx, rows, () => this.restoreIn(tx, rows, actorId));
    });
    await this.enforcer.applied(restored);
    return restored.length;
  }

  private liftErased(projectId: string, origin: ErasedBanOrigin): Promise<number> {
    return this.database.transaction(async (tx) => {
      const lifted = await this.erasedBans.liftOf(tx, projectId, origin, this.now());
      await this.journal.lifted(tx, lifted);
      return lifted.length;
    });
  }

  /** All of the part or nothing. */
  private async revokePart(read: ReadActive, { actorId, reason }: ActedBy) {
    const revokedAt = this.now();
    const revocation = { revokedAt, revokedByUserId: actorId, revokeReason: reason };
    for (let attempt = 1; ; attempt += 1) {
      const rows = await read(revokedAt, undonePerPart);
      const active = rows.filter((row) => statusOf(row, revokedAt) === 'active').length;
      if (rows.length === 0) return { all: 0, active };
      const events = await this.journal.revoked(rows, { ...revocation, updatedAt: revokedAt });
      try {
        await this.database.transaction((tx) =>
          this.outcomes.during(tx, rows, async () => {
            await this.sanctions.revoke(tx, rows, revocation);
            await this.journal.store(tx, events);
          }),
        );
        await this.enforcer.applied(rows);
        return { all: rows.length, active };
      } catch (error) {
        if (!(error instanceof RowsChanged) || attempt >= undoAttemptsMax) throw error;
      }
    }
  }
}
