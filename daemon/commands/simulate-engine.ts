/** The engine of gameplay on a clock and a database of its own, both gone afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { gameplayEngine } from '../modules/gameplay/engine.js';
import { EventStore, type StoredEvent, type SubmittedEvent } from '../modules/gameplay/event-store.js';
import type { SimulatedTime } from '../modules/gameplay/simulator/simulation.js';
import { AccountStore } from '../modules/identity/accounts/store.js';
import { ProjectStore } from '../modules/projects/store.js';
import type { Transaction } from '../platform/database/database.js';
import { migrate } from '../platform/database/migrate.js';
import { ThrownAwayDatabase } from '../platform/database/thrown-away.js';
import { EventLog } from '../platform/events/log.js';
import { LocalWakeUps } from '../platform/events/wake-ups.js';
import { newId } from '../platform/new-id.js';
import { createLogger } from '../platform/observability/logger.js';

type Engine = ReturnType<typeof gameplayEngine>;
type Work<T> = (engine: Engine, time: SimulatedTime, projectId: string) => Promise<T>;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const exitInterrupted = 130;

/** Nobody hears of a simulation, so nothing is announced. */
class UnreadLog extends EventLog {
  override readonly isRead = false;

  override append(): Promise<[]> {
    return Promise.resolve([]);
  }
}

/** Nobody rebuilds a leaderboard of a simulation or exports its events, so they are counted and not stored. */
class CountedEvents extends EventStore {
  override insert(_tx: Transaction, events: readonly SubmittedEvent[]): Promise<StoredEvent[]> {
    return Promise.resolve(events.map((event) => ({ ...event, id: newId() })));
  }
}

/** Runs `work` in a folder that is removed afterwards, also when the program is interrupted. */
export async function withSimulatedEngine<T>(start: Date, work: Work<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-simulation-'));
  const clear = () => rmSync(folder, { recursive: true, force: true });
  const interrupted = () => {
    clear();
    process.exit(exitInterrupted);
  };
  for (const signal of signals) process.once(signal, interrupted);
  try {
    return await onDatabase(join(folder, 'earshot.db'), { now: start }, work);
  } finally {
    clear();
    for (const signal of signals) process.off(signal, interrupted);
  }
}

async function onDatabase<T>(path: string, time: SimulatedTime, work: Work<T>): Promise<T> {
  const now = () => time.now;
  await migrate(`file:${path}`, now);
  const database = await ThrownAwayDatabase.connect(path);
  try {
    const projectId = await emptyProject(database, now);
    const log = new UnreadLog(database, new LocalWakeUps(), now);
    const events = new CountedEvents(database);
    const engine = gameplayEngine({
      ...{ database, log, logger: createLogger('error'), now, events },
      tenants: new ProjectStore(database),
    });
    try {
      return await work(engine, time, projectId);
    } finally {
      engine.boards.memory.stop();
    }
  } finally {
    await database.close();
  }
}

async function emptyProject(database: ThrownAwayDatabase, now: () => Date): Promise<string> {
  const [tenantId, projectId] = [uuidv7(), uuidv7()];
  const project = { id: projectId, tenantId, name: 'Simulation', billingProjectId: projectId, createdAt: now() };
  await database.transaction(async (tx) => {
    await new AccountStore(database).insertTenant(tx, { id: tenantId, name: 'Simulation', createdAt: now() });
    await new ProjectStore(database).insert(tx, project);
  });
  return projectId;
}
