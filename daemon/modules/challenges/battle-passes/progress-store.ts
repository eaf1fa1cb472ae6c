/** Rows of how far players have come in battle passes. */
import { z } from 'zod';
import { compareText } from '../../../platform/database/bulk-rows.js';
import type { DatabaseClient, Transaction } from '../../../platform/database/database.js';
import { type Dialect, sqlTime } from '../../../platform/database/dialect.js';
import { type PlayerChallengeRow, toPlayerChallenge } from '../player-challenge-store.js';
import type { LevelProgress } from './rules.js';
import { battlePassStatements, levelRows, passKeyRows, playerKeyRows } from './sql.js';

/** Key of a player's progress in a pass. */
export interface PassKey {
  readonly projectId: string;
  readonly userId: string;
  readonly battlePassId: string;
}

export interface PlayerLevel extends PassKey {
  readonly levelId: string;
  readonly progress: LevelProgress;
}

export interface PremiumPurchase {
  readonly purchaseId: string;
  readonly purchasePrice: number | null;
  readonly purchaseCurrency: string | null;
  readonly unlockedAt: Date;
  /** null: the free track alone. */
  readonly premiumAt: Date | null;
}

export interface PlayerPass extends PassKey, PremiumPurchase {}

/** All that the rules need to move players on in their passes. */
export interface PassesOfPlayers {
  readonly passes: readonly PassKey[];
  readonly levels: readonly PlayerLevel[];
  /** Every challenge of these players. */
  readonly challenges: readonly PlayerChallengeRow[];
}

const Level = z.object({
  projectId: z.string(),
  userId: z.string(),
  battlePassId: z.string(),
  levelId: z.string(),
  activatedAt: z.coerce.date(),
  completedAt: z.coerce.date().nullable(),
  claimedAt: z.coerce.date().nullable(),
  premiumClaimedAt: z.coerce.date().nullable(),
});
const Pass = z.object({
  projectId: z.string(),
  userId: z.string(),
  battlePassId: z.string(),
  purchaseId: z.string(),
  purchasePrice: z.number().nullable(),
  purchaseCurrency: z.string().nullable(),
  unlockedAt: z.coerce.date(),
  premiumAt: z.coerce.date().nullable(),
});
const toLevel = (row: unknown): PlayerLevel => {
  const { projectId, userId, battlePassId, levelId, ...progress } = Level.parse(row);
  return { projectId, userId, battlePassId, levelId, progress };
};
const toColumns = ({ progress, ...key }: PlayerLevel) => ({ ...key, ...progress });

const byPlayer = (a: PassKey, b: PassKey): number =>
  compareText(a.projectId, b.projectId) || compareText(a.userId, b.userId);
const byKey = (a: PassKey, b: PassKey): number => byPlayer(a, b) || compareText(a.battlePassId, b.battlePassId);

export class BattlePassProgressStore {
  private readonly sql;

  constructor(dialect: Dialect) {
    this.sql = battlePassStatements[dialect];
  }

  /**
   * The activated levels of these passes. They are locked, so that the transaction which finishes the last challenge of
   * a level sees that the others are finished.
   */
  async lock(tx: Transaction, keys: readonly PassKey[]): Promise<PlayerLevel[]> {
    if (keys.length === 0) return [];
    const text = passKeyRows.text([...keys].sort(byKey));
    await tx.$queryRawUnsafe<unknown[]>(this.sql.lock, text);
    return (await tx.$queryRawUnsafe<unknown[]>(this.sql.levels, text)).map(toLevel);
  }

  /** Locks the passes together with every challenge of these players. */
  async lockWithChallenges(tx: Transaction, keys: readonly PassKey[]): Promise<PassesOfPlayers> {
    const levels = await this.lock(tx, keys);
    const players = new Map(keys.map(({ projectId, userId }) => [`${projectId}\n${userId}`, { projectId, userId }]));
    const ofPlayers = playerKeyRows.text([...players.values()]);
    const challenges = await tx.$queryRawUnsafe<unknown[]>(this.sql.challenges, ofPlayers);
    return { passes: keys, levels, challenges: challenges.map(toPlayerChallenge) };
  }

  /** The passes that a player has unlocked. */
  async passesOf(client: DatabaseClient, projectId: string, userId: string): Promise<PlayerPass[]> {
    const rows = await client.$queryRawUnsafe<unknown[]>(this.sql.passesOf, projectId, userId);
    return rows.map((row) => Pass.parse(row));
  }

  async levelsOf(client: DatabaseClient, projectId: string, userId: string): Promise<PlayerLevel[]> {
    return (await client.$queryRawUnsafe<unknown[]>(this.sql.levelsOf, projectId, userId)).map(toLevel);
  }

  async insert(tx: Transaction, pass: PlayerPass): Promise<void> {
    const { projectId, userId, battlePassId, purchaseId, purchasePrice, purchaseCurrency, unlockedAt, premiumAt } =
      pass;
    const times = [sqlTime(unlockedAt), premiumAt === null ? null : sqlTime(premiumAt)];
    const purchase = [purchaseId, purchasePrice, purchaseCurrency, ...times];
    await tx.$executeRawUnsafe(this.sql.insertPass, projectId, userId, battlePassId, ...purchase);
  }

  /** Stores what was paid, and premium. */
  async savePurchase(tx: Transaction, pass: PlayerPass): Promise<void> {
    const { projectId, userId, battlePassId, purchasePrice, purchaseCurrency, premiumAt } = pass;
    const where = { projectId_userId_battlePassId: { projectId, userId, battlePassId } };
    await tx.playerBattlePass.update({ where, data: { purchasePrice, purchaseCurrency, premiumAt } });
  }

  async saveLevels(tx: Transaction, levels: readonly PlayerLevel[]): Promise<void> {
    if (levels.length === 0) return;
    const rows = [...levels].sort((a, b) => byPlayer(a, b) || compareText(a.levelId, b.levelId)).map(toColumns);
    await tx.$executeRawUnsafe(this.sql.saveLevels, levelRows.text(rows));
  }

  /** Deletes that a player unlocked a pass, and which levels were activated. */
  async delete(tx: Transaction, { projectId, userId, battlePassId }: PassKey): Promise<void> {
    const where = { projectId, userId, battlePassId };
    await tx.playerBattlePassLevel.deleteMany({ where });
    await tx.playerBattlePass.deleteMany({ where });
  }
}
