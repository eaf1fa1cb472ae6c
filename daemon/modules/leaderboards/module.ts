/** Leaderboards: rank players and teams by the game events that they count. */
import type { Settings } from '../../platform/config/schema.js';
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { JobRunner } from '../../platform/scheduler/jobs.js';
import type { PlayerRows, TopicNames } from '../game-events/model/player.js';
import type { Tenants } from '../game-events/project-definitions.js';
import { boardRouter, exclusionRouter, rebuildRouter } from './board-routes.js';
import { type Boards, boardsOf } from './boards.js';
import { tallyRemoval } from './discarded-store.js';
import { DiscardedScores } from './drop-discarded.js';
import { endPeriods } from './period-ends.js';
import { boardPersonRecords } from './person-records-store.js';
import { playerBoardRouter } from './player-board-routes.js';
import type { RestrictedUsers } from './restricted-members.js';

export interface LeaderboardPlatform extends Pick<Platform, 'database' | 'log' | 'logger' | 'now' | 'setAside'> {
  readonly leases: Pick<Platform['leases'], 'add'>;
  readonly jobs: JobRunner;
  readonly settings: Pick<Settings, 'EARSHOT_RANK_MEMORY_MB'>;
}

export interface LeaderboardNeeds {
  readonly tenants: Tenants;
  readonly info: Pick<PlayerRows, 'infosOf' | 'currentInfosOf'>;
  readonly topics: TopicNames;
  readonly restrictions: RestrictedUsers;
}

export interface Leaderboards extends Module {
  readonly boards: Boards;
}

export function leaderboardsModule(platform: LeaderboardPlatform, needs: LeaderboardNeeds): Leaderboards {
  const { database, log, logger, now, jobs, settings } = platform;
  const boards = boardsOf({ database, log, logger, now, ...needs, rankMemoryMb: settings.EARSHOT_RANK_MEMORY_MB });
  platform.setAside.add({
    kind: 'leaderboard_rebuilds',
    resume: 'earshot leaderboards rebuild BOARD',
    count: () => boards.rebuildJobs.setAsideCount(),
  });
  platform.leases.add(boards.rebuildJobs.leases);
  return {
    name: 'leaderboards',
    boards,
    routes: [
      ...boardRouter(boards, needs.topics),
      ...exclusionRouter(boards),
      ...rebuildRouter(boards),
      ...playerBoardRouter(boards.rankings, needs.topics),
    ],
    parts: [
      modulePart('drop-discarded-scores', new DiscardedScores(database, jobs), { role: 'jobs' }),
      modulePart('end-leaderboard-periods', endPeriods(boards.periodEnds, jobs), { role: 'jobs' }),
      modulePart('rebuild-leaderboards', boards.rebuildJobs, { role: 'jobs' }),
      { name: 'leaderboards', stop: async () => boards.memory.stop() },
    ],
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
        help: 'Leaderboards whose ranks were evicted from memory for those of others',
        type: 'counter',
        read: () => boards.memory.evictions,
      },
    ],
    personRecords: boardPersonRecords(database),
    personMove: boards.move,
    person: { beforeLog: (tx, projectId, { externalUserId }) => boards.erasure.erase(tx, projectId, externalUserId) },
    project: { removeSome: tallyRemoval(database) },
  };
}
