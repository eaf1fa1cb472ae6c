/** Counts by project and day. */
import { addTo } from '../../../platform/collections/add-to.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { slicesOf } from '../../../platform/database/slices.js';
import { addedDays, dayRows, raisedDays } from '../sql.js';
import type { DayCount } from './counting.js';
import { activePeople } from './people-sketch.js';

interface Days {
  /** First and last day. */
  readonly from: string;
  readonly to: string;
}

/**
 * What the log alone does not give again: an erasure has taken people out of it who were counted, and the room of a sanction
 * is that of a transcript that is kept for some days.
 */
const raisedAlone = [activePeople, 'sanction.room'];

export class DayStore {
  constructor(private readonly database: Database) {}

  /**
   * Adds to what is counted; a register gets its new maximum.
   *
   * @param counts one for each day, kind and key
   */
  add(tx: Transaction, projectId: string, counts: readonly DayCount[]): Promise<void> {
    return this.join(tx, projectId, counts, [activePeople]);
  }

  /** Puts these counts in the place of those of a day and later; what cannot be counted again is raised alone. */
  async replaceFrom(tx: Transaction, projectId: string, day: string, counts: readonly DayCount[]): Promise<void> {
    const what = { notIn: [...raisedAlone] };
    await tx.moderationDay.deleteMany({ where: { projectId, day: { gte: day }, what } });
    await this.join(tx, projectId, counts, raisedAlone);
  }

  private async join(
    tx: Transaction,
    projectId: string,
    counts: readonly DayCount[],
    raised: readonly string[],
  ): Promise<void> {
    const { dialect } = this.database;
    const rows = counts.map((one) => ({ projectId, ...one }));
    for (const [joined, statement] of [
      [rows.filter(({ what }) => !raised.includes(what)), addedDays(dialect)],
      [rows.filter(({ what }) => raised.includes(what)), raisedDays(dialect)],
    ] as const)
      for (const slice of slicesOf(joined)) await tx.$executeRawUnsafe(statement, dayRows.text(slice));
  }

  /** Returns the counts of these kinds in all these days together. */
  async sums(projectId: string, { from, to }: Days, what: readonly string[]): Promise<Omit<DayCount, 'day'>[]> {
    const rows = await this.database.read.moderationDay.groupBy({
      by: ['what', 'key'],
      where: { projectId, day: { gte: from, lte: to }, what: { in: [...what] } },
      _sum: { count: true },
      orderBy: [{ what: 'asc' }, { key: 'asc' }],
    });
    return rows.map(({ what, key, _sum }) => ({ what, key, count: _sum.count ?? 0 }));
  }

  /** Returns the keys that these kinds count most, up to `take`. */
  async most(projectId: string, { from, to }: Days, what: readonly string[], take: number): Promise<string[]> {
    const rows = await this.database.read.moderationDay.groupBy({
      by: ['key'],
      where: { projectId, day: { gte: from, lte: to }, what: { in: [...what] } },
      _sum: { count: true },
      orderBy: [{ _sum: { count: 'desc' } }, { key: 'asc' }],
      take,
    });
    return rows.map(({ key }) => key);
  }

  /** Returns the counts of these keys together. */
  async sumsOf(
    projectId: string,
    { from, to }: Days,
    what: string,
    keys: readonly string[],
  ): Promise<Map<string, number>> {
    const rows = await this.database.read.moderationDay.groupBy({
      by: ['key'],
      where: { projectId, day: { gte: from, lte: to }, what, key: { in: [...keys] } },
      _sum: { count: true },
    });
    return new Map(rows.map(({ key, _sum }) => [key, _sum.count ?? 0]));
  }

  /** Returns the registers of each first day of a month. */
  async registers(projectId: string, { from, to }: Days, what: string): Promise<Map<string, number[]>> {
    const rows = await this.database.read.moderationDay.findMany({
      where: { projectId, what, day: { gte: from, lte: to } },
      select: { day: true, count: true },
    });
    const found = new Map<string, number[]>();
    for (const { day, count } of rows) addTo(found, day, count);
    return found;
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

  /** Returns the counts of these kinds by day and key. */
  async byDayAndKey(projectId: string, days: readonly string[], what: readonly string[]): Promise<DayCount[]> {
    return this.database.read.moderationDay.findMany({
      where: { projectId, day: { in: [...days] }, what: { in: [...what] } },
      select: { day: true, what: true, key: true, count: true },
    });
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
