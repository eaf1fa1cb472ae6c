/** The gameplay services on a migrated database, with a tenant, a project and a clock that the test moves. */
import { uuidv7 } from 'uuidv7';
import type { z } from 'zod';
import { BattlePassExpiry } from '../../daemon/modules/gameplay/battle-passes/expiry.js';
import { BattlePassLevelService } from '../../daemon/modules/gameplay/battle-passes/level-service.js';
import { PlayerBattlePasses } from '../../daemon/modules/gameplay/battle-passes/player-battle-passes.js';
import { BattlePassProgressStore } from '../../daemon/modules/gameplay/battle-passes/progress-store.js';
import { BattlePassService } from '../../daemon/modules/gameplay/battle-passes/service.js';
import { BattlePassStore } from '../../daemon/modules/gameplay/battle-passes/store.js';
import { ChallengeService } from '../../daemon/modules/gameplay/challenge-service.js';
import { ChallengeStore } from '../../daemon/modules/gameplay/challenge-store.js';
import { ChallengeDefinitions } from '../../daemon/modules/gameplay/definitions.js';
import { EventStore } from '../../daemon/modules/gameplay/event-store.js';
import { EventIntake, type IntakeLimits } from '../../daemon/modules/gameplay/intake.js';
import { BoardStore } from '../../daemon/modules/gameplay/leaderboards/board-store.js';
import { boardsOf } from '../../daemon/modules/gameplay/leaderboards/boards.js';
import { PlayerChallengeStore } from '../../daemon/modules/gameplay/player-challenge-store.js';
import { PlayerChallenges } from '../../daemon/modules/gameplay/player-challenges.js';
import { PlayerInfo } from '../../daemon/modules/gameplay/player-store.js';
import { ProgressWriter } from '../../daemon/modules/gameplay/progress-writer.js';
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
  const challengeStore = new ChallengeStore(database.dialect);
  const passStore = new BattlePassStore(database.dialect);
  const boardStore = new BoardStore(challengeStore);
  const definitions = new ChallengeDefinitions(challengeStore, passStore, boardStore);
  const playerChallenges = new PlayerChallengeStore(database.dialect);
  const passProgress = new BattlePassProgressStore(database.dialect);
  const writer = new ProgressWriter(log, playerChallenges, passProgress);
  const events = new EventStore(database.dialect);
  const configuration = new ChallengeService(database, challengeStore, now);
  const info = new PlayerInfo(database, now);
  const logger = createLogger('error');
  const boards = boardsOf({ database, logger, now, definitions, info, store: boardStore, projects: challengeStore });
  const intake = new EventIntake(database, definitions, events, playerChallenges, writer, boards.counting, now, limits);
  const players = new PlayerChallenges(database, definitions, playerChallenges, writer, now);
  const passes = {
    configuration: new BattlePassService(database, passStore, now),
    levels: new BattlePassLevelService(database, passStore, now),
    players: new PlayerBattlePasses(database, definitions, playerChallenges, passProgress, writer, now),
    expiry: new BattlePassExpiry(database, log, passStore, challengeStore, now),
  };
  const player = (userId: string) => ({ projectId, userId });
  const backEnd = { projectId, credential: 'key', playerId: null };
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

    /** What was announced to the player, as `state counter`. */
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
