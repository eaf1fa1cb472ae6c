/**
 * Fields of a body that its operation does not have. A misspelt one must not silently make a ban without end, so operations
 * that impose, grant or configure refuse them; the others ignore them and name them in a header. Pure.
 */
import { z } from 'zod';
import type { ErrorDetail } from './errors.js';
import { nearest } from './nearest.js';
import type { Route, RouteGroup } from './route.js';

/** Header of an answer: the fields of the body that were ignored. */
export const ignoredFieldsHeader = 'X-Ignored-Fields';
const namedMax = 20;
const shownMax = 12;

/** Groups whose bodies the clients of the hosted services send, with fields of their own; what players say changes nobody's rights. */
const lenient: ReadonlySet<RouteGroup> = new Set<RouteGroup>([
  ...(['Health and login', 'Sessions and messages', 'Real-time events', 'Reports', 'Blocks', 'Statements'] as const),
  ...(['Participants', 'Gatherings', 'Gameplay', 'Watching'] as const),
]);

/** Operations of these groups that impose, grant or configure, or open a stream of what their fields do not exclude. */
const strict: ReadonlySet<string> = new Set([
  ...['movePerson', 'notifyPeople', 'updateReporter', 'updateReportSettings', 'decideComplaint'],
  ...['createStreamTicket', 'createProjectStreamTicket'],
]);

type BodyRoute = Pick<Route, 'group' | 'idempotencyKey' | 'operationId'>;

/** Returns true where an unknown field is refused. */
export const refusesUnknownFields = ({ group, idempotencyKey, operationId }: BodyRoute): boolean =>
  strict.has(operationId) || (!lenient.has(group) && idempotencyKey !== 'each');

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const plain = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

/** Returns the names that a misspelt one may mean: within its slips, or with a unit or a word more or less. */
function meant(typed: string, names: readonly string[]): string[] {
  const byPlain = new Map(names.map((name) => [plain(name), name]));
  byPlain.delete(''); // `_` is the beginning of every name
  const wanted = plain(typed);
  const close = nearest(wanted, byPlain.keys());
  const longer = [...byPlain.keys()].filter((name) => wanted.startsWith(name) || name.startsWith(wanted));
  return [...new Set([...close, ...longer])].flatMap((name) => byPlain.get(name) ?? []);
}

/** `there is no such field. Did you mean duration?` */
export function noSuchField(typed: string, names: readonly string[]): string {
  const near = meant(typed, names);
  if (near.length > 0) return `there is no such field. Did you mean ${near.join(' or ')}?`;
  const some = names.slice(0, shownMax).join(', ');
  return `there is no such field.${some === '' ? '' : ` There are ${some}${names.length > shownMax ? ' and others' : ''}.`}`;
}

/** Lists the fields of the value that the schema does not have. null counts as left out. Strict objects refuse their own. */
export function unknownFields(schema: z.ZodType, value: unknown, path: readonly string[] = []): ErrorDetail[] {
  if (schema instanceof z.ZodObject) return isObject(value) ? inObject(schema, value, path) : [];
  if (schema instanceof z.ZodArray)
    return Array.isArray(value)
      ? value.flatMap((one, index) => unknownFields(schema.element as z.ZodType, one, [...path, String(index)]))
      : [];
  if (schema instanceof z.ZodRecord)
    return isObject(value)
      ? Object.entries(value).flatMap(([name, one]) =>
          unknownFields(schema.valueType as z.ZodType, one, [...path, name]),
        )
      : [];
  if (schema instanceof z.ZodUnion) {
    const fits = schema.options.filter((option) => (option as z.ZodType).safeParse(value).success);
    const found = fits.map((option) => unknownFields(option as z.ZodType, value, path));
    return found.sort((one, other) => one.length - other.length)[0] ?? [];
  }
  if (schema instanceof z.ZodPipe) return unknownFields(schema.in as z.ZodType, value, path);
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapper ? unknownFields(schema.unwrap() as z.ZodType, value, path) : [];
}

function inObject(
  schema: z.ZodObject,
  value: Readonly<Record<string, unknown>>,
  path: readonly string[],
): ErrorDetail[] {
  const { shape } = schema;
  const isClosed = schema.def.catchall === undefined;
  return Object.entries(value).flatMap(([name, one]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (field !== undefined) return unknownFields(field as z.ZodType, one, [...path, name]);
    if (!isClosed || one === null) return [];
    return [{ path: [...path, name].join('.'), message: noSuchField(name, Object.keys(shape)) }];
  });
}

/** Returns the fields as the header names them. */
export const ignoredFieldsOf = (details: readonly ErrorDetail[]): string =>
  details
    .slice(0, namedMax)
    .map(({ path }) => encodeURI(path.replaceAll(/\p{Surrogate}/gu, '\uFFFD')))
    .join(', ');
