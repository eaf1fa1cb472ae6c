/** Gameplay: counts what players do, which advances their challenges. */

import { removal } from '../../platform/database/removal.js';
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Moderation } from '../moderation/index.js';
import type { ProjectDirectory } from '../projects/index.js';
import type { EventForgetting } from '../webhooks/index.js';
import { applyChallengeTime } from './apply-challenge-time.js';
import { announceExpiredPasses, BattlePassExpiry } from './battle-passes/expiry.js';
import { BattlePassLevelService } from './battle-passes/level-service.js';
import { battlePassProgressRouter } from './battle-passes/operator-routes.js';
import { PlayerBattlePasses } from './battle-passes/player-battle-passes.js';
import { playerBattlePassRouter } from './battle-passes/player-routes.js';
import { BattlePassProgressStore } from './battle-passes/progress-store.js';
import { battlePassRouter } from './battle-passes/routes.js';
import { BattlePassService } from './battle-passes/service.js';
import { BattlePassStore } from './battle-passes/store.js';
import { ChallengeService } from './challenge-service.js';
import { ChallengeStore } from './challenge-store.js';
import { challengeRouter } from './configuration-routes.js';
import { ChallengeDefinitions } from './definitions.js';
import { erasePlayer } from './erasure-store.js';
import { EventStore } from './event-store.js';
import { EventIntake } from './intake.js';
import { boardRouter } from './leaderboards/board-routes.js';
import { BoardStore } from './leaderboards/board-store.js';
import { boardsOf } from './leaderboards/boards.js';
import { dropDiscarded, removeTallies } from './leaderboards/discarded-store.js';
import { playerBoardRouter } from './leaderboards/player-board-routes.js';
import { playerRouter } from './operator-routes.js';
import { playerChallengeRouter } from './player-challenge-routes.js';
import { PlayerChallengeStore } from './player-challenge-store.js';
import { PlayerChallenges } from './player-challenges.js';
import { PlayerInfo, Topics } from './player-store.js';
import { PlayerTokens } from './player-tokens.js';
import { ProgressWriter } from './progress-writer.js';
import { removeGameEvents, removePlayers } from './removal-store.js';
import { keptGameplay } from './retention.js';
import { type GameplayServices, gameplayRouter } from './routes.js';

interface GameplayNeeds {
  readonly forgetting: EventForgetting;
  readonly projects: ProjectDirectory;
  readonly moderation: Moderation;
}

export interface Gameplay extends Module, GameplayServices {}

export async function gameplayModule(
  platform: Platform,
  { projects, moderation, forgetting }: GameplayNeeds,
): Promise<Gameplay> {
  const { database, log, metrics, settings, logger, now } = platform;
  const challengeStore = new ChallengeStore(database.dialect);
  const passStore = new BattlePassStore(database.dialect);
  const boardStore = new BoardStore(challengeStore);
  const definitions = new ChallengeDefinitions(challengeStore, passStore, boardStore);
  const playerChallenges = new PlayerChallengeStore(database.dialect);
  const passProgress = new BattlePassProgressStore(database.dialect);
  const writer = new ProgressWriter(log, playerChallenges, passProgress);
  const events = new EventStore(database.dialect);
  const info = new PlayerInfo(database, now);
  const boards = boardsOf({ database, logger, now, definitions, info, store: boardStore, projects: challengeStore });
  const services: GameplayServices = {
    intake: new EventIntake(database, definitions, events, playerChallenges, writer, boards.counting, now),
    challenges: new PlayerChallenges(database, definitions, playerChallenges, writer, now),
    battlePasses: new PlayerBattlePasses(database, definitions, playerChallenges, passProgress, writer, now),
    tokens: new PlayerTokens(await platform.signingKey('player-tokens'), now),
    info,
    topics: new Topics(database, now),
  };
  metrics.gauge(
    'leaderboard_members_in_memory',
    'Members of leaderboards whose ranks are held in memory',
    () => boards.memory.members,
  );
  metrics.gauge('intake_waiting', 'Game events that wait to be stored', () => services.intake.waiting);
  const keepForBoards = boards.snapshots.take.bind(boards.snapshots);
  return {
    name: 'gameplay',
    ...services,
    routes: [
      ...gameplayRouter(services),
      ...playerChallengeRouter(services.challenges),
      ...playerBattlePassRouter(services.battlePasses, services.topics),
      ...challengeRouter(new ChallengeService(database, challengeStore, now)),
      ...battlePassRouter(
        new BattlePassService(database, passStore, now),
        new BattlePassLevelService(database, passStore, now),
      ),
      ...battlePassProgressRouter(services.battlePasses),
      ...playerRouter(services, moderation.sanctions),
      ...boardRouter(boards, services.topics),
      ...playerBoardRouter(boards.rankings, services.topics),
    ],
    verifiers: {
      playerToken: async (token) => {
        const player = await services.tokens.caller(token);
        return player !== null && (await projects.isOpen(player.projectId)) ? player : null;
      },
    },
    parts: [
      modulePart('apply-challenge-time', applyChallengeTime(services.challenges, logger), { role: 'jobs' }),
      modulePart(
        'announce-expired-passes',
        announceExpiredPasses(new BattlePassExpiry(database, log, passStore, challengeStore, now), logger),
        {
          role: 'jobs',
        },
      ),
      modulePart('drop-discarded-scores', dropDiscarded(database, now, logger), { role: 'jobs' }),
      { name: 'leaderboards', stop: async () => boards.memory.stop() },
      { name: 'intake', stop: () => services.intake.stop() },
    ],
    keeps: keptGameplay(database, settings, { forget: forgetting.events, keepForBoards }, now),
    person: { announced: erasePlayer(boards.erasure) },
    project: { removeSome: removal(database, removeGameEvents, removePlayers, removeTallies) },
  };
}
