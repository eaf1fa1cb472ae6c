/** The gameplay services on a migrated database, with a tenant, a project and a clock that the test moves. */
import { uuidv7 } from 'uuidv7';
import type { z } from 'zod';
import type { IntakeLimits } from '../../daemon/modules/game-events/intake.js';
import { RankedRestrictions } from '../../daemon/modules/moderation/sanctions/ranked-restriction-store.js';
import { playerRecords } from '../../daemon/modules/players/records.js';
import { ProjectStore } from '../../daemon/modules/projects/store.js';
import type { Database } from '../../daemon/platform/database/database.js';
import { EventLog } from '../../daemon/platform/events/log.js';
import { LocalWakeUps } from '../../daemon/platform/events/wake-ups.js';
import { createLogger } from '../../daemon/platform/observability/logger.js';
import { unnotedJobs } from '../../daemon/platform/scheduler/jobs.js';
import { SetAside } from '../../daemon/platform/set-aside.js';
import { Leases } from '../../daemon/platform/turns/leases.js';
import { playModules } from '../../daemon/play-modules.js';
import { CreateChallengeRequest } from '../../src/contract/gameplay/challenges.js';
import { ChallengeWebhookPayload } from '../../src/contract/gameplay/player-challenges.js';

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
  const { info, topics } = playerRecords({ database, now });
  const restrictions = new RankedRestrictions(database, now);
  const { challenges, leaderboards, seasons, gameEvents } = playModules(
    {
      ...{ database, log, logger: createLogger('error'), now },
      jobs: unnotedJobs(createLogger('error')),
      setAside: new SetAside(),
      leases: new Leases(now, createLogger('error')),
      storage: { quota: { count: () => {} } },
      settings: {
        EARSHOT_RANK_MEMORY_MB: 128,
        EARSHOT_RATE_LIMIT_GAME_REQUESTS: limits?.requestsPerSecond ?? 0,
        EARSHOT_RATE_LIMIT_GAME_EVENTS: limits?.eventsPerSecond ?? 0,
        EARSHOT_RATE_LIMIT_PLAYER_EVENTS: limits?.eventsPerSecondByPlayer ?? 0,
        ...{ EARSHOT_GAMEPLAY_RETENTION_DAYS: 0, EARSHOT_EVENT_RETENTION_DAYS: 0, EARSHOT_DELIVERY_RETENTION_DAYS: 0 },
      },
    },
    {
      tenants: new ProjectStore(database),
      players: { info, topics },
      restrictions,
      redactEvents: () => Promise.resolve(),
    },
  );
  const { boards } = leaderboards;
  const { intake } = gameEvents;
  const { ofPlayers: players } = challenges;
  const configuration = challenges.configuration.challenges;
  const passes = {
    configuration: challenges.configuration.passes,
    levels: challenges.configuration.levels,
    players: challenges.battlePasses,
    expiry: challenges.expiry,
  };
  const player = (userId: string) => ({ projectId, userId });
  const backEnd = { tenantId, projectId, keyScope: 'key', playerId: null };
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
      restrictions,
      seasons: seasons.service,
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
