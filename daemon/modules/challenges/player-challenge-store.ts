/** Rows of players' progress in challenges, read and written in batches. */

import { z } from 'zod';
import { ChallengeState } from '../../../src/contract/gameplay/player-challenges.js';
import { compareText } from '../../platform/database/bulk-rows.js';
import type { Database, DatabaseClient, Transaction } from '../../platform/database/database.js';
import { sqlTime } from '../../platform/database/dialect.js';
import type { PlayerRows } from '../game-events/model/player.js';
import { dueAt, type Progress, type Round } from './rules.js';
import { challengeStatements, counterRows, playerChallengeKeyRows, playerChallengeRows } from './sql.js';

/** Key of a player's progress in a challenge. */
export interface PlayerChallengeKey {
  readonly projectId: string;
  readonly userId: string;
  readonly challengeId: string;
}

export interface PlayerChallengeRow extends PlayerChallengeKey {
  readonly progress: Progress;
}

const Time = z.coerce.date().nullable();
const StoredRound = z.object({
  state: ChallengeState,
  counter: z.coerce.number(),
  exact: z.string().nullable(),
  sessionId: z.string().nullable(),
  unlockedAt: Time,
  activatedAt: Time,
  endsAt: Time,
  periodEndsAt: Time,
  lateMinutes: z.coerce.number(),
  claimedAt: Time,
});
const Key = z.object({ projectId: z.string(), userId: z.string(), challengeId: z.string() });
const StoredProgress = StoredRound.extend({
  otherRounds: z
    .string()
    .nullable()
    .transform((text): Round[] => (text === null ? [] : StoredRound.array().parse(JSON.parse(text)))),
});

const StateCount = z.object({ state: ChallengeState, players: z.coerce.number() });

export const toPlayerChallenge = (row: unknown): PlayerChallengeRow =>
  Object.assign(Key.parse(row), { progress: StoredProgress.parse(row) });

const toColumns = ({ progress: { otherRounds, ...shown }, ...key }: PlayerChallengeRow) => ({
  ...key,
  ...shown,
  otherRounds: otherRounds.length === 0 ? null : JSON.stringify(otherRounds),
  dueAt: dueAt(shown),
});

const byKey = (a: PlayerChallengeKey, b: PlayerChallengeKey): number =>
  compareText(a.projectId, b.projectId) || compareText(a.userId, b.userId) || compareText(a.challengeId, b.challengeId);

export class PlayerChallengeStore {
  private readonly sql;

  constructor(
    private readonly database: Database,
    private readonly players: Pick<PlayerRows, 'lock'>,
  ) {
    this.sql = challengeStatements[database.dialect];
  }

  /** Returns the challenges that may count among the keys, locked. */
  async counting(tx: Transaction, keys: readonly PlayerChallengeKey[]): Promise<PlayerChallengeRow[]> {
    if (keys.length === 0) return [];
    return this.query(tx, this.sql.counting, playerChallengeKeyRows.text(keys));
  }

  /** Returns the players of the challenge by state, at most so many. */
  async countByState(challengeId: string, max: number): Promise<ReadonlyMap<ChallengeState, number>> {
    const rows = await this.database.read.$queryRaw`
      SELECT "state", count(*) AS "players"
      FROM (SELECT "state" FROM "PlayerChallenge" WHERE "challengeId" = ${challengeId} LIMIT ${max}) AS counted
      GROUP BY "state"`;
    return new Map(
      StateCount.array()
        .parse(rows)
        .map(({ state, players }) => [state, players]),
    );
  }

  /** Every challenge of a player, locked, together with the player: another action of the same player waits. */
  async lockPlayer(tx: Transaction, projectId: string, userId: string, now: Date): Promise<PlayerChallengeRow[]> {
    await this.players.lock(tx, { projectId, userId }, now);
    return this.lockOfPlayer(tx, projectId, userId);
  }

  /** Every challenge of a player, locked. */
  async lockOfPlayer(tx: Transaction, projectId: string, userId: string): Promise<PlayerChallengeRow[]> {
    return this.query(tx, this.sql.lockOfPlayer, projectId, userId);
  }

  /** Every challenge of a player. */
  async ofPlayer(client: DatabaseClient, projectId: string, userId: string): Promise<PlayerChallengeRow[]> {
    return this.query(client, this.sql.ofPlayer, projectId, userId);
  }

  /** Returns challenges whose time has run out, locked. */
  async due(tx: Transaction, now: Date, limit: number): Promise<PlayerChallengeRow[]> {
    return this.query(tx, this.sql.due, sqlTime(now), limit);
  }

  /** Ids of the projects of some challenges that the clock alone changes. */
  async dueProjects(tx: Transaction, now: Date, limit: number): Promise<string[]> {
    const rows = await tx.$queryRawUnsafe<{ projectId: string }[]>(this.sql.dueProjects, sqlTime(now), limit);
    return rows.map(({ projectId }) => projectId);
  }

  /** Some challenges in progress with a time limit that began after a time, locked by player. */
  async begunAfter(tx: Transaction, time: Date, limit: number): Promise<PlayerChallengeRow[]> {
    const where = { state: 'in-progress', activatedAt: { gt: time }, endsAt: { not: null } };
    const keys = await tx.playerChallenge.findMany({ where, select: { projectId: true, userId: true }, take: limit });
    const players = new Map(keys.map((key) => [JSON.stringify([key.projectId, key.userId]), key]));
    const rows: PlayerChallengeRow[] = [];
    for (const [, { projectId, userId }] of [...players].sort(([a], [b]) => compareText(a, b)))
      rows.push(...(await this.lockOfPlayer(tx, projectId, userId)));
    const isLater = ({ state, activatedAt, endsAt }: Progress): boolean =>
      state === 'in-progress' && activatedAt !== null && activatedAt > time && endsAt !== null;
    return rows.filter(({ progress }) => isLater(progress));
  }

  /** The earliest time of a challenge of a player that may run out. */
  async nextDue(): Promise<Date | null> {
    const [next] = await this.database.read.$queryRawUnsafe<{ dueAt: Date }[]>(this.sql.nextDue);
    return next?.dueAt ?? null;
  }

  async save(tx: Transaction, rows: readonly PlayerChallengeRow[]): Promise<void> {
    if (rows.length === 0) return;
    await tx.$executeRawUnsafe(
      this.sql.savePlayerChallenges,
      playerChallengeRows.text([...rows].sort(byKey).map(toColumns)),
    );
  }

  /** Saves stored rows of which only the counter and its session have changed. */
  async saveCounters(tx: Transaction, rows: readonly PlayerChallengeRow[]): Promise<void> {
    const columns = [...rows].sort(byKey).map(({ projectId, userId, challengeId, progress }) => ({
      counter: progress.counter,
      exact: progress.exact,
      sessionId: progress.sessionId,
      projectId,
      userId,
      challengeId,
    }));
    const prepared = await counterRows.prepare(this.database.dialect, columns);
    await this.database.write(tx, this.sql.saveCounters, prepared);
  }

  private async query(client: DatabaseClient, sql: string, ...parameters: unknown[]): Promise<PlayerChallengeRow[]> {
    return (await client.$queryRawUnsafe<unknown[]>(sql, ...parameters)).map(toPlayerChallenge);
  }
}
