/**
 * How much tenants store, and who may store no more. Counted are the bytes of the event log, which every change appends to,
 * and of game events, as they are written. What is deleted is not subtracted before its day is too old to count.
 */

import { DomainError } from '../../../src/contract/errors.js';
import type { Route } from '../../../src/contract/route.js';
import type { Caller } from '../http/caller.js';
import { DueWork, type NextDue } from '../scheduler/due-work.js';
import type { Clock } from '../time/clock.js';
import { dayMs } from '../time/spans.js';
import type { Disk } from './disk.js';
import type { StoredBytesStore } from './store.js';

const mebibyte = 1024 * 1024;
/**
 * The part of a quota that each kind of caller may fill. Players leave the tenant's own programs some of it, and people who
 * have signed in, or hold a moderator's link, can still moderate when programs have used it up.
 */
const parts: Readonly<Record<Exclude<Caller['kind'], 'anonymous'>, number>> = {
  player: 0.9,
  peer: 0.9,
  moderator: 1.1,
  apiKey: 1,
  service: 1,
  user: 1.1,
};
const laterSeconds = 600;
/** How often a disk is looked at to which this daemon writes nothing. */
const diskEveryMs = 5_000;

interface QuotaLimits {
  /** Limits of a tenant, in MiB; 0: none. */
  readonly dayMb: number;
  readonly totalMb: number;
  /** How many days count for the total. */
  readonly days: number;
}

interface TenantStorage {
  /** Bytes of the current day (UTC) and of all days that count. */
  readonly today: number;
  readonly total: number;
  /** null: no limit. */
  readonly dayMax: number | null;
  readonly totalMax: number | null;
}

type StoredSums = ReadonlyMap<string, number>;

/** The log says so when it begins, and when it has ended. */
const outOfSpace =
  "The database is out of space, so nothing can be stored. Tell the operator: the daemon's log says why.";

export class StorageQuota {
  /** Counted here, and not yet in the database. */
  private pending = new Map<string, number>();
  /** As the database holds them, from all daemons. */
  private today: StoredSums = new Map();
  private total: StoredSums = new Map();
  private refusals = 0;
  private readAt = 0;
  private measuredAt = 0;

  private readonly reading: DueWork;

  constructor(
    private readonly store: Pick<StoredBytesStore, 'add' | 'sums' | 'prune' | 'version'>,
    private readonly disk: Pick<Disk, 'measure' | 'state'>,
    private readonly limits: QuotaLimits,
    private readonly now: Clock,
  ) {
    // Sums are of days.
    const nextDay = async () => new Date((Math.floor(this.readAt / dayMs) + 1) * dayMs);
    this.reading = new DueWork(store, now, nextDay);
  }

  /** While nothing is stored, somebody else may fill the disk. */
  nextDue: NextDue = async () => new Date(this.measuredAt + diskEveryMs);

  /** Requests that were refused since the start. */
  get refused(): number {
    return this.refusals;
  }

  count(tenantId: string, bytes: number): void {
    this.pending.set(tenantId, (this.pending.get(tenantId) ?? 0) + bytes);
  }

  /** Stores what was counted, and reads what all daemons have stored and how much room the disk has. */
  async refresh(): Promise<void> {
    this.measuredAt = this.now().getTime();
    await this.disk.measure();
    const counted = this.pending;
    this.pending = new Map();
    try {
      if (counted.size > 0) await this.store.add(this.day(), counted);
    } catch (error) {
      for (const [tenantId, bytes] of counted) this.count(tenantId, bytes);
      throw error;
    }
    await this.reading.run(async () => {
      this.readAt = this.now().getTime();
      const [today, total] = await Promise.all([this.store.sums(this.day()), this.store.sums(this.firstDay())]);
      [this.today, this.total] = [today, total];
    });
  }

  usageOf(tenantId: string): TenantStorage {
    const { dayMb, totalMb } = this.limits;
    const max = (mb: number): number | null => (mb === 0 ? null : mb * mebibyte);
    return {
      today: this.sum(this.today, tenantId),
      total: this.sum(this.total, tenantId),
      dayMax: max(dayMb),
      totalMax: max(totalMb),
    };
  }

  /** Bytes by tenant. */
  sums(of: 'today' | 'total'): Record<string, number> {
    const tenants = new Set([...this[of].keys(), ...this.pending.keys()]);
    return Object.fromEntries([...tenants].map((tenantId) => [tenantId, this.sum(this[of], tenantId)]));
  }

  /**
   * Refuses a request that would store something. Reading, deleting and what belongs to a login are always possible. Throws
   * quota_exceeded, and database_unavailable where the disk has no room for anybody.
   */
  requireSpace({ method, path }: Pick<Route, 'method' | 'path'>, caller: Caller): void {
    if (method === 'get' || method === 'delete' || caller.kind === 'anonymous' || path.startsWith('/api/auth/')) return;
    const refusal = this.refusalOf(caller.tenantId, parts[caller.kind]);
    if (refusal === null) return;
    this.refusals += 1;
    throw refusal;
  }

  /** Deletes the sums of days that no longer count. */
  prune(limit: number): Promise<number> {
    return this.store.prune(this.firstDay(), limit);
  }

  private refusalOf(tenantId: string, part: number): DomainError | null {
    const { today, total, dayMax, totalMax } = this.usageOf(tenantId);
    const { state } = this.disk;
    if (dayMax !== null && today >= dayMax * part)
      return new DomainError('quota_exceeded', {
        message: `The tenant has reached its storage quota of ${this.limits.dayMb} MiB per day. Wait until the next day (UTC), or ask the operator for a larger one.`,
        retryAfterSeconds: Math.ceil((dayMs - (this.now().getTime() % dayMs)) / 1_000),
      });
    if (totalMax !== null && total >= totalMax * part)
      return new DomainError('quota_exceeded', {
        message: `The tenant has reached its storage quota of ${this.limits.totalMb} MiB in ${this.limits.days} days. Ask the operator for a larger one.`,
        retryAfterSeconds: laterSeconds,
      });
    if (state === 'full')
      return new DomainError('database_unavailable', { message: outOfSpace, retryAfterSeconds: laterSeconds });
    if (state === 'low' && this.isAmongLargest(tenantId))
      return new DomainError('quota_exceeded', {
        message:
          'The database is almost full, and the tenant is one of those that store the most. Store less, or ask the operator for more space.',
        retryAfterSeconds: laterSeconds,
      });
    return null;
  }

  /** True if the tenant has stored at least as much today as tenants on average. */
  private isAmongLargest(tenantId: string): boolean {
    const sums = Object.values(this.sums('today'));
    const all = sums.reduce((sum, bytes) => sum + bytes, 0);
    const own = this.sum(this.today, tenantId);
    return own > 0 && own * sums.length >= all;
  }

  private sum(of: StoredSums, tenantId: string): number {
    return (of.get(tenantId) ?? 0) + (this.pending.get(tenantId) ?? 0);
  }

  private day(ageDays = 0): string {
    return new Date(this.now().getTime() - ageDays * dayMs).toISOString().slice(0, 10);
  }

  private firstDay(): string {
    return this.day(this.limits.days - 1);
  }
}
