/** Challenges, battle passes and their levels: what players are to reach, and how far they have come. */
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { JobRunner } from '../../platform/scheduler/jobs.js';
import { DeletionStore, type HiddenObjects } from '../game-events/deletion-store.js';
import type { EventCounter } from '../game-events/event-counter.js';
import type { PlayerRows, TopicNames } from '../game-events/model/player.js';
import type { Tenants } from '../game-events/project-definitions.js';
import { RevisionStore } from '../game-events/revision-store.js';
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
import { ChallengeCounter } from './challenge-counter.js';
import { ChallengeService } from './challenge-service.js';
import { ChallengeStore } from './challenge-store.js';
import { CompletionCounts } from './completion.js';
import { CountingConflicts } from './counting-conflict-store.js';
import { challengeDefinitions } from './definitions.js';
import { HeldEventStore } from './held-event-store.js';
import { type ProgressHolds, releaseHeldProgress } from './held-progress.js';
import { hiddenChallenges } from './hidden-objects-store.js';
import { KeyedRowStore } from './keyed-row-store.js';
import { challengeMove } from './move-store.js';
import { challengePersonRecords } from './person-records-store.js';
import { playerChallengeRouter } from './player-challenge-routes.js';
import { PlayerChallengeStore } from './player-challenge-store.js';
import { PlayerChallenges } from './player-challenges.js';
import { ProgressWriter } from './progress-writer.js';
import { challengeRouter } from './routes.js';

export interface ChallengeNeeds {
  readonly tenants: Tenants;
  readonly players: Pick<PlayerRows, 'lock'>;
  readonly topics: Pick<TopicNames, 'nameOf'>;
  /** The people whose progress is held. */
  readonly restrictions: ProgressHolds;
}

export interface Challenges extends Module {
  readonly ofPlayers: PlayerChallenges;
  readonly battlePasses: PlayerBattlePasses;
  readonly counter: EventCounter;
  readonly expiry: BattlePassExpiry;
  readonly configuration: {
    readonly challenges: ChallengeService;
    readonly passes: BattlePassService;
    readonly levels: BattlePassLevelService;
  };
  /** Rows as a season reads and writes them. */
  readonly stores: {
    readonly challenges: ChallengeStore;
    readonly passes: BattlePassStore;
    readonly rows: KeyedRowStore;
    readonly conflicts: CountingConflicts;
    readonly hidden: HiddenObjects;
  };
}

export function challengesModule(
  { database, log, jobs, now }: Pick<Platform, 'database' | 'log' | 'now'> & { readonly jobs: JobRunner },
  { tenants, players, topics, restrictions: holds }: ChallengeNeeds,
): Challenges {
  const { dialect } = database;
  const challenges = new ChallengeStore(dialect);
  const passes = new BattlePassStore(dialect);
  const revisions = new RevisionStore(dialect);
  const definitions = challengeDefinitions({ database, revisions, challenges, passes, tenants });
  const playerChallenges = new PlayerChallengeStore(database, players);
  const progress = new BattlePassProgressStore(dialect);
  const writer = new ProgressWriter(log, playerChallenges, progress);
  const ofPlayers = new PlayerChallenges(database, definitions, playerChallenges, writer, now);
  const battlePasses = new PlayerBattlePasses({ database, definitions, playerChallenges, progress, writer, now });
  const expiry = new BattlePassExpiry(database, log, passes, tenants, now);
  const rows = new KeyedRowStore(dialect);
  const deletions = new DeletionStore(now);
  const conflicts = new CountingConflicts(database);
  const configuration = {
    challenges: new ChallengeService(database, challenges, rows, deletions, conflicts, now),
    passes: new BattlePassService(database, passes, rows, deletions, conflicts, now),
    levels: new BattlePassLevelService(database, passes, rows, deletions, conflicts, now),
  };
  const held = new HeldEventStore(database);
  const counter = new ChallengeCounter(definitions, playerChallenges, writer, { holds, store: held });
  const release = { database, log, holds, store: held, revisions, counter, now };
  return {
    name: 'challenges',
    ...{ ofPlayers, battlePasses, expiry, configuration },
    counter,
    stores: { challenges, passes, rows, conflicts, hidden: hiddenChallenges(dialect, conflicts, now) },
    routes: [
      ...challengeRouter(configuration.challenges, new CompletionCounts(configuration.challenges, playerChallenges)),
      ...battlePassRouter(configuration.passes, configuration.levels),
      ...playerChallengeRouter(ofPlayers),
      ...playerBattlePassRouter(battlePasses, topics),
      ...battlePassProgressRouter(battlePasses),
    ],
    parts: [
      modulePart('apply-challenge-time', applyChallengeTime(ofPlayers, jobs), { role: 'jobs' }),
      modulePart('release-held-progress', releaseHeldProgress(release, jobs), { role: 'jobs' }),
      modulePart('announce-expired-passes', announceExpiredPasses(expiry, jobs), { role: 'jobs' }),
    ],
    personRecords: challengePersonRecords(database),
    personMove: challengeMove(playerChallenges, conflicts, now),
  };
}
