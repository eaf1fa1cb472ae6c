/** Checks values by schemas and says what is wrong with them in plain words: they stand in answers, terminals and logs. */
import { z } from 'zod';
import { noSuchField } from './unknown-fields.js';

/** `message` is to be read behind the name of the field: `goal: must be a whole number`. */
export interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

type Judged<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly problems: readonly Problem[] };

type Issue = z.core.$ZodIssue;
/** Issue as the schema reports it, without a message yet. */
type RawIssue = z.core.$ZodRawIssue;

const kinds: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['bigint', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['null', 'null'],
  ['date', 'a time'],
]);
const kindOf = (expected: string): string => kinds.get(expected) ?? expected;

const formats: ReadonlyMap<string, string> = new Map([
  ['email', 'must be an e-mail address, such as ann@example.com'],
  ['url', 'must be an address, such as https://example.com'],
  ['uuid', 'must be an id such as 01a1fdfa-92b4-7d4b-b9b9-5d8ae6086a44'],
  ['datetime', 'must be a time such as 2026-01-31T18:00:00Z'],
  ['date', 'must be a date such as 2026-01-31'],
  ['cidrv4', 'must be a network such as 10.0.0.0/8'],
  ['json_string', 'must be JSON'],
]);

const required = 'is required';
const notValid = 'is not valid';
const shownMax = 30;

const counted = (count: number | bigint, unit: string): string => `${count} ${unit}${Number(count) === 1 ? '' : 's'}`;
const units: ReadonlyMap<string, string> = new Map([
  ['string', 'character'],
  ['array', 'item'],
]);

type Bound = { readonly origin: string; readonly exact?: boolean; readonly inclusive?: boolean };

function tooSmall({ origin, exact, inclusive }: Bound, minimum: number | bigint): string {
  const unit = units.get(origin);
  if (unit === undefined) return `must be ${inclusive === false ? 'greater than' : 'at least'} ${minimum}`;
  if (exact !== true && Number(minimum) === 1) return 'must not be empty';
  return `must have ${exact === true ? 'exactly' : 'at least'} ${counted(minimum, unit)}`;
}

function tooBig({ origin, exact, inclusive }: Bound, maximum: number | bigint): string {
  const unit = units.get(origin);
  if (unit === undefined) return `must be ${inclusive === false ? 'less than' : 'at most'} ${maximum}`;
  return `must have ${exact === true ? 'exactly' : 'at most'} ${counted(maximum, unit)}`;
}

/** Schemes of addresses that a schema may take. */
const schemes = ['https', 'http', 'wss', 'ws'];

function invalidFormat(issue: Extract<RawIssue, { code: 'invalid_format' }>): string {
  const { format, pattern, prefix, suffix, includes, note } = issue as typeof issue & Record<string, unknown>;
  if (format === 'url' && note === 'Invalid protocol' && typeof pattern === 'string') {
    const taken = schemes.filter((scheme) => new RegExp(pattern).test(scheme));
    return `must be an address that begins with ${taken.map((scheme) => `${scheme}:`).join(' or ')}`;
  }
  if (format === 'starts_with') return `must begin with "${prefix}"`;
  if (format === 'ends_with') return `must end with "${suffix}"`;
  if (format === 'includes') return `must contain "${includes}"`;
  return formats.get(format) ?? (typeof pattern === 'string' ? `must fit the pattern ${pattern}` : notValid);
}

function choice(values: readonly unknown[]): string {
  const [only] = values;
  if (values.length === 1) return `must be ${String(only)}`;
  const more = values.length > shownMax ? ` and ${values.length - shownMax} more` : '';
  return `must be one of ${values.slice(0, shownMax).map(String).join(', ')}${more}`;
}

/** The fields of an object, for a name that none of them has. */
const namesIn = (schema: unknown): string[] => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []);

/** The words for issues whose schema has none of its own. */
function wordsFor(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? required : `must be ${kindOf(issue.expected)}`;
    case 'invalid_value':
      return issue.input === undefined ? required : choice(issue.values);
    case 'too_small':
      return tooSmall(issue, issue.minimum);
    case 'too_big':
      return tooBig(issue, issue.maximum);
    case 'invalid_format':
      return invalidFormat(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return issue.keys.map((name) => noSuchField(name, namesIn(issue.inst))).join('\n');
    case 'invalid_union':
      return Array.isArray(issue.options) ? choice(issue.options) : notValid;
    default:
      return notValid;
  }
}

const inPlainWords = { error: wordsFor };

export function judge<S extends z.ZodType>(schema: S, value: unknown): Judged<z.output<S>> {
  const judged = schema.safeParse(value, inPlainWords);
  if (judged.success) return judged;
  return { success: false, problems: judged.error.issues.flatMap(problemsOf) };
}

/**
 * Judges a value that somebody's serializer wrote: null for a field that does not take it counts as left out, since most
 * write their optional fields so. Such fields are deleted from the value itself.
 */
export function judgeWithoutNulls<S extends z.ZodType>(schema: S, value: unknown): Judged<z.output<S>> {
  const first = judge(schema, value);
  if (first.success) return first;
  const nulls = first.problems.filter(({ path }) => deleteNull(value, path));
  if (nulls.length === 0) return first;
  const second = judge(schema, value);
  if (second.success) return second;
  const nullAt = new Map(nulls.map((problem) => [problem.path.join('\0'), problem]));
  return { success: false, problems: second.problems.map((one) => nullAt.get(one.path.join('\0')) ?? one) };
}

/** True if the path leads to a field of an object that was null, and is gone now. */
function deleteNull(value: unknown, path: readonly PropertyKey[]): boolean {
  const name = path.at(-1);
  let holder = value;
  for (const step of path.slice(0, -1)) holder = isObject(holder) ? Reflect.get(holder, step) : undefined;
  if (name === undefined || !isObject(holder) || Array.isArray(holder)) return false;
  return Object.hasOwn(holder, name) && Reflect.get(holder, name) === null && Reflect.deleteProperty(holder, name);
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Lists problems that the sender can mend: the field itself, and of a choice the branch that fits best. */
function problemsOf(issue: Issue): Problem[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((name, index) => ({
      path: [...path, name],
      message: issue.message.split('\n')[index] ?? noSuchField(name, []),
    }));
  if (issue.code === 'invalid_key')
    return issue.issues.map(({ message }) => ({ path, message: `is not a valid name here: ${message}` }));
  if (issue.code !== 'invalid_union' || issue.message !== notValid) return [{ path, message: issue.message }];
  const branches = issue.errors.filter((branch) => branch.length > 0);
  if (branches.length === 0) return [{ path, message: issue.message }];
  const best = branches.find((branch) => branch.some((one) => one.code !== 'invalid_type' || one.path.length > 0));
  if (best !== undefined) return best.flatMap((one) => problemsOf({ ...one, path: [...path, ...one.path] } as Issue));
  const all = branches.flat();
  if (all.every(({ message }) => message === required)) return [{ path, message: required }];
  const expected = all.map((one) => (one.code === 'invalid_type' ? kindOf(one.expected) : ''));
  return [{ path, message: `must be ${[...new Set(expected)].filter((kind) => kind !== '').join(' or ')}` }];
}

/** `goal: must be a whole number`, a line each; without a path `whole` names what was judged. */
export const problemLines = (problems: readonly Problem[], whole: string): string[] =>
  problems.map(({ path, message }) => `${path.join('.') || whole}: ${message}`);
