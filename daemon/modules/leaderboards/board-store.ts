/** Rows of leaderboards, their periods and tallies. What intake counts by moves the project's revision. */

import type { PageQuery } from '../../../src/contract/common.js';
import { Aggregate, LateEvents, type Leaderboard, SortOrder } from '../../../src/contract/gameplay/leaderboards.js';
import { dateOrNull, jsonTextOrNull, timeOrNull } from '../../platform/database/column-values.js';
import type { Reader, Transaction } from '../../platform/database/database.js';
import { type Dialect, sqlTime } from '../../platform/database/dialect.js';
import { lockRow } from '../../platform/database/row-lock.js';
import { newestFirst } from '../../platform/database/row-page.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import { earliestOf } from '../../platform/scheduler/due-work.js';
import { shown } from '../game-events/deletion-store.js';
import { conditionsOf, resetPeriodOrNull, textsOf } from '../game-events/model/columns.js';
import type { Tenants } from '../game-events/project-definitions.js';
import { type BoardDefinition, type BoardPeriod, defineBoard, rulesText } from './board.js';
import { changedMeanwhile, leaderboardStatements, lockAll } from './sql.js';

type Client = Transaction | Reader;
type BoardRow = NonNullable<Awaited<ReturnType<Transaction['leaderboard']['findFirst']>>>;
type PeriodRow = NonNullable<Awaited<ReturnType<Transaction['leaderboardPeriod']['findFirst']>>>;

type BoardKey = Pick<Leaderboard, 'projectId' | 'id'>;

/** Reads of a project that boards need. */
export interface Projects extends Tenants {
  /** Called by every change: definitions in memory are read again when the revision has changed. */
  bump(tx: Transaction, projectId: string): Promise<void>;
}

const toBoard = ({ currentPeriodId: _, key: __, deletionId: ___, ...row }: BoardRow): Leaderboard => ({
  ...row,
  name: textsOf(row.name),
  aggregate: Aggregate.parse(row.aggregate),
  sortOrder: SortOrder.parse(row.sortOrder),
  metadataConditions: conditionsOf(row.metadataConditions),
  resetPeriod: resetPeriodOrNull(row.resetPeriod),
  lateEvents: LateEvents.parse(row.lateEvents),
  startDate: timeOrNull(row.startDate),
  endDate: timeOrNull(row.endDate),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const toBoardRow = (board: Leaderboard): Omit<BoardRow, 'currentPeriodId' | 'key'> => ({
  ...board,
  ...shown,
  name: JSON.stringify(board.name),
  metadataConditions: JSON.stringify(board.metadataConditions),
  resetPeriod: jsonTextOrNull(board.resetPeriod),
  startDate: dateOrNull(board.startDate),
  endDate: dateOrNull(board.endDate),
  createdAt: new Date(board.createdAt),
  updatedAt: new Date(board.updatedAt),
});

const toPeriod = ({ id, tallyId, startsAt, endsAt }: PeriodRow): BoardPeriod => ({ id, tallyId, startsAt, endsAt });

/** What a count asks of a board once it has locked it. */
interface BoardChanges {
  /** The newest period; null: the board is gone. */
  periodId: string | null;
  readonly excluded: Set<string>;
  /** When members were taken off, by kind and id as JSON. */
  readonly removed: Map<string, Date>;
}

/** Tallies of a board that are looked through for scores. */
const talliesMax = 1_000;

export class BoardStore {
  private readonly sql;
  private readonly lockAllSql: readonly string[];

  constructor(
    private readonly dialect: Dialect,
    private readonly projects: Projects,
  ) {
    this.sql = leaderboardStatements[dialect];
    this.lockAllSql = dialect === 'sqlite' ? [] : lockAll;
  }

  /** Oldest first. */
  async definitions(client: Client, projectId: string, tenantId: string): Promise<BoardDefinition[]> {
    const rows = await client.leaderboard.findMany({ where: { projectId, ...shown }, orderBy: { id: 'asc' } });
    if (rows.length === 0) return [];
    return this.defined(client, rows, tenantId);
  }

  /** As it is in this transaction, whatever is cached. */
  async definition(client: Client, projectId: string, id: string): Promise<BoardDefinition | null> {
    const row = await client.leaderboard.findFirst({ where: { projectId, id, ...shown } });
    if (row === null) return null;
    return (await this.defined(client, [row], await this.projects.tenantIn(client, projectId)))[0] ?? null;
  }

  /** As they are in this transaction, whatever is cached; with deleted boards, which may be restored. */
  async definitionsIn(tx: Transaction, projectId: string): Promise<BoardDefinition[]> {
    const rows = await tx.leaderboard.findMany({ where: { projectId }, orderBy: { id: 'asc' } });
    if (rows.length === 0) return [];
    return this.defined(tx, rows, await this.projects.tenantIn(tx, projectId));
  }

  async page(client: Client, projectId: string, page: PageQuery): Promise<Leaderboard[]> {
    return (await client.leaderboard.findMany(newestFirst({ projectId, ...shown }, page))).map(toBoard);
  }

  /** Oldest first. */
  async all(client: Client, projectId: string): Promise<Leaderboard[]> {
    const where = { projectId, ...shown };
    return (await client.leaderboard.findMany({ where, orderBy: { id: 'asc' } })).map(toBoard);
  }

  /** The key of each board that has one, by the id of the board. */
  async keys(client: Client, projectId: string): Promise<Map<string, string>> {
    const rows = await client.leaderboard.findMany({ where: { projectId, ...shown }, select: { id: true, key: true } });
    return new Map(rows.flatMap(({ id, key }) => (key === null ? [] : [[id, key]])));
  }

  async saveKey(tx: Transaction, id: string, key: string): Promise<void> {
    await tx.leaderboard.updateMany({ where: { id }, data: { key } });
  }

  count(client: Client, projectId: string): Promise<number> {
    return client.leaderboard.count({ where: { projectId, ...shown } });
  }

  /** True if anybody has a score on the board or in its archive. Boards with a long archive count as having some. */
  async hasScores(client: Client, leaderboardId: string): Promise<boolean> {
    const select = { id: true } as const;
    const tallies = await client.leaderboardTally.findMany({ where: { leaderboardId }, select, take: talliesMax });
    const tallyId = { in: tallies.map(({ id }) => id) };
    if (tallies.length === talliesMax) return true;
    return (await client.leaderboardScore.findFirst({ where: { tallyId }, select: { tallyId: true } })) !== null;
  }

  /** Counts the players with a score in the current period, up to `max`. */
  async players(client: Client, leaderboardId: string, max: number): Promise<number> {
    const board = await client.leaderboard.findUnique({ where: { id: leaderboardId } });
    const period = board && (await this.findPeriod(client, leaderboardId, board.currentPeriodId));
    if (!period) return 0;
    return client.leaderboardScore.count({ where: { tallyId: period.tallyId, memberType: 'user' }, take: max });
  }

  /** Called first by every change of boards: other changes wait for the end of the transaction. */
  bump(tx: Transaction, projectId: string): Promise<void> {
    return this.projects.bump(tx, projectId);
  }

  /**
   * Locks all boards of a project, in the one order of locks of boards: the revision of the project, the tallies that are
   * shown, all others; rebuilds and the log come after them. Nobody counts, rebuilds or changes a board until the transaction
   * ends.
   */
  async lockAll(tx: Transaction, projectId: string): Promise<void> {
    if ((await tx.leaderboard.count({ where: { projectId } })) === 0) return;
    await this.projects.bump(tx, projectId);
    for (const statement of this.lockAllSql) await tx.$queryRawUnsafe(statement, projectId);
  }

  async create(tx: Transaction, board: Leaderboard, period: Pick<BoardPeriod, 'startsAt' | 'endsAt'>): Promise<void> {
    const ids = { id: uuidv7(), tallyId: uuidv7() };
    await tx.leaderboard.create({ data: { ...toBoardRow(board), currentPeriodId: ids.id } });
    await this.insertPeriod(tx, board, { ...ids, ...period });
  }

  async update(tx: Transaction, board: Leaderboard, endsAt: Date | null): Promise<void> {
    const { currentPeriodId } = await tx.leaderboard.update({ where: { id: board.id }, data: toBoardRow(board) });
    await tx.leaderboardPeriod.update({ where: { id: currentPeriodId }, data: { endsAt } });
  }

  async hide(tx: Transaction, ids: readonly string[], deletionId: string): Promise<void> {
    await tx.leaderboard.updateMany({ where: { id: { in: [...ids] } }, data: { deletionId } });
  }

  /** Locks the board until the transaction has ended. */
  lock = (tx: Transaction, id: string): Promise<void> => lockRow(tx, this.dialect, 'Leaderboard', id);

  /**
   * Begins a period and returns it, or the one that another transaction has begun; null: the board is gone. `cutAt`:
   * when the period before ends, unless it is over already. A period without events leaves no entry.
   */
  async begin(
    tx: Transaction,
    { board, period: old }: BoardDefinition,
    next: Pick<BoardPeriod, 'startsAt' | 'endsAt'>,
    cutAt: Date | null = null,
  ): Promise<{ period: BoardPeriod | null; isNew: boolean }> {
    await this.projects.bump(tx, board.projectId);
    const period: BoardPeriod = { id: uuidv7(), tallyId: uuidv7(), ...next };
    const taken = await tx.leaderboard.updateMany({
      where: { id: board.id, currentPeriodId: old.id },
      data: { currentPeriodId: period.id },
    });
    if (taken.count === 0) return { period: await this.currentPeriod(tx, board.id), isNew: false };
    // A tally that was ever counted into has another version.
    const empty = { where: { id: old.tallyId, version: 0n }, data: { role: 'discarded' } };
    if ((await tx.leaderboardTally.updateMany(empty)).count > 0)
      await tx.leaderboardPeriod.delete({ where: { id: old.id } });
    else if (cutAt !== null && (old.endsAt === null || cutAt < old.endsAt))
      await tx.leaderboardPeriod.update({ where: { id: old.id }, data: { endsAt: cutAt } });
    await this.insertPeriod(tx, board, period);
    return { period, isNew: true };
  }

  /** The boards whose newest period is over while they go on, the longest first. */
  overdue(client: Client, now: Date, limit: number): Promise<BoardKey[]> {
    return client.$queryRawUnsafe<BoardKey[]>(this.sql.overdue, sqlTime(now), sqlTime(now), limit);
  }

  /** When the next period of a board ends that goes on; null: none does. */
  async nextEnd(client: Client, now: Date): Promise<Date | null> {
    const [row] = await client.$queryRawUnsafe<{ at: Date | string | null }[]>(this.sql.nextEnd, sqlTime(now));
    return earliestOf([row?.at ?? null]);
  }

  /** The newest period, as it is in this transaction; null: the board is gone. */
  async currentPeriod(tx: Transaction, leaderboardId: string): Promise<BoardPeriod | null> {
    const board = await tx.leaderboard.findUnique({ where: { id: leaderboardId } });
    return board === null ? null : this.findPeriod(tx, leaderboardId, board.currentPeriodId);
  }

  async findPeriod(client: Client, leaderboardId: string, id: string): Promise<BoardPeriod | null> {
    const row = await client.leaderboardPeriod.findFirst({ where: { leaderboardId, id } });
    return row === null ? null : toPeriod(row);
  }

  /** Returns the periods that were not over at a time. */
  async periodsFrom(client: Client, leaderboardId: string, at: Date): Promise<BoardPeriod[]> {
    const where = { leaderboardId, OR: [{ endsAt: null }, { endsAt: { gt: at } }] };
    return (await client.leaderboardPeriod.findMany({ where, orderBy: { id: 'asc' } })).map(toPeriod);
  }

  /** Newest first. */
  async periods(client: Client, leaderboardId: string, page: PageQuery) {
    const rows = await client.leaderboardPeriod.findMany(newestFirst({ leaderboardId }, page));
    return { periods: rows.map(toPeriod), total: await client.leaderboardPeriod.count({ where: { leaderboardId } }) };
  }

  private async insertPeriod(tx: Transaction, board: Leaderboard, period: BoardPeriod): Promise<void> {
    await tx.leaderboardPeriod.create({ data: { ...period, leaderboardId: board.id, complete: true } });
    await tx.leaderboardTally.create({
      data: {
        id: period.tallyId,
        projectId: board.projectId,
        leaderboardId: board.id,
        periodId: period.id,
        role: 'live',
        rules: rulesText(board),
        countedTo: '',
        version: 0,
        epoch: 0,
        createdAt: period.startsAt,
      },
    });
  }

  /** The users who do not count, by board. */
  async excludedFrom(client: Client, leaderboardIds: readonly string[]): Promise<Map<string, Set<string>>> {
    const found = new Map<string, Set<string>>();
    type Row = { readonly leaderboardId: string; readonly memberId: string };
    const rows = await client.$queryRawUnsafe<Row[]>(this.sql.excluded, JSON.stringify(leaderboardIds));
    for (const { leaderboardId, memberId } of rows)
      found.set(leaderboardId, (found.get(leaderboardId) ?? new Set()).add(memberId));
    return found;
  }

  /**
   * What may have changed of boards since their definitions were read, for a caller who has locked them: their periods, who
   * does not count, and who was taken off them later than `since`. On SQLite nothing can.
   */
  async changedSince(
    tx: Transaction,
    definitions: readonly BoardDefinition[],
    since: Date,
  ): Promise<Map<string, BoardChanges>> {
    const found = new Map(
      definitions.map(({ board, period, excluded }): [string, BoardChanges] => [
        board.id,
        { periodId: period.id, excluded: new Set(excluded), removed: new Map() },
      ]),
    );
    if (this.dialect === 'sqlite' || found.size === 0) return found;
    const ids = [...found.keys()];
    for (const id of ids) found.set(id, { periodId: null, excluded: new Set(), removed: new Map() });
    type Row = { leaderboardId: string; kind: string; memberId: string; before: Date | null };
    const rows = await tx.$queryRawUnsafe<Row[]>(changedMeanwhile, JSON.stringify(ids), sqlTime(since));
    for (const { leaderboardId, kind, memberId, before } of rows) {
      const changes = found.get(leaderboardId);
      if (changes === undefined) continue;
      if (kind === 'period') changes.periodId = memberId;
      else if (kind === 'excluded') changes.excluded.add(memberId);
      else if (before !== null) changes.removed.set(JSON.stringify([kind, memberId]), new Date(before));
    }
    return found;
  }

  private async defined(client: Client, rows: readonly BoardRow[], tenantId: string): Promise<BoardDefinition[]> {
    const ids = rows.map(({ id }) => id);
    const periods = await client.leaderboardPeriod.findMany({
      where: { id: { in: rows.map(({ currentPeriodId }) => currentPeriodId) } },
    });
    const excluded = await this.excludedFrom(client, ids);
    return rows.flatMap((row) => {
      const period = periods.find(({ id }) => id === row.currentPeriodId);
      // Deleted since its row was read.
      if (period === undefined) return [];
      const users = excluded.get(row.id) ?? new Set<string>();
      return defineBoard(toBoard(row), { tenantId, excluded: users, period: toPeriod(period) });
    });
  }
}
