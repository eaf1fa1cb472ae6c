/** `earshotd simulate`: plays a season file with made-up players in a temporary folder, and says who reaches what when. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { overwrite, print } from '../../src/cli/terminal.js';
import { DomainError } from '../../src/contract/errors.js';
import type { SeasonFile } from '../../src/contract/gameplay/season-file.js';
import { FileUnreadable } from '../../src/file-text.js';
import { readSeason } from '../../src/season-text.js';
import { gameplayEngine } from '../modules/gameplay/engine.js';
import type { SeasonReport } from '../modules/gameplay/simulator/report.js';
import { type SimulatedTime, Simulation, startOf } from '../modules/gameplay/simulator/simulation.js';
import { AccountStore } from '../modules/identity/accounts/store.js';
import { ProjectStore } from '../modules/projects/store.js';
import { Database } from '../platform/database/database.js';
import { migrate } from '../platform/database/migrate.js';
import { EventLog } from '../platform/events/log.js';
import { LocalWakeUps } from '../platform/events/wake-ups.js';
import { createLogger } from '../platform/observability/logger.js';
import { UsageError } from './failures.js';
import { seasonReportView } from './simulate-view.js';

export interface SimulateOptions {
  readonly file: string;
  readonly players: string;
  readonly minutes?: string;
  readonly days?: string;
  readonly seed: string;
  readonly json?: boolean;
}

const playersMax = 100_000;
const minutesMax = 100_000;
const daysMax = 3_660;
const seedMax = 2 ** 32 - 1;
const defaultMinutes = 30;
/** More takes longer than somebody who tries out goals waits. */
const eventsMax = 5_000_000;
const minutesPerDay = 1_440;
const noLimit = { requestsPerSecond: 0, eventsPerSecond: 0 };

/** Throws UsageError. */
export async function simulate(options: SimulateOptions): Promise<void> {
  const players = wholeOf('--players', options.players, 1, playersMax);
  const seed = wholeOf('--seed', options.seed, 0, seedMax);
  const days = options.days === undefined ? null : wholeOf('--days', options.days, 1, daysMax);
  const given = options.minutes === undefined ? null : wholeOf('--minutes', options.minutes, 1, minutesMax);
  const minutes = given ?? (days === null ? defaultMinutes : null);
  const file = readFile(options.file);
  requireBounded(file, { players, minutes, days });
  const report = await inTemporaryFolder(file, (engine, time, projectId) =>
    new Simulation(engine, time, { file, projectId, players, minutes, days, seed }, ({ day, events }) => {
      if (process.stderr.isTTY && options.json !== true) overwrite(`day ${day}, ${events} events `);
    }).run(),
  );
  if (process.stderr.isTTY && options.json !== true) overwrite(`${' '.repeat(40)}\r`);
  print(options.json === true ? JSON.stringify(report, null, 2) : viewOf(report));
}

const viewOf = (report: SeasonReport): string =>
  seasonReportView(report, { isTerminal: process.stdout.isTTY === true, now: new Date() });

/** Throws UsageError with every problem of the file and its line. */
function readFile(path: string): SeasonFile {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UsageError(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  try {
    const { file } = readSeason(text);
    if (file.players.length > 0) return file;
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    throw new UsageError(error.message.replaceAll(/^/gm, `${path}:`));
  }
  throw new UsageError(`${path} describes no players. Add \`players:\`, as examples/season.yaml has it.`);
}

type Bounds = { readonly players: number; readonly minutes: number | null; readonly days: number | null };

/** Throws UsageError where so many events would be sent that nobody waits for the end. */
function requireBounded(file: SeasonFile, { players, minutes, days }: Bounds): void {
  const shares = file.players.reduce((sum, { share }) => sum + share, 0);
  const expected = file.players.reduce((sum, { share, sessionsPerDay, minutesPerSession, events }) => {
    const inDays = (days ?? Number.POSITIVE_INFINITY) * sessionsPerDay * minutesPerSession;
    const played = Math.min(
      minutes ?? Number.POSITIVE_INFINITY,
      Number.isNaN(inDays) ? 0 : inDays,
      (days ?? daysMax) * minutesPerDay,
    );
    const perMinute = Object.values(events).reduce((all, one) => all + (one?.perMinute ?? 0), 0);
    return sum + ((players * share) / shares) * played * perMinute;
  }, 0);
  if (expected > eventsMax)
    throw new UsageError(
      `That would send about ${Math.round(expected)} events; at most ${eventsMax} are simulated. Take fewer --players, --minutes or --days.`,
    );
}

type Play = (
  engine: ReturnType<typeof gameplayEngine>,
  time: SimulatedTime,
  projectId: string,
) => Promise<SeasonReport>;

/** Nobody listens to a simulation, so what is announced is not stored. */
class UnheardLog extends EventLog {
  override append(): Promise<[]> {
    return Promise.resolve([]);
  }
}

/** Plays on a database that is gone afterwards, also when the program is interrupted. */
async function inTemporaryFolder(file: SeasonFile, play: Play): Promise<SeasonReport> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-simulation-'));
  const clear = () => rmSync(folder, { recursive: true, force: true });
  const interrupted = () => {
    clear();
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, interrupted);
  const time: SimulatedTime = { now: startOf(file) };
  const now = () => time.now;
  const path = join(folder, 'earshot.db');
  try {
    await migrate(`file:${path}`, now);
    const database = await Database.connectThrownAway(path);
    try {
      const projectId = await emptyProject(database, now);
      const log = new UnheardLog(database, new LocalWakeUps(), now);
      await log.start();
      const engine = gameplayEngine({ database, log, logger: createLogger('error'), now }, noLimit);
      try {
        return await play(engine, time, projectId);
      } finally {
        engine.boards.memory.stop();
        await engine.intake.stop();
      }
    } finally {
      await database.close();
    }
  } catch (error) {
    if (error instanceof DomainError) throw new UsageError(refusalOf(error));
    throw error;
  } finally {
    clear();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, interrupted);
  }
}

async function emptyProject(database: Database, now: () => Date): Promise<string> {
  const [tenantId, projectId] = [uuidv7(), uuidv7()];
  const project = { id: projectId, tenantId, name: 'Simulation', billingProjectId: projectId, createdAt: now() };
  await database.transaction(async (tx) => {
    await new AccountStore(database).insertTenant(tx, { id: tenantId, name: 'Simulation', createdAt: now() });
    await new ProjectStore(database).insert(tx, project);
  });
  return projectId;
}

const refusalOf = ({ message, details = [] }: DomainError): string =>
  [message, ...details.map(({ path, message: reason }) => `${path}: ${reason}`)].join('\n');

/** Throws UsageError. */
function wholeOf(flag: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new UsageError(`${flag} takes a whole number from ${min} to ${max}, not ${text}.`);
  return value;
}
