/** Rows of challenges, battle passes and levels as a season has them: found by keys, and written many at once. */
import { type DatabaseClient, idsAtOnce, type Transaction } from '../../platform/database/database.js';
import type { Dialect } from '../../platform/database/dialect.js';
import { Pauses, slicesOf } from '../../platform/database/slices.js';
import { shown } from '../game-events/deletion-store.js';
import type { toLevelRow } from './battle-passes/store.js';
import type { toChallengeRow } from './challenge-store.js';
import { challengeRows, type KeyedKind, keyedStatements, keyRows, levelRows } from './keyed-rows-sql.js';
import { touched } from './move-store.js';

/** The key of each row that has one, by the id of the row. */
export type ChallengeKeys = Readonly<Record<KeyedKind, ReadonlyMap<string, string>>>;

export interface KeyOfRow {
  readonly id: string;
  readonly key: string;
}

/** Challenges alone and in levels are rows of one table. */
type KeyedChallengeRow = ReturnType<typeof toChallengeRow> & { readonly key: string };
type KeyedLevelRow = ReturnType<typeof toLevelRow> & { readonly key: string };

interface RowId {
  readonly id: string;
}

const keyed = { id: true, key: true } as const;
const byId = (rows: readonly { readonly id: string; readonly key: string | null }[]): Map<string, string> =>
  new Map(rows.flatMap(({ id, key }) => (key === null ? [] : [[id, key]])));

/** Counts among the players who were read. */
interface ChallengeProgress {
  readonly looked: number;
  readonly begun: number;
  readonly reached: number;
}

export class KeyedRowStore {
  private readonly sql;

  constructor(dialect: Dialect) {
    this.sql = keyedStatements[dialect];
  }

  async keys(client: DatabaseClient, projectId: string): Promise<ChallengeKeys> {
    const which = { where: { projectId, ...shown }, select: keyed };
    return {
      challenge: byId(await client.challenge.findMany(which)),
      battlePass: byId(await client.battlePass.findMany(which)),
      level: byId(await client.battlePassLevel.findMany(which)),
    };
  }

  async saveKeys(tx: Transaction, kind: KeyedKind, keys: readonly KeyOfRow[]): Promise<void> {
    await inSlices(keys, (slice) => tx.$executeRawUnsafe(this.sql.saveKeys[kind], keyRows.text(slice)));
  }

  async saveChallenges(tx: Transaction, rows: readonly KeyedChallengeRow[]): Promise<void> {
    await inSlices(rows, (slice) => tx.$executeRawUnsafe(this.sql.saveChallenges, challengeRows.text(slice)));
  }

  /** Their places may be exchanged: those that are stored are moved out of the way first. */
  async saveLevels(tx: Transaction, rows: readonly KeyedLevelRow[]): Promise<void> {
    await inIds(rows, (id) => tx.battlePassLevel.updateMany({ where: { id }, data: { position: { multiply: -1 } } }));
    await inSlices(rows, (slice) => tx.$executeRawUnsafe(this.sql.saveLevels, levelRows.text(slice)));
  }

  async hideChallenges(tx: Transaction, rows: readonly RowId[], deletionId: string): Promise<void> {
    await inIds(rows, (id) => tx.challenge.updateMany({ where: { id }, data: { deletionId } }));
  }

  /** With their challenges. */
  async hideLevels(tx: Transaction, rows: readonly RowId[], deletionId: string): Promise<void> {
    await inIds(rows, async (levelId) => {
      await tx.challenge.updateMany({ where: { levelId, ...shown }, data: { deletionId } });
      await tx.battlePassLevel.updateMany({ where: { id: levelId }, data: { deletionId } });
    });
  }

  /** With their levels, and the challenges in these. */
  async hidePasses(tx: Transaction, rows: readonly RowId[], deletionId: string): Promise<void> {
    await inIds(rows, async (battlePassId) => {
      const level = { battlePassId };
      await tx.challenge.updateMany({ where: { level, ...shown }, data: { deletionId } });
      await tx.battlePassLevel.updateMany({ where: { battlePassId, ...shown }, data: { deletionId } });
      await tx.battlePass.updateMany({ where: { id: battlePassId }, data: { deletionId } });
    });
  }

  /**
   * Counts, among up to `most` players of the challenge, those in progress and those of them whose counter is `counter`
   * or more.
   */
  async progress(
    client: DatabaseClient,
    challengeId: string,
    counter: number,
    most: number,
  ): Promise<ChallengeProgress> {
    type Row = Record<keyof ChallengeProgress, bigint | number>;
    const [row] = await client.$queryRawUnsafe<Row[]>(this.sql.progress, counter, challengeId, most);
    const { looked = 0, begun = 0, reached = 0 } = row ?? {};
    return { looked: Number(looked), begun: Number(begun), reached: Number(reached) };
  }

  /**
   * Players who have begun a challenge, unlocked a battle pass or activated a level. Counts up to `max`. Those who have
   * cancelled, or are back at the start for another reason, have no progress.
   */
  players(client: DatabaseClient, of: 'challenge' | 'battlePass' | 'level', id: string, max: number): Promise<number> {
    if (of === 'challenge') return client.playerChallenge.count({ where: { challengeId: id, ...touched }, take: max });
    if (of === 'battlePass') return client.playerBattlePass.count({ where: { battlePassId: id }, take: max });
    return client.playerBattlePassLevel.count({ where: { levelId: id }, take: max });
  }
}

/** A maximal season has thousands of rows; others have their turns between. */
async function inSlices<T>(rows: readonly T[], write: (slice: readonly T[]) => Promise<unknown>): Promise<void> {
  const pauses = new Pauses();
  for (const slice of slicesOf(rows)) {
    await write(slice);
    await pauses.next();
  }
}

async function inIds(rows: readonly RowId[], write: (id: { in: string[] }) => Promise<unknown>): Promise<void> {
  const pauses = new Pauses();
  for (const slice of slicesOf(rows, idsAtOnce)) {
    await write({ in: slice.map(({ id }) => id) });
    await pauses.next();
  }
}
