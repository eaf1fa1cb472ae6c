/** Counts by project and day. */
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { DayCount } from './counting.js';

interface Days {
  /** First and last day. */
  readonly from: string;
  readonly to: string;
}

export class DayStore {
  constructor(private readonly database: Database) {}

  /** Adds to what is counted. */
  async add(tx: Transaction, projectId: string, counts: readonly DayCount[]): Promise<void> {
    for (const { day, what, key, count } of counts) {
      const place = { projectId, day, what, key };
      await tx.moderationDay.upsert({
        where: { projectId_day_what_key: place },
        create: { ...place, count },
        update: { count: { increment: count } },
      });
    }
  }

  async removeFrom(tx: Transaction, projectId: string, day: string): Promise<void> {
    await tx.moderationDay.deleteMany({ where: { projectId, day: { gte: day } } });
  }

  async isAnyBefore(projectId: string, day: string): Promise<boolean> {
    return (await this.database.read.moderationDay.findFirst({ where: { projectId, day: { lt: day } } })) !== null;
  }

  /** Returns the counts of all these days together. */
  async sums(projectId: string, { from, to }: Days): Promise<Omit<DayCount, 'day'>[]> {
    const rows = await this.database.read.moderationDay.groupBy({
      by: ['what', 'key'],
      where: { projectId, day: { gte: from, lte: to } },
      _sum: { count: true },
      orderBy: [{ what: 'asc' }, { key: 'asc' }],
    });
    return rows.map(({ what, key, _sum }) => ({ what, key, count: _sum.count ?? 0 }));
  }

  /** Returns the counts of these kinds by day, oldest first. */
  async byDay(projectId: string, { from, to }: Days, what: readonly string[]): Promise<Omit<DayCount, 'key'>[]> {
    const rows = await this.database.read.moderationDay.groupBy({
      by: ['day', 'what'],
      where: { projectId, day: { gte: from, lte: to }, what: { in: [...what] } },
      _sum: { count: true },
      orderBy: { day: 'asc' },
    });
    return rows.map(({ day, what, _sum }) => ({ day, what, count: _sum.count ?? 0 }));
  }

  /** Returns how many rows of this kind each key has: on how many days it was counted. */
  async daysOf(projectId: string, { from, to }: Days, what: string): Promise<{ key: string; days: number }[]> {
    const rows = await this.database.read.moderationDay.groupBy({
      by: ['key'],
      where: { projectId, what, count: { gt: 0 }, day: { gte: from, lte: to } },
      _count: true,
    });
    return rows.map(({ key, _count }) => ({ key, days: _count }));
  }
}
