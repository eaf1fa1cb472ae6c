/** `earshotd simulate`: plays a season file with made-up players in a temporary folder, and says who reaches what when. */

import { DomainError } from '../../src/contract/errors.js';
import type { SeasonFile } from '../../src/contract/gameplay/season-file.js';
import { type FileText, FileUnreadable, problemLine } from '../../src/files/file-text.js';
import { readSeason } from '../../src/files/season-text.js';
import { ProgressLine } from '../../src/terminal/progress.js';
import { print } from '../../src/terminal/terminal.js';
import { UsageError } from '../../src/terminal/usage-error.js';
import type { SeasonReport } from './simulator/report.js';
import { Simulation, type SimulationProgress, startOf } from './simulator/simulation.js';
import { withSimulatedEngine } from './simulator/thrown-away-engine.js';
import { seasonReportView } from './simulator/view.js';
import { textOfFile, wholeNumberOf } from './typed-values.js';

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
/** More would take longer than somebody who tries out goals waits. */
const eventsMax = 5_000_000;
const minutesPerDay = 1_440;
/** The prefix of paths in refusals. */
const seasonInRequest = ['body', 'season'];

/** Throws UsageError. */
export async function simulate(options: SimulateOptions): Promise<void> {
  const players = wholeNumberOf('--players', options.players, 1, playersMax);
  const seed = wholeNumberOf('--seed', options.seed, 0, seedMax);
  const days = options.days === undefined ? null : wholeNumberOf('--days', options.days, 1, daysMax);
  const given = options.minutes === undefined ? null : wholeNumberOf('--minutes', options.minutes, 1, minutesMax);
  const minutes = given ?? (days === null ? defaultMinutes : null);
  const season = readFile(options.file);
  requireBounded(season.file, { players, minutes, days });
  const line = new ProgressLine();
  const showProgress = ({ day, events, share }: SimulationProgress) => {
    if (options.json !== true) line.show(share, 1, `day ${day}, ${events.toLocaleString('en')} events`);
  };
  try {
    const report = await withSimulatedEngine(startOf(season.file), (engine, time, projectId) =>
      new Simulation(engine, time, { file: season.file, projectId, players, minutes, days, seed }, showProgress).run(),
    );
    line.clear();
    print(options.json === true ? JSON.stringify(report, null, 2) : viewOf(report));
  } catch (error) {
    line.clear();
    throw error instanceof DomainError ? new UsageError(refusalOf(options.file, season, error)) : error;
  }
}

const viewOf = (report: SeasonReport): string =>
  seasonReportView(report, { isTerminal: process.stdout.isTTY === true, now: new Date() });

/** Throws UsageError with every problem of the file and its line. */
function readFile(path: string): FileText<SeasonFile> {
  const text = textOfFile(path);
  try {
    const season = readSeason(text);
    if (season.file.players.length > 0) return season;
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error;
    throw new UsageError(error.message.replaceAll(/^/gm, `${path}:`));
  }
  throw new UsageError(`${path} describes no players. Add \`players:\`, as in examples/season.yaml.`);
}

type Bounds = { readonly players: number; readonly minutes: number | null; readonly days: number | null };

/** Throws UsageError when more than `eventsMax` events would be sent. */
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
      `That would send about ${Math.round(expected)} events; the maximum is ${eventsMax}. Reduce --players, --minutes or --days.`,
    );
}

/** The refusals of the engine, with the lines of the file. */
function refusalOf(path: string, { problemAt }: FileText<SeasonFile>, { message, details = [] }: DomainError): string {
  if (details.length === 0) return message;
  const inFile = (field: string) => field.split('.').slice(seasonInRequest.length);
  return details.map((one) => `${path}:${problemLine(problemAt(inFile(one.path), one.message))}`).join('\n');
}
