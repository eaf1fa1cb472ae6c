/** Reads files of game events: a JSON array, one JSON object a line, or CSV. What `game-events export` writes is read too. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { findGameEvent, gameEventNames, propertyType, readMetaData } from '../../contract/gameplay/game-events.js';
import { EventPayload } from '../../contract/gameplay/gameplay.js';
import { judge } from '../../contract/judge.js';
import { didYouMean, nearest } from '../../contract/nearest.js';
import { csvRows } from '../../files/csv-rows.js';
import { UsageError } from '../../terminal/usage-error.js';

export interface FileEvent {
  /** Line number from 1, or the index in a JSON array. */
  readonly line: number;
  readonly event: EventPayload;
}

/** Lines that are named where many are wrong. */
const maxNamed = 20;

/** Fields by what files call them, in any case and however the words are put together. */
const fieldNames: Readonly<Record<string, readonly string[]>> = {
  user_id: ['userid', 'user', 'player'],
  event_name: ['eventname', 'event'],
  event_type: ['eventtype'],
  team_id: ['teamid', 'team'],
  session_id: ['sessionid', 'session'],
  meta_data: ['metadata', 'properties'],
};
/** The daemon makes them itself. */
const passedOver: ReadonlySet<string> = new Set(['id', 'createdat']);

const plainWord = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');
const fieldOf = (name: string): string | undefined =>
  Object.entries(fieldNames).find(([, names]) => names.includes(plainWord(name)))?.[0];

/** Every other field is a property, unless the properties stand together in one. */
function requestOf(written: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const request: Record<string, unknown> = {};
  const properties: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(written)) {
    const field = fieldOf(name);
    if (field === undefined) {
      if (!passedOver.has(plainWord(name)) && value !== null && value !== '')
        properties[name.replaceAll('-', '_')] = value;
    } else if (value !== null && value !== '') request[field] = value;
  }
  const given = request.meta_data;
  const stated = typeof given === 'object' && given !== null ? given : {};
  return { ...request, meta_data: { ...('meta_data' in request ? {} : properties), ...stated } };
}

/** Cells as values: numbers where the catalogue has numbers, and what a column `properties` contains. */
function cellValue(name: string, cell: string): unknown {
  const field = fieldOf(name);
  if (field === 'meta_data') return JSON.parse(cell === '' ? '{}' : cell);
  const isNumber = field === undefined && propertyType(name.replaceAll('-', '_')) === 'number';
  return isNumber && cell !== '' && !Number.isNaN(Number(cell)) ? Number(cell) : cell;
}

interface ReadLine {
  readonly line: number;
  read(): unknown;
}

function linesOf(content: string): ReadLine[] {
  const start = content.trimStart();
  if (start.startsWith('[')) {
    const all: unknown = JSON.parse(content);
    return Array.isArray(all) ? all.map((value, index) => ({ line: index + 1, read: () => value })) : [];
  }
  if (start.startsWith('{')) {
    const lines = content
      .split('\n')
      .map((line, index) => ({ line: index + 1, read: () => JSON.parse(line), given: line }));
    return lines.filter(({ given }) => given.trim() !== '');
  }
  const [header, ...rows] = csvRows(content);
  const names = header !== undefined && 'cells' in header ? header.cells : [];
  return rows.map((row) => ({
    line: row.line,
    read: () => {
      if ('problem' in row) throw new Error(row.problem);
      return Object.fromEntries(names.map((name, index) => [name, cellValue(name, row.cells[index] ?? '')]));
    },
  }));
}

/** The event of a line. Throws an error that says what is wrong with it. */
function eventOf(written: unknown): EventPayload {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) throw new Error('is not an event.');
  const judged = judge(EventPayload, requestOf(Object.fromEntries(Object.entries(written))));
  if (!judged.success)
    throw new Error(sentence(judged.problems.map(({ path, message }) => ({ path: path.join('.'), message }))));
  const { event_name: name, user_id: user, meta_data: metaData } = judged.data;
  if (user == null) throw new Error('names no user.');
  const definition = findGameEvent(name);
  if (definition === null)
    throw new Error(
      `"${name}" is no game event. ${didYouMean(nearest(name, gameEventNames), '`game-events catalogue` lists them.')}`,
    );
  const { problems } = readMetaData(definition, metaData ?? {});
  if (problems !== undefined) throw new Error(sentence(problems));
  return judged.data;
}

const sentence = (problems: readonly { readonly path: string; readonly message: string }[]): string =>
  problems.map(({ path, message }) => `${path}: ${message}`).join('; ');

/** Reads the file, or standard input where the path is `-`. Throws UsageError, which names every wrong line. */
export async function eventsOfFile(path: string): Promise<FileEvent[]> {
  const content = path === '-' ? await text(process.stdin) : await readFile(path, 'utf8').catch(() => null);
  if (content === null) throw new UsageError(`The file ${path} cannot be read.`);
  return eventsIn(content, path);
}

/** Reads the content of a file. Throws as `eventsOfFile`. */
export function eventsIn(content: string, path: string): FileEvent[] {
  const events: FileEvent[] = [];
  const wrong: string[] = [];
  const lines =
    attempt(
      () => linesOf(content),
      (problem) => wrong.push(`${path}: ${problem}`),
    ) ?? [];
  for (const { line, read } of lines) {
    const event = attempt(
      () => eventOf(read()),
      (problem) => wrong.push(`${path}:${line}: ${problem}`),
    );
    if (event !== null) events.push({ line, event });
  }
  if (wrong.length > 0) {
    const others = wrong.length > maxNamed ? [`and ${wrong.length - maxNamed} more.`] : [];
    throw new UsageError([...wrong.slice(0, maxNamed), ...others, 'Nothing was sent.'].join('\n'));
  }
  if (events.length === 0) throw new UsageError(`There is no event in ${path}.`);
  return events;
}

function attempt<T>(work: () => T, failed: (problem: string) => void): T | null {
  try {
    return work();
  } catch (error) {
    failed(error instanceof Error ? error.message : String(error));
    return null;
  }
}
