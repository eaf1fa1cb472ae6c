/** Rows of sanctions. */

import type { MadeQuery } from '../../../../src/contract/common.js';
import type { SanctionType } from '../../../../src/contract/moderation/sanction-record.js';
import { compareText, type PreparedRows } from '../../../platform/database/bulk-rows.js';
import { jsonOrNull } from '../../../platform/database/column-values.js';
import {
  type Database,
  type DatabaseClient,
  idPairsAtOnce,
  idsAtOnce,
  type Reader,
  type Transaction,
} from '../../../platform/database/database.js';
import { sqlTime } from '../../../platform/database/dialect.js';
import { projectInReach } from '../../../platform/database/in-reach.js';
import { madeWithin, within } from '../../../platform/database/made-within.js';
import { someIds, withIds } from '../../../platform/database/row-ids.js';
import { newestFirst, type RowPage } from '../../../platform/database/row-page.js';
import { mapWithPauses, Pauses, rowsAtOnce, slicesOf } from '../../../platform/database/slices.js';
import { atOnce, earliest } from '../../../platform/scheduler/due-work.js';
import { byRule, inForce, namesRule, notEnded, type SanctionFilter, whereOf } from './filters.js';
import { replacementBy, replacementOf, revokedByReview } from './rules.js';
import { type SanctionedPerson, type SanctionRow, toRow, toStored } from './sanction-rows.js';
import { batchStatements, countSince, readSanctionRows, revokeSanctions, sanctionRows } from './sql.js';

/**
 * Changes of sanctions that come by time: which rows, in which order, and what is stored once a change is announced.
 */
const changesByClock = {
  begin: {
    where: (now: Date) => ({ begunAt: null, startAt: { lte: now }, ...notEnded(now), project: projectInReach }),
    waiting: { begunAt: null, revokedAt: null, expiredAt: null, project: projectInReach },
    orderBy: [{ startAt: 'asc' as const }, { id: 'asc' as const }],
    changes: (now: Date) => ({ begunAt: now, updatedAt: now }),
  },
  expire: {
    where: (now: Date) => ({ endAt: { lte: now }, revokedAt: null, expiredAt: null, project: projectInReach }),
    waiting: { endAt: { gt: atOnce }, revokedAt: null, expiredAt: null, project: projectInReach },
    orderBy: [{ endAt: 'asc' as const }, { id: 'asc' as const }],
    changes: (now: Date) => ({ expiredAt: now, updatedAt: now }),
  },
};
export type ChangeByClock = keyof typeof changesByClock;

/** Rows have been changed since they were read; the caller may read them again and retry. */
export class RowsChanged extends Error {
  override name = 'RowsChanged';
}

export interface Revocation {
  readonly revokedAt: Date;
  readonly revokedByUserId: string;
  readonly revokeReason: string | null;
}

/** The columns read for sanctions in force, even for ten thousand at once. */
const inForceColumns = {
  id: true,
  externalUserId: true,
  type: true,
  endAt: true,
  reason: true,
  parameters: true,
  sessionId: true,
} as const;
type HeldRow = Pick<SanctionRow, keyof typeof inForceColumns>;
/** Sanctions without evidence are imposed by people. */
const notByRule = (ruleId: string) => ({
  OR: [{ evidence: null }, { NOT: namesRule(ruleId) }],
});
const createdIn = ({ after, until }: Record<'after' | 'until', Date>) => ({ createdAt: { gt: after, lte: until } });

/** Revoked by somebody in this time, though not imposed by them in it, and not over by the clock. */
const revokedBy = (projectId: string, author: string, made: MadeQuery, now: Date) => ({
  projectId,
  revokedByUserId: author,
  revokedAt: { not: null, ...within(made) },
  expiredAt: null,
  AND: [
    { OR: [{ endAt: null }, { endAt: { gt: now } }] },
    // A decision on a review is undone by reopening it.
    { OR: [{ revokeReason: null }, { revokeReason: { not: revokedByReview } }] },
    { OR: [{ createdByUserId: null }, { NOT: { createdByUserId: author, ...madeWithin(made) } }] },
  ],
});

/** A line of a batch, as it was applied. */
export interface AppliedLine {
  readonly id: string;
  readonly batchLine: number;
  readonly type: string;
  readonly externalUserId: string;
}

export class SanctionStore {
  constructor(private readonly database: Database) {}

  /** Rows as `insert` takes them; made before the transaction, because other writers wait for it. */
  prepare = async (rows: readonly SanctionRow[]): Promise<PreparedRows[]> =>
    sanctionRows.prepare(this.database.dialect, await mapWithPauses(rows, toStored));

  insert = (tx: Transaction, rows: readonly PreparedRows[]): Promise<void> =>
    this.database.write(tx, sanctionRows.insertPrepared(this.database.dialect), rows);

  async find(
    projectId: string,
    id: string,
    reader: Reader | Transaction = this.database.read,
  ): Promise<SanctionRow | null> {
    const row = await reader.sanction.findFirst({ where: { projectId, id } });
    return row === null ? null : toRow(row);
  }

  async byIds(projectId: string, ids: readonly string[]): Promise<SanctionRow[]> {
    const rows = await this.database.read.sanction.findMany({ where: { projectId, id: { in: [...ids] } } });
    return rows.map(toRow);
  }

  /** Returns who has most of the sanctions imposed in this time, requests for a review left out, up to `take`. */
  async mostSanctioned(projectId: string, made: MadeQuery, take: number) {
    const rows = await this.database.read.sanction.groupBy({
      by: ['externalUserId'],
      where: { projectId, externalUserId: { not: null }, type: { not: 'human_review' }, ...madeWithin(made) },
      _count: { externalUserId: true },
      orderBy: [{ _count: { externalUserId: 'desc' } }, { externalUserId: 'asc' }],
      take,
    });
    return rows.flatMap(({ externalUserId, _count }) =>
      externalUserId === null ? [] : [{ externalUserId, sanctions: _count.externalUserId }],
    );
  }

  /** Returns sanctions imposed in this time, without these types, in the order of their ids. */
  async madeAfter(
    projectId: string,
    { made, after, except }: { readonly made: MadeQuery; readonly after: string; readonly except: readonly string[] },
    take: number,
  ): Promise<SanctionRow[]> {
    const where = { projectId, id: { gt: after }, type: { notIn: [...except] }, ...madeWithin(made) };
    return (await this.database.read.sanction.findMany({ where, orderBy: { id: 'asc' }, take })).map(toRow);
  }

  /** Sanctions that ended when this one replaced them. */
  async replacedBy(
    tx: Transaction,
    { projectId, externalUserId, id }: Pick<SanctionRow, 'projectId' | 'externalUserId' | 'id'>,
  ): Promise<SanctionRow[]> {
    const where = { projectId, externalUserId, revokeReason: replacementBy(id) };
    return (await tx.sanction.findMany({ where, orderBy: { id: 'asc' } })).map(toRow);
  }

  /** Returns the sanctions with those that ended when one of them replaced them, and so on. */
  async withReplaced<T extends Pick<SanctionRow, 'id' | 'externalUserId'>>(
    tx: Transaction,
    projectId: string,
    sanctions: readonly T[],
  ): Promise<(T | SanctionRow)[]> {
    const all: (T | SanctionRow)[] = [];
    for (let some: readonly (T | SanctionRow)[] = sanctions; some.length > 0; ) {
      all.push(...some);
      const replaced: SanctionRow[] = [];
      for (const part of slicesOf(some, idPairsAtOnce)) {
        const people = [...new Set(part.flatMap(({ externalUserId }) => externalUserId ?? []))];
        const reasons = part.map(({ id }) => replacementBy(id));
        const where = { projectId, externalUserId: { in: people }, revokeReason: { in: reasons } };
        const rows = people.length === 0 ? [] : await tx.sanction.findMany({ where, orderBy: { id: 'asc' } });
        replaced.push(...rows.map(toRow).filter((row) => replacementOf(row) !== null));
      }
      some = replaced;
    }
    return all;
  }

  /** In any project; only for who holds a secret that names it. */
  async byId(id: string): Promise<SanctionRow | null> {
    const row = await this.database.read.sanction.findUnique({ where: { id } });
    return row === null ? null : toRow(row);
  }

  /** Locks the sanction until the transaction has ended. False when there is none. */
  async lock(tx: Transaction, projectId: string, id: string, now: Date): Promise<boolean> {
    return (await tx.sanction.updateMany({ where: { projectId, id }, data: { updatedAt: now } })).count === 1;
  }

  update = async (tx: Transaction, id: string, fields: Partial<SanctionRow>): Promise<SanctionRow> =>
    toRow(await tx.sanction.update({ where: { id }, data: toStored(fields) }));

  /** Locks the sanctions until the transaction has ended, and returns them. */
  async lockAll(tx: Transaction, projectId: string, ids: readonly string[], updatedAt: Date): Promise<SanctionRow[]> {
    const rows: SanctionRow[] = [];
    for (const part of slicesOf([...ids].sort(compareText), idsAtOnce)) {
      const where = { projectId, id: { in: [...part] } };
      rows.push(...(await tx.sanction.updateManyAndReturn({ where, data: { updatedAt } })).map(toRow));
    }
    return rows;
  }

  async updateAll(tx: Transaction, ids: readonly string[], fields: Partial<SanctionRow>): Promise<SanctionRow[]> {
    const rows: SanctionRow[] = [];
    for (const part of slicesOf(ids, idsAtOnce)) {
      const where = { id: { in: [...part] } };
      rows.push(...(await tx.sanction.updateManyAndReturn({ where, data: toStored(fields) })).map(toRow));
    }
    return rows;
  }

  count = (projectId: string, filter: SanctionFilter) =>
    this.database.read.sanction.count({ where: whereOf(projectId, filter) });

  /**
   * Counts the sanctions that were imposed from each of these times on.
   *
   * @param times oldest first
   */
  async countsSince(projectId: string, times: readonly [Date, ...Date[]]): Promise<number[]> {
    const { dialect, read } = this.database;
    const parameters = [...times.map(sqlTime), projectId, sqlTime(times[0])];
    const [counts = {}] = await read.$queryRawUnsafe<object[]>(countSince(dialect, times.length), ...parameters);
    return Object.values(counts).map(Number);
  }

  /** Newest first. */
  async list(projectId: string, filter: SanctionFilter, page: RowPage): Promise<SanctionRow[]> {
    const where = whereOf(projectId, filter);
    return (await this.database.read.sanction.findMany(newestFirst(where, page))).map(toRow);
  }

  /** In force against any of these people. */
  async inForce(
    projectId: string,
    externalUserIds: readonly string[],
    now: Date,
    reader: Reader | Transaction = this.database.read,
  ): Promise<HeldRow[]> {
    const found: HeldRow[] = [];
    const pauses = new Pauses();
    for (const people of slicesOf(externalUserIds, idsAtOnce)) {
      const where = { projectId, externalUserId: { in: [...people] }, ...inForce(now) };
      const rows = await reader.sanction.findMany({ where, orderBy: { id: 'asc' }, select: inForceColumns });
      found.push(...rows.map((row) => ({ ...row, parameters: jsonOrNull(row.parameters) })));
      await pauses.next();
    }
    return found;
  }

  /** Returns the external user ids of people under sanctions of these kinds, or of any kind, up to `take`. */
  async peopleUnder(projectId: string, types: readonly string[], now: Date, take: number): Promise<string[]> {
    const rows = await this.database.read.sanction.groupBy({
      by: ['externalUserId'],
      where: {
        projectId,
        externalUserId: { not: null },
        ...(types.length === 0 ? {} : { type: { in: [...types] } }),
        ...inForce(now),
      },
      orderBy: { externalUserId: 'asc' },
      take,
    });
    return rows.flatMap(({ externalUserId }) => externalUserId ?? []);
  }

  /** Against a person, of these kinds, created in this time and not revoked, the newest first, before an id. */
  async createdBetween(
    projectId: string,
    externalUserId: string,
    {
      types,
      take,
      exceptRuleId,
      before,
      ...time
    }: {
      types: readonly SanctionType[];
      after: Date;
      until: Date;
      take: number;
      exceptRuleId: string | null;
      before: string | undefined;
    },
  ): Promise<SanctionRow[]> {
    const rows = await this.database.read.sanction.findMany({
      where: {
        projectId,
        externalUserId,
        type: { in: [...types] },
        revokedAt: null,
        ...createdIn(time),
        ...(before === undefined ? {} : { id: { lt: before } }),
        ...(exceptRuleId === null ? {} : notByRule(exceptRuleId)),
      },
      orderBy: { id: 'desc' },
      take,
    });
    return rows.map(toRow);
  }

  /** Returns the project's sanctions created in this time, newest first, those before an id. */
  async allBetween(
    projectId: string,
    { take, before, ...time }: { after: Date; until: Date; before: string | undefined; take: number },
  ): Promise<SanctionRow[]> {
    const where = { projectId, ...createdIn(time), ...(before === undefined ? {} : { id: { lt: before } }) };
    return (await this.database.read.sanction.findMany({ where, orderBy: { id: 'desc' }, take })).map(toRow);
  }

  /** In force in this session alone. */
  async ofSession(projectId: string, sessionId: string, now: Date): Promise<SanctionRow[]> {
    const where = { projectId, sessionId, ...inForce(now) };
    return (await this.database.read.sanction.findMany({ where })).map(toRow);
  }

  /** Sanctions that name a review as their evidence: its field, not any text of the evidence that has the id in it. */
  async naming(projectId: string, reviewId: string): Promise<SanctionRow[]> {
    const rows = await this.database.read.sanction.findMany({
      where: { projectId, evidence: { contains: JSON.stringify({ reviewId }).slice(1, -1) } },
      orderBy: { id: 'asc' },
      take: 100,
    });
    return rows.map(toRow).filter(({ evidence }) => evidence?.reviewId === reviewId);
  }

  /** Returns the stored sanctions of a batch for these lines. */
  batchLines = (
    client: DatabaseClient,
    projectId: string,
    batchId: string,
    { from, to }: { readonly from: number; readonly to: number },
  ) =>
    client.$queryRawUnsafe<AppliedLine[]>(batchStatements[this.database.dialect].lines, projectId, batchId, from, to);

  /** Some sanctions of a person, as they are; until the transaction ends nobody changes them. */
  async lockSomeOfPerson(
    tx: Transaction,
    projectId: string,
    { id: participantId, externalUserId }: SanctionedPerson,
    updatedAt: Date,
  ): Promise<SanctionRow[]> {
    const where = { projectId, OR: [{ externalUserId }, { participantId }] };
    const some = await tx.sanction.findMany({ where, ...someIds, orderBy: { id: 'asc' } });
    return (await tx.sanction.updateManyAndReturn({ ...withIds(some), data: { updatedAt } })).map(toRow);
  }

  remove = (tx: Transaction, rows: readonly Pick<SanctionRow, 'id'>[]) => tx.sanction.deleteMany(withIds(rows));

  countActive = (reader: Reader | Transaction, projectId: string, externalUserId: string, now: Date): Promise<number> =>
    reader.sanction.count({ where: { projectId, externalUserId, ...inForce(now) } });

  batchSize = (reader: Reader, projectId: string, batchId: string): Promise<number> =>
    reader.sanction.count({ where: { projectId, batchId } });

  /** How many lines each batch has, and how many of them have not ended. */
  async batchSizes(projectId: string, ids: readonly string[], now: Date) {
    const where = { projectId, batchId: { in: [...ids] } };
    const counted = async (also: object): Promise<ReadonlyMap<string | null, number>> => {
      const by = { by: ['batchId' as const], _count: { _all: true as const } };
      const groups = await this.database.read.sanction.groupBy({ ...by, where: { ...where, ...also } });
      return new Map(groups.map(({ batchId, _count }) => [batchId, _count._all]));
    };
    const [all, active] = await Promise.all([counted({}), counted(notEnded(now))]);
    return { all, active };
  }

  /** Sanctions of a batch that have not ended, in the order of lines, up to `take`. */
  async activeOfBatch(projectId: string, batchId: string, now: Date, take: number): Promise<SanctionRow[]> {
    const found: SanctionRow[] = [];
    const pauses = new Pauses();
    for (let after = 0; found.length < take; ) {
      const where = { projectId, batchId, batchLine: { gt: after }, ...notEnded(now) };
      const orderBy = { batchLine: 'asc' as const };
      const rows = await this.database.read.sanction.findMany({ where, orderBy, take: rowsAtOnce });
      found.push(...rows.map(toRow));
      const last = rows.at(-1)?.batchLine ?? null;
      if (last === null || rows.length < rowsAtOnce) break;
      after = last;
      await pauses.next();
    }
    return found;
  }

  /** Returns those of the sanctions that were revoked. */
  async revokedAmong(
    projectId: string,
    ids: readonly string[],
    reader: Reader | Transaction = this.database.read,
  ): Promise<Pick<SanctionRow, 'id' | 'revokeReason'>[]> {
    const found = [];
    for (const part of slicesOf(ids, idsAtOnce)) {
      const where = { projectId, id: { in: [...part] }, revokedAt: { not: null } };
      found.push(...(await reader.sanction.findMany({ where, select: { id: true, revokeReason: true } })));
    }
    return found;
  }

  /** Sanctions that a rule imposed in this time and that were not revoked, ended ones too, up to `take`. */
  async unrevokedOfRule(projectId: string, ruleId: string, made: MadeQuery, take: number) {
    const where = { projectId, ...byRule(ruleId), ...madeWithin(made), revokedAt: null };
    return (await this.database.read.sanction.findMany({ where, orderBy: { id: 'asc' }, take })).map(toRow);
  }

  /** Sanctions that somebody imposed in this time and that have not ended, up to `take`. */
  async activeOfAuthor(projectId: string, author: string, made: MadeQuery, now: Date, take: number) {
    const where = { projectId, createdByUserId: author, ...madeWithin(made), ...notEnded(now) };
    return (await this.database.read.sanction.findMany({ where, orderBy: { id: 'asc' }, take })).map(toRow);
  }

  /** How many sanctions `activeOfAuthor` would find without a bound. */
  countActiveOfAuthor = (projectId: string, author: string, made: MadeQuery, now: Date): Promise<number> =>
    this.database.read.sanction.count({
      where: { projectId, createdByUserId: author, ...madeWithin(made), ...notEnded(now) },
    });

  countRevokedBy = (projectId: string, author: string, made: MadeQuery, now: Date): Promise<number> =>
    this.database.read.sanction.count({ where: revokedBy(projectId, author, made, now) });

  /** Locks up to `take` sanctions that somebody revoked in this time and whose own time is not over. */
  async lockRevokedBy(tx: Transaction, projectId: string, author: string, made: MadeQuery, now: Date, take: number) {
    const where = revokedBy(projectId, author, made, now);
    const rows = await tx.sanction.findMany({ where, orderBy: { id: 'asc' }, take, select: { id: true } });
    return this.lockAll(
      tx,
      projectId,
      rows.map(({ id }) => id),
      now,
    );
  }

  /** Ids of the human_review sanctions that a rule imposed in this time, behind an id. */
  async askedByRule(projectId: string, ruleId: string, made: MadeQuery, after: string, take: number) {
    const where = { projectId, type: 'human_review', id: { gt: after }, ...byRule(ruleId), ...madeWithin(made) };
    const rows = await this.database.read.sanction.findMany({
      where,
      orderBy: { id: 'asc' },
      select: { id: true },
      take,
    });
    return rows.map(({ id }) => id);
  }

  /** Revokes rows in the state in which they were read. Throws RowsChanged. */
  async revoke(tx: Transaction, rows: readonly SanctionRow[], revocation: Revocation): Promise<void> {
    const { revokedAt, revokedByUserId, revokeReason } = revocation;
    const pauses = new Pauses();
    for (const slice of slicesOf(rows)) {
      const changes = [
        sqlTime(revokedAt),
        revokedByUserId,
        revokeReason,
        sqlTime(revokedAt),
        readSanctionRows.text(slice),
      ];
      const count = await tx.$executeRawUnsafe(revokeSanctions[this.database.dialect], ...changes);
      if (count !== slice.length) throw new RowsChanged('a sanction of the batch has changed meanwhile');
      await pauses.next();
    }
  }

  /** Up to `take` that have begun or ended by the clock and are not announced yet. */
  async due(change: ChangeByClock, now: Date, take: number): Promise<string[]> {
    const { where, orderBy } = changesByClock[change];
    const rows = await this.database.read.sanction.findMany({ where: where(now), orderBy, take, select: { id: true } });
    return rows.map(({ id }) => id);
  }

  /** The next time at which a sanction begins or ends by the clock. */
  nextDue = earliest(
    async () => {
      const { waiting: where, orderBy } = changesByClock.begin;
      return (
        (await this.database.read.sanction.findFirst({ where, orderBy, select: { startAt: true } }))?.startAt ?? null
      );
    },
    async () => {
      const { waiting: where, orderBy } = changesByClock.expire;
      return (await this.database.read.sanction.findFirst({ where, orderBy, select: { endAt: true } }))?.endAt ?? null;
    },
  );

  /** Marks those of them that are still due; only this caller may announce them now. */
  async mark(tx: Transaction, change: ChangeByClock, ids: string[], now: Date): Promise<SanctionRow[]> {
    const { where, changes } = changesByClock[change];
    const due = { id: { in: ids }, ...where(now) };
    return (await tx.sanction.updateManyAndReturn({ where: due, data: changes(now) })).map(toRow);
  }
}
