/** Reads files of game events: JSON in all forms that `list-rows.ts` reads, or CSV. What `game-events export` writes is read too. */
import { createHash } from 'node:crypto';
import {
  findGameEvent,
  gameEventNames,
  gameEvents,
  propertiesOf,
  propertyType,
  readMetaData,
} from '../../contract/gameplay/game-events.js';
import { EventPayload } from '../../contract/gameplay/gameplay.js';
import { judge } from '../../contract/judge.js';
import { didYouMean, nearest } from '../../contract/nearest.js';
import { type BadLine, type ListRow, type ListShape, listRows, plainName } from '../../files/list-rows.js';
import { UsageError } from '../../terminal/usage-error.js';
import { numberOf } from '../../text/number.js';
import { readText } from '../files/read-text.js';
import { WrongLines } from '../files/wrong-lines.js';

export interface FileEvent {
  /** Line number from 1, or the index in a JSON array. */
  readonly line: number;
  readonly event: EventPayload;
}

/** Made by the daemon itself. */
const ignored: ReadonlySet<string> = new Set(['id', 'createdat']);
const properties: readonly string[] = [...new Set(gameEvents.flatMap(propertiesOf))];
const propertyOf = (name: string): string | undefined =>
  properties.find((property) => plainName(property) === plainName(name));

const shape: ListShape = {
  fields: {
    user_id: ['userid', 'user', 'player', 'playerid', 'externaluserid'],
    event_name: ['eventname', 'event'],
    event_type: ['eventtype'],
    team_id: ['teamid', 'team'],
    session_id: ['sessionid', 'session'],
    occurred_at: ['occurredat'],
    meta_data: ['metadata', 'properties'],
  },
  ids: ['user_id', 'team_id', 'session_id'],
  other: (name) => {
    if (ignored.has(plainName(name))) return null;
    return propertyOf(name);
  },
  otherNames: properties,
  within: ['events'],
  example: '{"user_id":"u_42","event_name":"kill-enemy","meta_data":{"amount":1}}',
};

/** Every other field is a property, unless the properties stand together in one. */
function requestOf({ meta_data: given, ...stated }: ListRow['fields']): Record<string, unknown> {
  const request: Record<string, unknown> = {};
  const apart: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(stated)) {
    if (value === null || value === '' || ignored.has(plainName(name))) continue;
    if (Object.hasOwn(shape.fields, name)) request[name] = value;
    else apart[name] = value;
  }
  return { ...request, meta_data: given ?? apart };
}

/** Cells as values: numbers where the catalogue has numbers, and what a column `properties` contains. */
function withValues(fields: ListRow['fields']): ListRow['fields'] {
  return Object.fromEntries(
    Object.entries(fields).map(([name, cell]) => {
      if (typeof cell !== 'string' || (name in shape.fields && name !== 'meta_data')) return [name, cell];
      if (name === 'meta_data') return [name, JSON.parse(cell)];
      return [name, propertyType(name) === 'number' ? (numberOf(cell) ?? cell) : cell];
    }),
  );
}

/** The event of a line. Throws an error that says what is wrong with it. */
function eventOf(fields: ListRow['fields']): EventPayload {
  const judged = judge(EventPayload, requestOf(fields));
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

/** The events of a file, and what names its content. */
export interface EventFile {
  readonly events: readonly FileEvent[];
  readonly digest: string;
}

/** Reads the file, or standard input where the path is `-`. Throws UsageError, which names every wrong line. */
export async function eventsOfFile(path: string): Promise<EventFile> {
  const content = await readText(path);
  return { events: eventsIn(content, path), digest: createHash('sha256').update(content).digest('hex').slice(0, 32) };
}

/** Reads the content of a file. Throws as `eventsOfFile`. */
export function eventsIn(content: string, path: string): FileEvent[] {
  const { rows, bad, columns } = listRows(content, path, shape);
  const events: FileEvent[] = [];
  const wrong: BadLine[] = [...bad];
  for (const { line, fields } of rows) {
    try {
      events.push({ line, event: eventOf(columns.length > 0 ? withValues(fields) : fields) });
    } catch (error) {
      wrong.push({ line, field: '', message: error instanceof Error ? error.message : String(error) });
    }
  }
  if (wrong.length > 0)
    throw new WrongLines(
      path,
      wrong.sort((a, b) => a.line - b.line),
      'Nothing was sent.',
    );
  if (events.length === 0) throw new UsageError(`There is no event in ${path}.`);
  return events;
}
