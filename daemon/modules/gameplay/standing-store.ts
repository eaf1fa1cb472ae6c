/** Rows of where players stand with challenges, read and written in sets. */
import { z } from 'zod';
import { ChallengeState } from '../../../src/contract/gameplay/player-challenges.js';
import { type Dialect, type Reader, sqlTime, type Transaction } from '../../platform/database/database.js';
import { dueAt, type Progress } from './rules.js';
import { gameplayStatements } from './sql.js';

/** Whose standing with which challenge. */
export interface StandingKey {
  readonly projectId: string;
  readonly userId: string;
  readonly challengeId: string;
}

export interface Standing extends StandingKey {
  readonly progress: Progress;
}

const Time = z.coerce.date().nullable();
const Row = z.object({
  projectId: z.string(),
  userId: z.string(),
  challengeId: z.string(),
  state: ChallengeState,
  counter: z.coerce.number(),
  sessionId: z.string().nullable(),
  unlockedAt: Time,
  activatedAt: Time,
  endsAt: Time,
  periodEndsAt: Time,
  claimedAt: Time,
});

const toStanding = (row: unknown): Standing => {
  const { projectId, userId, challengeId, ...progress } = Row.parse(row);
  return { projectId, userId, challengeId, progress };
};

const stored = (time: Date | null): string | null => (time === null ? null : sqlTime(time));
const toColumns = ({ projectId, userId, challengeId, progress }: Standing): unknown[] => [
  ...[projectId, userId, challengeId, progress.state, progress.counter, progress.sessionId],
  ...[progress.unlockedAt, progress.activatedAt, progress.endsAt, progress.periodEndsAt, progress.claimedAt].map(
    stored,
  ),
  stored(dueAt(progress)),
];

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byKey = (a: StandingKey, b: StandingKey): number =>
  compareText(a.projectId, b.projectId) || compareText(a.userId, b.userId) || compareText(a.challengeId, b.challengeId);

export class StandingStore {
  private readonly sql;

  constructor(dialect: Dialect) {
    this.sql = gameplayStatements[dialect];
  }

  /** Those of the keys that are in progress, locked. */
  async inProgress(tx: Transaction, keys: readonly StandingKey[]): Promise<Standing[]> {
    if (keys.length === 0) return [];
    const rows = keys.map(({ projectId, userId, challengeId }) => [projectId, userId, challengeId]);
    return this.query(tx, this.sql.inProgress, JSON.stringify(rows));
  }

  /** Every standing of a player, locked, with the player: another action of theirs waits. */
  async lockPlayer(tx: Transaction, projectId: string, userId: string, now: Date): Promise<Standing[]> {
    const at = sqlTime(now);
    await tx.$executeRawUnsafe(this.sql.lockPlayer, projectId, userId, at, at);
    return this.query(tx, this.sql.ofPlayer, projectId, userId);
  }

  /** Every standing of a player. */
  async ofPlayer(client: Transaction | Reader, projectId: string, userId: string): Promise<Standing[]> {
    return (await client.playerChallenge.findMany({ where: { projectId, userId } })).map(toStanding);
  }

  /** Standings that the clock has overtaken, locked. */
  async due(tx: Transaction, now: Date, limit: number): Promise<Standing[]> {
    return this.query(tx, this.sql.due, sqlTime(now), limit);
  }

  async save(tx: Transaction, standings: readonly Standing[]): Promise<void> {
    if (standings.length === 0) return;
    await tx.$executeRawUnsafe(this.sql.saveStandings, JSON.stringify([...standings].sort(byKey).map(toColumns)));
  }

  private async query(tx: Transaction, sql: string, ...parameters: unknown[]): Promise<Standing[]> {
    return (await tx.$queryRawUnsafe<unknown[]>(sql, ...parameters)).map(toStanding);
  }
}
