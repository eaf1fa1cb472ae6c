/** Rows of a season: keys, what was applied last, and challenges and levels written many at once. */
import { Season } from '../../../../src/contract/gameplay/season.js';
import { idsAtOnce, type Reader, type Transaction } from '../../../platform/database/database.js';
import type { Dialect } from '../../../platform/database/dialect.js';
import { Pauses, slicesOf } from '../../../platform/database/slices.js';
import type { toLevelRow } from '../battle-passes/store.js';
import type { toChallengeRow } from '../challenge-store.js';
import { challengeRows, type KeyedTable, keyRows, levelRows, seasonStatements } from './sql.js';

type Client = Transaction | Reader;

/** The key of each row that has one, by the id of the row. */
export type StoredKeys = Readonly<Record<KeyedTable, ReadonlyMap<string, string>>>;

export interface KeyOfRow {
  readonly id: string;
  readonly key: string;
}

interface AppliedSeason {
  readonly season: Season;
  readonly appliedAt: Date;
}

/** Stored row of the season applied last; null: another version has stored it, in a form that this one cannot read. */
type StoredApplied = Omit<AppliedSeason, 'season'> & { readonly season: Season | null };

/** Challenges alone and in levels are rows of one table. */
type ChallengeRow = ReturnType<typeof toChallengeRow> & { readonly key: string };
type LevelRow = ReturnType<typeof toLevelRow> & { readonly key: string };

const keyed = { id: true, key: true } as const;
const byId = (rows: readonly { readonly id: string; readonly key: string | null }[]): Map<string, string> =>
  new Map(rows.flatMap(({ id, key }) => (key === null ? [] : [[id, key]])));

/** Counts among the players who were read. */
interface ChallengeProgress {
  readonly looked: number;
  readonly begun: number;
  readonly reached: number;
}

export class SeasonStore {
  private readonly sql;

  constructor(dialect: Dialect) {
    this.sql = seasonStatements[dialect];
  }

  async keys(client: Client, projectId: string): Promise<StoredKeys> {
    const which = { where: { projectId }, select: keyed };
    return {
      Challenge: byId(await client.challenge.findMany(which)),
      BattlePass: byId(await client.battlePass.findMany(which)),
      BattlePassLevel: byId(await client.battlePassLevel.findMany(which)),
      Leaderboard: byId(await client.leaderboard.findMany(which)),
    };
  }

  async saveKeys(tx: Transaction, table: KeyedTable, keys: readonly KeyOfRow[]): Promise<void> {
    await inSlices(keys, (slice) => tx.$executeRawUnsafe(this.sql.saveKeys[table], keyRows.text(slice)));
  }

  async saveChallenges(tx: Transaction, rows: readonly ChallengeRow[]): Promise<void> {
    await inSlices(rows, (slice) => tx.$executeRawUnsafe(this.sql.saveChallenges, challengeRows.text(slice)));
  }

  /** Their places may be exchanged: those that are stored are moved out of the way first. */
  async saveLevels(tx: Transaction, rows: readonly LevelRow[]): Promise<void> {
    await inIds(rows, (id) => tx.battlePassLevel.updateMany({ where: { id }, data: { position: { multiply: -1 } } }));
    await inSlices(rows, (slice) => tx.$executeRawUnsafe(this.sql.saveLevels, levelRows.text(slice)));
  }

  async removeChallenges(tx: Transaction, rows: readonly { readonly id: string }[]): Promise<void> {
    await inIds(rows, (id) => tx.challenge.deleteMany({ where: { id } }));
  }

  async removeLevels(tx: Transaction, rows: readonly { readonly id: string }[]): Promise<void> {
    await inIds(rows, (id) => tx.battlePassLevel.deleteMany({ where: { id } }));
  }

  /** null: no file was ever applied. */
  async applied(client: Client, projectId: string): Promise<StoredApplied | null> {
    const row = await client.appliedSeason.findUnique({ where: { projectId } });
    return row === null ? null : { season: readable(row.season), appliedAt: row.appliedAt };
  }

  async saveApplied(tx: Transaction, projectId: string, { season, appliedAt }: AppliedSeason): Promise<void> {
    const row = { season: JSON.stringify(season), appliedAt };
    await tx.appliedSeason.upsert({ where: { projectId }, create: { projectId, ...row }, update: row });
  }

  /**
   * Counts, among up to `most` players of the challenge, those in progress and those of them whose counter is `counter`
   * or more.
   */
  async progress(client: Client, challengeId: string, counter: number, most: number): Promise<ChallengeProgress> {
    type Row = Record<keyof ChallengeProgress, bigint | number>;
    const [row] = await client.$queryRawUnsafe<Row[]>(this.sql.progress, counter, challengeId, most);
    const { looked = 0, begun = 0, reached = 0 } = row ?? {};
    return { looked: Number(looked), begun: Number(begun), reached: Number(reached) };
  }

  /** Players who have begun a challenge, unlocked a battle pass or activated a level. Counts up to `max`. */
  players(client: Client, of: 'challenge' | 'battlePass' | 'level', id: string, max: number): Promise<number> {
    if (of === 'challenge') return client.playerChallenge.count({ where: { challengeId: id }, take: max });
    if (of === 'battlePass') return client.playerBattlePass.count({ where: { battlePassId: id }, take: max });
    return client.playerBattlePassLevel.count({ where: { levelId: id }, take: max });
  }
}

function readable(text: string): Season | null {
  try {
    return Season.parse(JSON.parse(text));
  } catch {
    return null;
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

async function inIds(
  rows: readonly { readonly id: string }[],
  write: (id: { in: string[] }) => Promise<unknown>,
): Promise<void> {
  const pauses = new Pauses();
  for (const slice of slicesOf(rows, idsAtOnce)) {
    await write({ in: slice.map(({ id }) => id) });
    await pauses.next();
  }
}
