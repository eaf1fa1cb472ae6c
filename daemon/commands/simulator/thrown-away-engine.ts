/** The engine of gameplay on a clock and a database of its own, both gone afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyTenant } from '../../modules/identity/module.js';
import { emptyProject } from '../../modules/projects/module.js';
import { migrate } from '../../platform/database/migrate.js';
import { ThrownAwayDatabase } from '../../platform/database/thrown-away.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import { type SimulatedEngine, simulatedEngine } from './simulated-engine.js';
import type { SimulatedTime } from './simulation.js';

type EngineWork<T> = (engine: SimulatedEngine, time: SimulatedTime, projectId: string) => Promise<T>;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const exitInterrupted = 130;

/** Runs `work` in a folder that is removed afterwards, also when the program is interrupted. */
export async function withSimulatedEngine<T>(start: Date, work: EngineWork<T>): Promise<T> {
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

async function onDatabase<T>(path: string, time: SimulatedTime, work: EngineWork<T>): Promise<T> {
  const now = () => time.now;
  await migrate(`file:${path}`, now);
  const database = await ThrownAwayDatabase.connect(path);
  try {
    const { tenantId, projectId } = await simulatedProject(database, now);
    const engine = simulatedEngine(database, tenantId, now);
    try {
      return await work(engine, time, projectId);
    } finally {
      engine.boards.memory.stop();
    }
  } finally {
    await database.close();
  }
}

async function simulatedProject(database: ThrownAwayDatabase, now: () => Date) {
  const [tenantId, projectId] = [uuidv7(), uuidv7()];
  const row = { name: 'Simulation', createdAt: now() };
  await database.transaction(async (tx) => {
    await emptyTenant(database, tx, { id: tenantId, ...row });
    await emptyProject(database, tx, { id: projectId, tenantId, billingProjectId: projectId, ...row });
  });
  return { tenantId, projectId };
}
