/** The rules of gameplay put together over a database: what the daemon serves, and what a simulation plays. */

import type { Database } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Clock } from '../../platform/time/clock.js';
import { BattlePassExpiry } from './battle-passes/expiry.js';
import { BattlePassLevelService } from './battle-passes/level-service.js';
import { PlayerBattlePasses } from './battle-passes/player-battle-passes.js';
import { BattlePassProgressStore } from './battle-passes/progress-store.js';
import { BattlePassService } from './battle-passes/service.js';
import { BattlePassStore } from './battle-passes/store.js';
import { ChallengeService } from './challenge-service.js';
import { ChallengeStore } from './challenge-store.js';
import { ChallengeDefinitions } from './definitions.js';
import { EventStore } from './event-store.js';
import { EventIntake, type IntakeLimits } from './intake.js';
import { BoardStore } from './leaderboards/board-store.js';
import { boardsOf } from './leaderboards/boards.js';
import { PlayerChallengeStore } from './player-challenge-store.js';
import { PlayerChallenges } from './player-challenges.js';
import { PlayerInfo } from './player-store.js';
import { ProgressWriter } from './progress-writer.js';
import { seasonsOf } from './season/seasons.js';
import type { Tenants } from './tenants.js';

const unlimited: IntakeLimits = { requestsPerSecond: 0, eventsPerSecond: 0, eventsPerSecondByPlayer: 0 };

interface EngineNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly now: Clock;
  readonly tenants: Tenants;
  /** MiB that ranks may take in memory. */
  readonly rankMemoryMb: number;
  /** Told of the bytes that a tenant has stored. */
  readonly countStored?: (tenantId: string, bytes: number) => void;
  /** Left out: events are stored as rows. */
  readonly events?: EventStore;
}

export function gameplayEngine(
  {
    database,
    log,
    logger,
    now,
    tenants,
    rankMemoryMb,
    countStored,
    events = new EventStore(database, countStored),
  }: EngineNeeds,
  limits = unlimited,
) {
  const challengeStore = new ChallengeStore(database.dialect);
  const passStore = new BattlePassStore(database.dialect);
  const projects = { bump: challengeStore.bump.bind(challengeStore), tenantIn: tenants.tenantIn.bind(tenants) };
  const boardStore = new BoardStore(projects);
  const definitions = new ChallengeDefinitions(challengeStore, passStore, boardStore, tenants);
  const playerChallenges = new PlayerChallengeStore(database);
  const passProgress = new BattlePassProgressStore(database.dialect);
  const writer = new ProgressWriter(log, playerChallenges, passProgress);
  const info = new PlayerInfo(database, now);
  const boards = boardsOf({
    database,
    log,
    logger,
    now,
    definitions,
    info,
    store: boardStore,
    projects,
    rankMemoryMb,
  });
  return {
    info,
    boards,
    events,
    intake: new EventIntake(database, definitions, events, playerChallenges, writer, boards.counting, now, limits),
    challenges: new PlayerChallenges(database, definitions, playerChallenges, writer, now),
    battlePasses: new PlayerBattlePasses({
      database,
      definitions,
      playerChallenges,
      progress: passProgress,
      writer,
      now,
    }),
    expiry: new BattlePassExpiry(database, log, passStore, tenants, now),
    configuration: {
      challenges: new ChallengeService(database, challengeStore, now),
      passes: new BattlePassService(database, passStore, now),
      levels: new BattlePassLevelService(database, passStore, now),
      seasons: seasonsOf(
        database,
        { challenges: challengeStore, passes: passStore, boards: boardStore },
        boards.service,
        now,
      ),
    },
  };
}

export type GameplayEngine = ReturnType<typeof gameplayEngine>;
