/**
 * Deletes old events, always from the oldest on, so that the kept log has no gaps. A durable subscriber that is behind
 * delays this for a week; then it is moved forward, and `consumer.gap` announces that.
 */

import type { Database, Transaction } from '../database/database.js';
import type { Clock } from '../time/clock.js';
import { dayMs } from '../time/spans.js';
import type { EventLog } from './log.js';
import { positionStoredBefore } from './stored-at.js';

/** A subscriber that has not moved for this long no longer delays the deletion. */
const patienceMs = 7 * dayMs;
const jobName = 'event-retention';

export class LogRetention {
  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly retentionDays: () => number,
    private readonly now: Clock,
  ) {}

  /** Deletes up to `limit` events that are old enough; returns how many. */
  prune(limit: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      if (!(await this.database.isAlone(tx, jobName))) return 0;
      const oldest = await tx.domainEvent.findFirst({ where: { shard: 0 }, orderBy: { position: 'asc' } });
      if (oldest === null) return 0;
      const end = await this.heldBack(tx, await this.firstKept(tx));
      const last = end < oldest.position + BigInt(limit) ? end : oldest.position + BigInt(limit);
      const { count } = await tx.domainEvent.deleteMany({ where: { shard: 0, position: { lt: last } } });
      return count;
    });
  }

  /** Position of the first event that is young enough, by when it was stored. */
  private async firstKept(tx: Transaction): Promise<bigint> {
    const now = this.now();
    const cutoff = now.getTime() - this.retentionDays() * dayMs;
    return (await positionStoredBefore(tx, new Date(cutoff - 1), now)) + 1n;
  }

  /** The position up to which may be deleted: not past a subscriber that still moves. The others are moved here. */
  private async heldBack(tx: Transaction, old: bigint): Promise<bigint> {
    const neededAfter = await this.log.neededAfter(tx);
    const wanted = neededAfter !== null && neededAfter + 1n < old ? neededAfter + 1n : old;
    const behind = await tx.cursor.findMany({ where: { enabled: true, position: { lt: wanted - 1n } } });
    const now = this.now();
    const isAlive = ({ updatedAt }: { updatedAt: Date }) => now.getTime() - updatedAt.getTime() < patienceMs;
    const end = behind
      .filter(isAlive)
      .reduce((least, { position }) => (position + 1n < least ? position + 1n : least), wanted);
    let kept = end;
    for (const { name, tenantId, position } of behind.filter((one) => !isAlive(one) && one.position < end - 1n)) {
      const to = { position: end - 1n, updatedAt: now };
      const { count } = await tx.cursor.updateMany({ where: { name, position }, data: to });
      if (count > 0) await this.tellGap(tx, name, tenantId, Number(end - 1n - position));
      else if (position + 1n < kept) kept = position + 1n; // it moves again
    }
    return kept;
  }

  /** Announced to the administrators of those whose events it reads: of one tenant, or of every one. */
  private async tellGap(tx: Transaction, name: string, of: string | null, missed: number): Promise<void> {
    const where = of === null ? {} : { id: of };
    const tenants = await tx.tenant.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } });
    await this.log.append(
      tx,
      ...tenants.map(({ id: tenantId }) => ({
        type: 'consumer.gap',
        tenantId,
        projectId: null,
        resourceId: `consumer:${name}`,
        action: 'occurred' as const,
        data: { id: name, missed },
      })),
    );
  }
}
