/** The modules of play for a simulation: they announce nothing, and keep of events only what they count. */

import { EventStore, type StoredEvent, type SubmittedEvent } from '../../modules/game-events/event-store.js';
import { playerRecords } from '../../modules/players/records.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { EventLog } from '../../platform/events/log.js';
import { LocalWakeUps } from '../../platform/events/wake-ups.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import { createLogger } from '../../platform/observability/logger.js';
import { unnotedJobs } from '../../platform/scheduler/jobs.js';
import { SetAside } from '../../platform/set-aside.js';
import type { Clock } from '../../platform/time/clock.js';
import { Leases } from '../../platform/turns/leases.js';
import { playModules } from '../../play-modules.js';

/** Nobody hears of a simulation, so nothing is announced. */
class UnreadLog extends EventLog {
  override readonly isRead = false;

  override append(): Promise<[]> {
    return Promise.resolve([]);
  }
}

/** Nobody rebuilds a leaderboard of a simulation or exports its events, so they are counted and not stored. */
class SimulatedEventStore extends EventStore {
  override insert(_tx: Transaction, events: readonly SubmittedEvent[]): Promise<StoredEvent[]> {
    return Promise.resolve(events.map((event) => ({ ...event, id: uuidv7() })));
  }
}

const nobody = () => Promise.resolve(new Set<string>());
const restrictions = {
  ...{ restrictedUsers: nobody, restrictedUsersIn: nobody, takenBack: nobody },
  progressHolds: () => Promise.resolve(new Map()),
};

/** All projects of the database belong to the tenant. */
export function simulatedEngine(database: Database, tenantId: string, now: Clock) {
  const logger = createLogger('error');
  const { challenges, leaderboards, seasons, gameEvents } = playModules(
    {
      database,
      log: new UnreadLog(database, new LocalWakeUps(), now),
      logger,
      jobs: unnotedJobs(logger),
      now,
      setAside: new SetAside(),
      leases: new Leases(now, logger),
      storage: { quota: { count: () => {} } },
      settings: {
        EARSHOT_RANK_MEMORY_MB: 128,
        EARSHOT_RATE_LIMIT_GAME_REQUESTS: 0,
        EARSHOT_RATE_LIMIT_GAME_EVENTS: 0,
        EARSHOT_RATE_LIMIT_PLAYER_EVENTS: 0,
        EARSHOT_GAMEPLAY_RETENTION_DAYS: 0,
        EARSHOT_EVENT_RETENTION_DAYS: 0,
        EARSHOT_DELIVERY_RETENTION_DAYS: 0,
      },
    },
    {
      tenants: { tenantIn: () => Promise.resolve(tenantId) },
      players: playerRecords({ database, now }),
      restrictions,
      redactEvents: () => Promise.resolve(),
      store: new SimulatedEventStore(database),
    },
  );
  return {
    intake: gameEvents.intake,
    challenges: challenges.ofPlayers,
    battlePasses: challenges.battlePasses,
    seasons: seasons.service,
    boards: leaderboards.boards,
  };
}

export type SimulatedEngine = ReturnType<typeof simulatedEngine>;
