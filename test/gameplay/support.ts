/** The gameplay services on a migrated database, with a tenant, a project and a clock that the test moves. */
import { uuidv7 } from 'uuidv7';
import type { z } from 'zod';
import { gameplayEngine } from '../../daemon/modules/gameplay/engine.js';
import type { IntakeLimits } from '../../daemon/modules/gameplay/intake.js';
import { ProjectStore } from '../../daemon/modules/projects/store.js';
import type { Database } from '../../daemon/platform/database/database.js';
import { EventLog } from '../../daemon/platform/events/log.js';
import { LocalWakeUps } from '../../daemon/platform/events/wake-ups.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { CreateChallengeRequest } from '../../src/contract/gameplay/challenges.js';
import { ChallengeWebhookPayload } from '../../src/contract/gameplay/player-challenges.js';
import { openPostgresql, openSqlite } from '../support/database.js';
import { hasPostgresql } from '../support/postgresql.js';

export const databases = [
  { name: 'SQLite', open: openSqlite, here: true },
  { name: 'PostgreSQL', open: openPostgresql, here: hasPostgresql },
];

export const start = Date.UTC(2026, 0, 1);
export const minute = 60_000;

export async function openGame(database: Database, limits?: IntakeLimits) {
  const time = { now: start };
  const now = () => new Date(time.now);
  const log = new EventLog(database, new LocalWakeUps(), now);
  await log.start();
  const tenantId = uuidv7();
  const projectId = uuidv7();
  await database.transaction(async (tx) => {
    await tx.tenant.create({ data: { id: tenantId, name: 'Studio', createdAt: now() } });
    const project = { id: projectId, tenantId, name: 'Game', billingProjectId: projectId, createdAt: now() };
    await tx.project.create({ data: project });
  });
  const logger = createLogger('error');
  const engine = gameplayEngine(
    { database, log, logger, now, rankMemoryMb: 128, tenants: new ProjectStore(database) },
    limits,
  );
  const { boards, info, intake, challenges: players } = engine;
  const configuration = engine.configuration.challenges;
  const passes = {
    configuration: engine.configuration.passes,
    levels: engine.configuration.levels,
    players: engine.battlePasses,
    expiry: engine.expiry,
  };
  const player = (userId: string) => ({ projectId, userId });
  const backEnd = { tenantId, projectId, credential: 'key', playerId: null };
  return {
    ...{
      database,
      time,
      log,
      tenantId,
      projectId,
      configuration,
      intake,
      players,
      passes,
      boards,
      info,
      player,
      backEnd,
    },

    create: (request: z.input<typeof CreateChallengeRequest>) =>
      configuration.create(projectId, CreateChallengeRequest.parse(request)),

    async begin(userId: string, challengeId: string) {
      await players.act(player(userId), challengeId, 'unlock', () => {});
      await players.act(player(userId), challengeId, 'activate', () => {});
    },

    kill: (userId: string, amount = 1, more: Record<string, unknown> = {}, key: string | null = null) =>
      intake.submit(backEnd, { user_id: userId, event_name: 'kill-enemy', meta_data: { amount }, ...more }, key),

    /** State and counter of one challenge as the player reads it. */
    async progress(userId: string, challengeId: string) {
      const { progress } = await players.find(player(userId), challengeId);
      return { state: progress.state, counter: progress.counter };
    },

    /** Returns the announcements to the player, as `state counter`. */
    async announced(userId: string): Promise<string[]> {
      const events = await log.read({ after: 0n, limit: 10_000 });
      return events
        .filter(({ event }) => event.type === 'challenge.changed' && event.projectId === projectId)
        .map(({ event }) => ChallengeWebhookPayload.parse(event.payload.data).new_challenge)
        .filter((challenge) => challenge.user_id === userId)
        .map(({ type, user_challenge_current_score: counter }) => `${type} ${counter}`);
    },
  };
}
export type Game = Awaited<ReturnType<typeof openGame>>;
