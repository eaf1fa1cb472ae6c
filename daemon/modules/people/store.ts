/** Rows of participants. */
import type { Participant } from '../../../src/contract/people/participants.js';
import { foldAccents } from '../../../src/text/fold.js';
import { bulkRows } from '../../platform/database/bulk-rows.js';
import { type WithValues, withJson } from '../../platform/database/column-values.js';
import { type Database, idsAtOnce, type Reader, type Transaction } from '../../platform/database/database.js';
import { type Dialect, sqlTime } from '../../platform/database/dialect.js';
import { asLostRace } from '../../platform/database/errors.js';
import { within } from '../../platform/database/made-within.js';
import { lockRow } from '../../platform/database/row-lock.js';
import { oldestFirst, type RowPage } from '../../platform/database/row-page.js';
import { Pauses, slicesOf } from '../../platform/database/slices.js';

export interface ParticipantRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly externalUserId: string;
  readonly displayName: string;
  readonly searchKey: string;
  readonly userData: string;
  readonly language: string | null;
  readonly isMinor: boolean | null;
  readonly joinedAt: Date;
  readonly updatedAt: Date;
}

type ParticipantValues = WithValues<ParticipantRow, { readonly userData: Participant['userData'] }>;

/** A newline cannot be typed into a search, so a match never spans name and id. */
export const searchKeyOf = (displayName: string, externalUserId: string): string =>
  foldAccents(`${displayName}\n${externalUserId}`);

export const toParticipant = (row: ParticipantRow): Participant => ({
  id: row.id,
  tenantId: row.tenantId,
  projectId: row.projectId,
  externalUserId: row.externalUserId,
  displayName: row.displayName,
  userData: JSON.parse(row.userData),
  language: row.language,
  minor: row.isMinor === null ? null : Boolean(row.isMinor),
  joinedAt: row.joinedAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const joinedWithin = `"joinedAt" >= $3::timestamptz AT TIME ZONE 'UTC' AND "joinedAt" < $4::timestamptz AT TIME ZONE 'UTC'`;
const [longAgo, neverYet] = ['1970-01-01T00:00:00.000Z', '9999-12-31T00:00:00.000Z'];

const those = (projectId: string, column: 'id' | 'externalUserId', among: string): string =>
  `SELECT ${bulkRows('Participant').columns()} FROM "Participant"
   WHERE "projectId" = ${projectId} AND "${column}" IN (${among})`;

interface ParticipantStatements {
  readonly page: string;
  readonly count: string;
  readonly named: string;
  readonly anyNamed: string;
  /** Parameters: projectId, JSON array of folded display names, limit. */
  readonly called: string;
  /** Parameters: projectId, JSON array of ids. */
  readonly byIds: string;
  /** Parameters: projectId, JSON array of external user ids. */
  readonly byExternalIds: string;
}

const participantSql: Readonly<Record<Dialect, ParticipantStatements>> = {
  sqlite: {
    page: `SELECT "id" FROM "Participant" WHERE "projectId" = ? AND instr("searchKey", ?) > 0
      AND "joinedAt" >= ? AND "joinedAt" < ? AND "id" > ? ORDER BY "id" LIMIT ? OFFSET ?`,
    count: `SELECT COUNT(*) AS "total" FROM "Participant" WHERE "projectId" = ? AND instr("searchKey", ?) > 0
      AND "joinedAt" >= ? AND "joinedAt" < ?`,
    named: 'SELECT "id" FROM "Participant" WHERE "projectId" = ? AND instr("searchKey", ?) = 1 ORDER BY "id" LIMIT ?',
    anyNamed: 'SELECT "id" FROM "Participant" WHERE "tenantId" = ? AND instr("searchKey", ?) = 1 LIMIT 1',
    called: `SELECT "displayName", "externalUserId" FROM "Participant" WHERE "projectId" = ?
      AND substr("searchKey", 1, instr("searchKey", char(10)) - 1) IN (SELECT value FROM json_each(?)) ORDER BY "id" LIMIT ?`,
    byIds: those('?', 'id', 'SELECT value FROM json_each(?)'),
    byExternalIds: those('?', 'externalUserId', 'SELECT value FROM json_each(?)'),
  },
  postgresql: {
    page: `SELECT "id" FROM "Participant" WHERE "projectId" = $1 AND strpos("searchKey", $2) > 0
      AND ${joinedWithin} AND "id" > $5 ORDER BY "id" LIMIT $6 OFFSET $7`,
    count: `SELECT COUNT(*) AS "total" FROM "Participant" WHERE "projectId" = $1 AND strpos("searchKey", $2) > 0
      AND ${joinedWithin}`,
    named:
      'SELECT "id" FROM "Participant" WHERE "projectId" = $1 AND strpos("searchKey", $2) = 1 ORDER BY "id" LIMIT $3',
    anyNamed: 'SELECT "id" FROM "Participant" WHERE "tenantId" = $1 AND strpos("searchKey", $2) = 1 LIMIT 1',
    called: `SELECT "displayName", "externalUserId" FROM "Participant" WHERE "projectId" = $1
      AND split_part("searchKey", chr(10), 1) IN (SELECT jsonb_array_elements_text($2::jsonb)) ORDER BY "id" LIMIT $3`,
    byIds: those('$1', 'id', 'SELECT jsonb_array_elements_text($2::jsonb)'),
    byExternalIds: those('$1', 'externalUserId', 'SELECT jsonb_array_elements_text($2::jsonb)'),
  },
};

const heldBy = (column: string): string =>
  `SELECT "id" FROM "Participant" WHERE "projectId" = $1 AND "${column}" IN (SELECT jsonb_array_elements_text($2::jsonb))
    ORDER BY "id" FOR KEY SHARE`;
const nameOfLock = (id: string): string => `hashtextextended('person ' || $1 || ' ' || ${id}, 0)`;
const lockIdsSql = `SELECT pg_advisory_xact_lock_shared(${nameOfLock('id')})::text FROM jsonb_array_elements_text($2::jsonb) AS id`;
const lockIdsAloneSql = `SELECT pg_advisory_xact_lock(${nameOfLock('id')})::text FROM jsonb_array_elements_text($2::jsonb) AS id`;
const lockRowsAloneSql = `SELECT "id" FROM "Participant" WHERE "projectId" = $1
  AND "externalUserId" IN (SELECT jsonb_array_elements_text($2::jsonb)) ORDER BY "id" FOR UPDATE`;
const holdSql = { id: heldBy('id'), externalUserId: heldBy('externalUserId') };

/** Rows that one question after names is answered with. */
const calledMax = 10_000;

type TotalRow = { total: bigint | number };

export interface ParticipantFilter {
  /** Part of the display name or the external user id. */
  readonly search?: string | undefined;
  /** When they joined. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** External user ids; left out: everybody. */
  readonly among?: readonly string[] | undefined;
}

export class ParticipantStore {
  private readonly sql;

  constructor(private readonly database: Database) {
    this.sql = participantSql[database.dialect];
  }

  find = (projectId: string, id: string, reader: Reader | Transaction = this.database.read) =>
    reader.participant.findFirst({ where: { projectId, id } });

  byExternalId = (projectId: string, externalUserId: string, reader: Reader | Transaction = this.database.read) =>
    reader.participant.findUnique({ where: { projectId_externalUserId: { projectId, externalUserId } } });

  byIds = (projectId: string, ids: readonly string[], reader?: Reader | Transaction): Promise<ParticipantRow[]> =>
    this.those(this.sql.byIds, projectId, ids, reader);

  byExternalIds = (projectId: string, ids: readonly string[]): Promise<ParticipantRow[]> =>
    this.those(this.sql.byExternalIds, projectId, ids);

  /** Until the transaction ends, nobody erases or moves them. SQLite has one writer. */
  async lockAll(
    tx: Transaction,
    projectId: string,
    by: 'id' | 'externalUserId',
    ids: readonly string[],
  ): Promise<void> {
    if (this.database.dialect === 'postgresql') await tx.$queryRawUnsafe(holdSql[by], projectId, JSON.stringify(ids));
  }

  /**
   * Keeps people of these external user ids from being erased until the transaction ends, whether they have a row or not. In
   * one order, so that two such transactions do not wait for each other.
   */
  async lockIds(tx: Transaction, projectId: string, ids: readonly string[]): Promise<void> {
    if (this.database.dialect === 'postgresql')
      await tx.$queryRawUnsafe(lockIdsSql, projectId, JSON.stringify([...new Set(ids)].sort()));
  }

  /**
   * Waits for transactions that hold one of these external user ids, or the row of one, and holds them alone until this one
   * ends.
   */
  async lockIdsAlone(tx: Transaction, projectId: string, ids: readonly string[]): Promise<void> {
    if (this.database.dialect === 'sqlite') return;
    const sorted = JSON.stringify([...new Set(ids)].sort());
    await tx.$queryRawUnsafe(lockIdsAloneSql, projectId, sorted);
    await tx.$queryRawUnsafe(lockRowsAloneSql, projectId, sorted);
  }

  /** The row, locked until the transaction has ended; waits for other transactions that have locked it. */
  async lock(tx: Transaction, projectId: string, id: string): Promise<ParticipantRow | null> {
    await lockRow(tx, this.database.dialect, 'Participant', id);
    return this.find(projectId, id, tx);
  }

  /** Throws LostRace. */
  insert = (tx: Transaction, row: ParticipantValues) =>
    tx.participant.create({ data: withJson(row, 'userData') }).catch(asLostRace);

  /** Throws LostRace where somebody else has got the external id meanwhile. */
  update = (tx: Transaction, id: string, fields: Partial<ParticipantValues>) =>
    tx.participant.update({ where: { id }, data: withJson(fields, 'userData') }).catch(asLostRace);

  /** The search is for a part of the folded text; no character of it has a meaning of its own. */
  async search(
    projectId: string,
    { search: text = '', since, until, among }: ParticipantFilter,
    page: RowPage,
  ): Promise<{ rows: ParticipantRow[]; total: number }> {
    const reader = this.database.read;
    if (among !== undefined) return this.searchAmong(projectId, among, { text, since, until }, page);
    if (text === '') {
      const joinedAt = within({ since, until });
      const where = { projectId, ...(joinedAt === undefined ? {} : { joinedAt }) };
      const [rows, total] = await Promise.all([
        reader.participant.findMany(oldestFirst(where, page)),
        reader.participant.count({ where }),
      ]);
      return { rows, total };
    }
    const folded = foldAccents(text);
    const wanted = [projectId, folded, ...[since ?? longAgo, until ?? neverYet].map((time) => sqlTime(new Date(time)))];
    const [ids, count] = await Promise.all([
      reader.$queryRawUnsafe<{ id: string }[]>(this.sql.page, ...wanted, page.after ?? '', page.limit, page.offset),
      reader.$queryRawUnsafe<TotalRow[]>(this.sql.count, ...wanted),
    ]);
    const rows = await reader.participant.findMany({
      where: { id: { in: ids.map(({ id }) => id) } },
      orderBy: { id: 'asc' },
    });
    return { rows, total: Number(count[0]?.total ?? 0) };
  }

  /** Searches some people, a bounded number of them. */
  private async searchAmong(
    projectId: string,
    among: readonly string[],
    { text, since = longAgo, until = neverYet }: { text: string } & Pick<ParticipantFilter, 'since' | 'until'>,
    { after = '', offset, limit }: RowPage,
  ): Promise<{ rows: ParticipantRow[]; total: number }> {
    const folded = foldAccents(text);
    const [from, to] = [new Date(since), new Date(until)];
    const found = (await this.byExternalIds(projectId, [...new Set(among)]))
      .filter(({ searchKey, joinedAt }) => searchKey.includes(folded) && joinedAt >= from && joinedAt < to)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    const rest = found.filter(({ id }) => id > after);
    return { rows: rest.slice(offset, offset + limit), total: found.length };
  }

  /** The participants who came last, up to `most`, a page at a time. */
  async *newest(projectId: string, most: number): AsyncGenerator<ParticipantRow[]> {
    let [left, before]: [number, string | undefined] = [most, undefined];
    while (left > 0) {
      const where = { projectId, ...(before === undefined ? {} : { id: { lt: before } }) };
      const take = Math.min(left, idsAtOnce);
      const rows: ParticipantRow[] = await this.database.read.participant.findMany({
        ...{ where, take },
        orderBy: { id: 'desc' },
      });
      yield rows;
      before = rows.at(-1)?.id;
      left = before === undefined || rows.length < take ? 0 : left - rows.length;
    }
  }

  /** Returns up to `limit` participants with exactly this display name, but for case and accents. */
  async named(projectId: string, name: string, limit: number): Promise<ParticipantRow[]> {
    const found = await this.ids(this.sql.named, projectId, searchKeyOf(name, ''), limit);
    return this.byIds(projectId, found);
  }

  /** People whose display name is one of these, but for case and accents; a bounded number of them. */
  async called(
    projectId: string,
    names: readonly string[],
  ): Promise<Pick<ParticipantRow, 'displayName' | 'externalUserId'>[]> {
    if (names.length === 0) return [];
    const folded = JSON.stringify([...new Set(names.map(foldAccents))]);
    return this.database.read.$queryRawUnsafe(this.sql.called, projectId, folded, calledMax);
  }

  /** True if anybody in a project of the tenant has exactly this display name, but for case and accents. */
  isNamed = async (tenantId: string, name: string): Promise<boolean> =>
    (await this.ids(this.sql.anyNamed, tenantId, searchKeyOf(name, ''))).length > 0;

  private async ids(statement: string, ...parameters: readonly unknown[]): Promise<string[]> {
    const rows = await this.database.read.$queryRawUnsafe<{ id: string }[]>(statement, ...parameters);
    return rows.map(({ id }) => id);
  }

  private async those(
    statement: string,
    projectId: string,
    ids: readonly string[],
    reader: Reader | Transaction = this.database.read,
  ): Promise<ParticipantRow[]> {
    const rows: ParticipantRow[] = [];
    const pauses = new Pauses();
    for (const part of slicesOf(ids, idsAtOnce)) {
      rows.push(...(await reader.$queryRawUnsafe<ParticipantRow[]>(statement, projectId, JSON.stringify(part))));
      await pauses.next();
    }
    return rows;
  }

  /** The person's own row, if there is one, and with it the moderators' notes about them. */
  erase = (tx: Transaction, id: string) => tx.participant.deleteMany({ where: { id } });
}
