/** Leaderboards put together: what the intake counts by, what routes read, what operators do. */

import type { Database } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { Clock } from '../../platform/time/clock.js';
import { DeletionStore, type HiddenObjects } from '../game-events/deletion-store.js';
import type { EventCounter } from '../game-events/event-counter.js';
import type { PlayerRows, TopicNames } from '../game-events/model/player.js';
import type { Tenants } from '../game-events/project-definitions.js';
import { RevisionStore } from '../game-events/revision-store.js';
import { RankingAnnouncements } from './announcements.js';
import { BoardCounter } from './board-counter.js';
import { BoardCounting } from './board-counting.js';
import { boardDefinitions } from './board-definitions.js';
import { BoardPeriods } from './board-periods.js';
import type { BoardServices } from './board-routes.js';
import { BoardService } from './board-service.js';
import { BoardStore, type Projects } from './board-store.js';
import { TallyComparison } from './difference.js';
import { BoardErasure } from './erasure-store.js';
import { BoardExclusions } from './exclusion-store.js';
import { hiddenBoards } from './hidden-boards-store.js';
import { BoardMove } from './move-store.js';
import { PeriodEnds } from './period-ends.js';
import { RankMemory, rankMemoryLimits } from './rank-memory.js';
import { Rankings } from './rankings.js';
import { RebuildJobs } from './rebuild-jobs.js';
import { RebuildStore } from './rebuild-store.js';
import { Rebuilds } from './rebuilds.js';
import { Recount } from './recount.js';
import { MemberRemoval } from './removal-store.js';
import type { RestrictedUsers } from './restricted-members.js';
import { ScoreStore } from './score-store.js';
import { Snapshots } from './snapshots.js';
import { TallyStore } from './tally-store.js';

interface BoardNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly now: Clock;
  readonly tenants: Tenants;
  readonly info: Pick<PlayerRows, 'infosOf' | 'currentInfosOf'>;
  readonly topics: Pick<TopicNames, 'deleteSubject'>;
  readonly restrictions: RestrictedUsers;
  /** MiB that ranks may take in memory. */
  readonly rankMemoryMb: number;
}

export interface Boards extends BoardServices {
  readonly store: BoardStore;
  readonly hidden: HiddenObjects;
  readonly counter: EventCounter;
  readonly memory: RankMemory;
  readonly erasure: BoardErasure;
  readonly move: BoardMove;
  /** Rebuilds that are asked for are made once it is started. */
  readonly rebuildJobs: RebuildJobs;
  readonly periodEnds: PeriodEnds;
}

export function boardsOf({
  database,
  log,
  logger,
  now,
  tenants,
  info,
  topics,
  restrictions,
  rankMemoryMb,
}: BoardNeeds): Boards {
  const revisions = new RevisionStore(database.dialect);
  const projects: Projects = {
    bump: revisions.bump.bind(revisions),
    tenantIn: tenants.tenantIn.bind(tenants),
  };
  const store = new BoardStore(database.dialect, projects);
  const definitions = boardDefinitions({ database, revisions, store, projects });
  const scores = new ScoreStore(database.dialect);
  const tallies = new TallyStore(database.dialect);
  const announcements = new RankingAnnouncements({ log, scores, tallies, infos: info, restrictions });
  const periods = new BoardPeriods(store, tallies, announcements);
  const memory = new RankMemory(database, scores, logger, rankMemoryLimits(rankMemoryMb));
  const rankings = new Rankings(database, {
    ...{ log, definitions, boards: store, periods, scores, memory, info, restrictions, now },
  });
  const recount = new Recount(database, scores, store, now);
  const difference = new TallyComparison(database, scores, restrictions);
  const rebuildStore = new RebuildStore(projects);
  const exclusions = new BoardExclusions(tallies);
  const jobs = {
    exclusions,
    announcements,
    boards: store,
    recount,
    difference,
    scores,
    store: rebuildStore,
    now,
    logger,
  };
  const rebuildJobs = new RebuildJobs(database, jobs);
  const counting = new BoardCounting({
    ...{ database, boards: store, periods, scores, memory, infos: info, restrictions, log },
  });
  const snapshots = new Snapshots(store, recount, tallies, now);
  return {
    store,
    hidden: hiddenBoards({ topics, boards: store, announcements, log }),
    memory,
    rankings,
    periodEnds: new PeriodEnds({ database, log, boards: store, periods, now }),
    rebuildJobs,
    counter: new BoardCounter(definitions, counting, snapshots),
    erasure: new BoardErasure(store, exclusions, announcements),
    move: new BoardMove(store, scores, recount, exclusions, announcements),
    service: new BoardService({
      ...{ database, log, store, periods, announcements, now },
      deletions: new DeletionStore(now),
      removal: new MemberRemoval(scores),
      exclusions,
    }),
    rebuilds: new Rebuilds({
      database,
      boards: store,
      rankings,
      recount,
      store: rebuildStore,
      now,
      asked: () => rebuildJobs.wake(),
    }),
  };
}
