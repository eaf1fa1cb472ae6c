/** Gameplay: counts what players do, which advances their challenges. */
import type { BoundRoute } from '../../platform/http/bind.js';
import { type Module, type ModulePart, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Moderation } from '../moderation/module.js';
import type { ProjectDirectory } from '../projects/directory.js';
import type { EventDataRedaction } from '../webhooks/event-data-redaction.js';
import { applyChallengeTime } from './apply-challenge-time.js';
import { announceExpiredPasses } from './battle-passes/expiry.js';
import { battlePassProgressRouter } from './battle-passes/operator-routes.js';
import { playerBattlePassRouter } from './battle-passes/player-routes.js';
import { battlePassRouter } from './battle-passes/routes.js';
import { challengeRouter } from './configuration-routes.js';
import { type GameplayEngine, gameplayEngine } from './engine.js';
import { EventExport } from './exports/event-export.js';
import { playerRecords } from './exports/person-records-store.js';
import { gameEventRouter } from './exports/routes.js';
import { boardRouter, rebuildRouter } from './leaderboards/board-routes.js';
import { tallyRemoval } from './leaderboards/discarded-store.js';
import { DiscardedScores } from './leaderboards/drop-discarded.js';
import { exclusionRouter } from './leaderboards/exclusion-routes.js';
import { boardRecords } from './leaderboards/person-records-store.js';
import { playerBoardRouter } from './leaderboards/player-board-routes.js';
import { PlayerMove } from './move-store.js';
import { playerRouter } from './operator-routes.js';
import { playerChallengeRouter } from './player-challenge-routes.js';
import { PlayerOverview } from './player-overview.js';
import { Topics } from './player-store.js';
import { PlayerTokens } from './player-tokens.js';
import { keptGameplay } from './retention.js';
import { type GameplayServices, gameplayRouter } from './routes.js';
import { seasonRouter } from './season/routes.js';

interface GameplayNeeds {
  readonly redaction: EventDataRedaction;
  readonly projects: ProjectDirectory;
  readonly moderation: Moderation;
}

export interface Gameplay extends Module, GameplayServices {
  /** How many events of a name a user sent in this time. */
  countOf(projectId: string, userId: string, eventName: string, span: { after: Date; until: Date }): Promise<number>;
  readonly play: Pick<PlayerOverview, 'progress'>;
}

export async function gameplayModule(
  platform: Platform,
  { projects, moderation, redaction }: GameplayNeeds,
): Promise<Gameplay> {
  const { database, log, settings, storage, logger, now } = platform;
  const engine = gameplayEngine(
    {
      ...{ database, log, logger, now, tenants: projects, rankMemoryMb: settings.EARSHOT_RANK_MEMORY_MB },
      countStored: storage.quota.count.bind(storage.quota),
    },
    {
      requestsPerSecond: settings.EARSHOT_RATE_LIMIT_GAME_REQUESTS,
      eventsPerSecond: settings.EARSHOT_RATE_LIMIT_GAME_EVENTS,
      eventsPerSecondByPlayer: settings.EARSHOT_RATE_LIMIT_PLAYER_EVENTS,
    },
  );
  const { intake, challenges, battlePasses, info, boards } = engine;
  const tokens = new PlayerTokens(await platform.signingKey('player-tokens'), now);
  const services: GameplayServices = {
    intake,
    challenges,
    battlePasses,
    info,
    tokens,
    topics: new Topics(database, now),
  };
  const overview = new PlayerOverview({ ...services, rankings: boards.rankings, sanctions: moderation.sanctions });
  const moving = new PlayerMove(boards.move);
  const keepForBoards = boards.snapshots.take.bind(boards.snapshots);
  platform.setAside.add({
    kind: 'leaderboard_rebuilds',
    resume: 'earshot leaderboards rebuild BOARD',
    count: () => boards.rebuildJobs.setAsideCount(),
  });
  return {
    name: 'gameplay',
    ...services,
    countOf: engine.events.countOf.bind(engine.events),
    play: overview,
    routes: [...routesOf(engine, services, overview), ...gameEventRouter(services, new EventExport(database))],
    verifiers: {
      playerToken: async (token) => {
        const player = await tokens.caller(token);
        return player !== null && (await projects.isOpen(player.projectId)) ? player : null;
      },
    },
    parts: partsOf(engine, platform),
    metrics: [
      {
        name: 'leaderboard_members_in_memory',
        help: 'Members of leaderboards whose ranks are held in memory',
        read: () => boards.memory.members,
      },
      {
        name: 'leaderboard_memory_bytes',
        help: 'Memory that those ranks take, of EARSHOT_RANK_MEMORY_MB',
        read: () => boards.memory.bytes,
      },
      {
        name: 'leaderboard_evictions',
        help: 'Leaderboards whose ranks had to leave memory for those of others',
        type: 'counter',
        read: () => boards.memory.evictions,
      },
      { name: 'intake_waiting', help: 'Game events that wait to be stored', read: () => intake.waiting },
    ],
    keeps: keptGameplay(database, settings, { redact: redaction.events, keepForBoards }, now),
    personRecords: [...playerRecords(database), ...boardRecords(database)],
    personMove: {
      count: (...known) => moving.count(...known),
      obstacles: (...person) => moving.obstacles(...person),
      move: (...person) => moving.move(...person),
    },
    person: { beforeLog: (tx, projectId, { externalUserId }) => boards.erasure.erase(tx, projectId, externalUserId) },
    project: { removeSome: tallyRemoval(database) },
  };
}

const routesOf = (
  { configuration, boards }: GameplayEngine,
  services: GameplayServices,
  overview: PlayerOverview,
): BoundRoute[] => [
  ...gameplayRouter(services),
  ...playerChallengeRouter(services.challenges),
  ...playerBattlePassRouter(services.battlePasses, services.topics),
  ...challengeRouter(configuration.challenges),
  ...battlePassRouter(configuration.passes, configuration.levels),
  ...battlePassProgressRouter(services.battlePasses),
  ...playerRouter(services, overview),
  ...boardRouter(boards, services.topics),
  ...exclusionRouter(boards),
  ...rebuildRouter(boards),
  ...playerBoardRouter(boards.rankings, services.topics),
  ...seasonRouter(configuration.seasons),
];

const partsOf = (
  { challenges, expiry, boards, intake }: GameplayEngine,
  { database, logger }: Pick<Platform, 'database' | 'logger'>,
): ModulePart[] => [
  modulePart('apply-challenge-time', applyChallengeTime(challenges, logger), { role: 'jobs' }),
  modulePart('announce-expired-passes', announceExpiredPasses(expiry, logger), { role: 'jobs' }),
  modulePart('drop-discarded-scores', new DiscardedScores(database, logger), { role: 'jobs' }),
  modulePart('rebuild-leaderboards', boards.rebuildJobs, { role: 'jobs' }),
  { name: 'leaderboards', stop: async () => boards.memory.stop() },
  { name: 'intake', stop: () => intake.stop() },
];
