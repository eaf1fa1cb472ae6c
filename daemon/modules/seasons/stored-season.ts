/** The season that a project has now, read from its rows. */
import type { BattlePassLevel } from '../../../src/contract/gameplay/battle-pass-levels.js';
import { textOf } from '../../../src/contract/gameplay/localised-text.js';
import {
  completed,
  type Season,
  SeasonBattlePass,
  SeasonCategory,
  SeasonChallenge,
  SeasonLeaderboard,
  SeasonLevel,
  SeasonLevelChallenge,
} from '../../../src/contract/gameplay/season.js';
import type { DatabaseClient, Transaction } from '../../platform/database/database.js';
import type { BattlePassStore } from '../challenges/battle-passes/store.js';
import type { ChallengeStore } from '../challenges/challenge-store.js';
import type { CountingConflicts } from '../challenges/counting-conflict-store.js';
import type { KeyedRowStore, KeyOfRow } from '../challenges/keyed-row-store.js';
import { keyedKinds } from '../challenges/keyed-rows-sql.js';
import type { BoardStore } from '../leaderboards/board-store.js';
import { keysFor } from './keys.js';
import { pathOf } from './objects.js';
import type { SeasonStore } from './season-store.js';

/** The row of an object. */
export interface StoredRow {
  readonly id: string;
  readonly createdAt: string;
}

export interface StoredSeason {
  readonly season: Season;
  /** By path. */
  readonly rows: ReadonlyMap<string, StoredRow>;
  /** Keys that are in the season and not stored yet. */
  readonly newKeys: Readonly<Record<KeyedInSeason, readonly KeyOfRow[]>>;
}

/** Kinds of rows that get a key; that of a category is its slug. */
export const keyedInSeason = [...keyedKinds, 'leaderboard'] as const;
type KeyedInSeason = (typeof keyedInSeason)[number];
type StoredKeys = Readonly<Record<KeyedInSeason, ReadonlyMap<string, string>>>;

export interface SeasonSources {
  readonly challenges: ChallengeStore;
  readonly passes: BattlePassStore;
  readonly rows: KeyedRowStore;
  readonly conflicts: CountingConflicts;
  readonly boards: BoardStore;
  readonly seasons: SeasonStore;
}

/** Reads everything; objects without a key have the one that they would get. */
export async function readStoredSeason(
  sources: SeasonSources,
  client: DatabaseClient,
  projectId: string,
): Promise<StoredSeason> {
  const stored = {
    ...(await sources.rows.keys(client, projectId)),
    leaderboard: await sources.boards.keys(client, projectId),
  };
  const categories = await sources.challenges.allCategories(client, projectId);
  const challenges = await sources.challenges.allChallenges(client, projectId);
  const { battlePasses, levels } = await sources.passes.all(client, projectId);
  const boards = await sources.boards.all(client, projectId);
  const building = new Building(stored);
  const season: Season = {
    categories: categories.map(({ slug: key, ...one }) => {
      building.at(pathOf.category(key), one);
      return completed(SeasonCategory, { ...one, key });
    }),
    challenges: building.keyed(
      'challenge',
      challenges,
      ({ name }) => textOf(name),
      'challenge',
      (one, key) => {
        building.at(pathOf.challenge(key), one);
        const category = categories.find(({ id }) => id === one.categoryId)?.slug;
        return completed(SeasonChallenge, { ...one, key, category });
      },
    ),
    battlePasses: building.keyed(
      'battlePass',
      battlePasses,
      ({ name }) => textOf(name),
      'battle-pass',
      (pass, key) => {
        building.at(pathOf.battlePass(key), pass);
        const own = levels.filter(({ battlePassId }) => battlePassId === pass.id);
        return completed(SeasonBattlePass, { ...pass, key, levels: building.levels(key, own) });
      },
    ),
    leaderboards: building.keyed(
      'leaderboard',
      boards,
      ({ name }) => textOf(name),
      'leaderboard',
      (board, key) => {
        building.at(pathOf.leaderboard(key), board);
        return completed(SeasonLeaderboard, { ...board, key });
      },
    ),
  };
  return { season, rows: building.rows, newKeys: building.newKeys };
}

class Building {
  readonly rows = new Map<string, StoredRow>();
  readonly newKeys: Record<KeyedInSeason, KeyOfRow[]> = {
    challenge: [],
    battlePass: [],
    level: [],
    leaderboard: [],
  };

  constructor(private readonly stored: StoredKeys) {}

  at(path: string, { id, createdAt }: StoredRow): void {
    this.rows.set(path, { id, createdAt });
  }

  keyed<T extends StoredRow, R>(
    kind: KeyedInSeason,
    list: readonly T[],
    named: (one: T) => string,
    otherwise: string,
    make: (one: T, key: string) => R,
  ): R[] {
    const keys = keysFor(list, this.stored[kind], named, otherwise);
    return list.map((one) => {
      const key = keys.get(one.id) ?? otherwise;
      if (!this.stored[kind].has(one.id)) this.newKeys[kind].push({ id: one.id, key });
      return make(one, key);
    });
  }

  levels(pass: string, levels: readonly BattlePassLevel[]): SeasonLevel[] {
    return this.keyed(
      'level',
      levels,
      ({ position }) => `level-${position}`,
      'level',
      (level, key) => {
        this.at(pathOf.level(pass, key), level);
        const challenges = this.keyed(
          'challenge',
          level.challenges,
          ({ name }) => textOf(name),
          'challenge',
          (one, own) => {
            this.at(pathOf.levelChallenge(pass, key, own), one);
            return completed(SeasonLevelChallenge, { ...one, key: own });
          },
        );
        return completed(SeasonLevel, { ...level, key, challenges });
      },
    );
  }
}

/** Stores keys of rows that have none yet. */
export async function saveKeys(
  { rows, boards }: SeasonSources,
  tx: Transaction,
  kind: KeyedInSeason,
  keys: readonly KeyOfRow[],
): Promise<void> {
  if (kind !== 'leaderboard') await rows.saveKeys(tx, kind, keys);
  else for (const { id, key } of keys) await boards.saveKey(tx, id, key);
}
