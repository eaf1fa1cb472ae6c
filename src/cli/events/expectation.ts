/**
 * The expectation of `listen --expect`: `sanction.created where type=mute and externalUserId=u_42`. Names are fields of
 * the event's data; `changes.…` are previous values and `event.…` fields of the envelope.
 */
import { type DomainEvent, matchesPattern } from '../../contract/events.js';
import { UsageError } from '../../terminal/usage-error.js';
import { numberOf } from '../../text/number.js';

export interface Expectation {
  readonly text: string;
  /** Type, or the beginning of types with a trailing `*`. */
  readonly pattern: string;
  /** Paths that its conditions look at, as typed. */
  readonly fields: readonly string[];
  matches(event: DomainEvent): boolean;
}

type ComparisonOperator = (found: unknown, wanted: string) => boolean;

const asText = (found: unknown): string => (typeof found === 'object' ? JSON.stringify(found) : String(found));
const compared = (holds: (found: number, wanted: number) => boolean): ComparisonOperator => {
  return (found, wanted) => typeof found === 'number' && holds(found, Number(wanted));
};
const operators: Readonly<Record<string, ComparisonOperator>> = {
  '=': (found, wanted) => asText(found) === wanted,
  '!=': (found, wanted) => asText(found) !== wanted,
  '~': (found, wanted) => asText(found).includes(wanted),
  '<=': compared((found, wanted) => found <= wanted),
  '>=': compared((found, wanted) => found >= wanted),
  '<': compared((found, wanted) => found < wanted),
  '>': compared((found, wanted) => found > wanted),
};

const whole = /^\s*([a-z0-9_.*-]+)(?:\s+where\s+(.+))?\s*$/is;
const condition = /^\s*([\w.]+)\s*(!=|<=|>=|=|~|<|>)\s*("[^"]*"|'[^']*'|[^\s"']+)\s*(?:and\s+(?=\S)|$)/i;

/** Throws UsageError. */
export function parseExpectation(text: string): Expectation {
  const [, pattern, where] = whole.exec(text) ?? [];
  if (pattern === undefined) throw unreadable(text);
  const conditions = where === undefined ? [] : conditionsOf(where, text);
  return {
    text: text.trim(),
    pattern,
    fields: conditions.map(({ path }) => path),
    matches: (event) => matchesPattern(event.type, pattern) && conditions.every(({ holds }) => holds(event)),
  };
}

interface FieldCondition {
  readonly path: string;
  holds(event: DomainEvent): boolean;
}

function conditionsOf(where: string, text: string): FieldCondition[] {
  const conditions: FieldCondition[] = [];
  for (let rest = where; rest !== ''; ) {
    const [read, path = '', sign = '', quoted = ''] = condition.exec(rest) ?? [];
    const operator = operators[sign];
    if (read === undefined || operator === undefined) throw unreadable(text);
    const wanted = /^["']/.test(quoted) ? quoted.slice(1, -1) : quoted;
    if (/[<>]/.test(sign) && numberOf(wanted) === null)
      throw new UsageError(
        `"${path}${sign}${quoted}" does not compare with a number; durations are in seconds, such as ${path}${sign}600.`,
      );
    conditions.push({ path, holds: (event) => operator(valueAt(event, path.split('.')), wanted) });
    rest = rest.slice(read.length);
  }
  return conditions;
}

function valueAt(event: DomainEvent, path: readonly string[]): unknown {
  const [first, ...others] = path;
  if (first === 'event') return inside(event, others);
  if (first === 'changes') return inside(event.payload.changes, others);
  return inside(event.payload.data, path);
}

const inside = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (within, name) => (typeof within === 'object' && within !== null ? Reflect.get(within, name) : undefined),
    value,
  );

const unreadable = (text: string): UsageError =>
  new UsageError(
    `"${text}" is not an expectation; write a type, or 'sanction.created where type=mute and duration>=600' (= != ~ < <= > >=).`,
  );

/** Number of events that an expectation waits for: at least one, or an exact number. */
export interface Wanted {
  readonly expectation: Expectation;
  /** null: at least one. */
  readonly count: number | null;
}

/** True if more events or more time cannot change the result. */
export const isSettled = ({ count }: Wanted, seen: number): boolean => (count === null ? seen > 0 : seen > count);

/** The result when the time is over. */
export function judge({ count }: Wanted, seen: number): 'met' | 'missing' | 'surplus' {
  if (seen < (count ?? 1)) return 'missing';
  return count !== null && seen > count ? 'surplus' : 'met';
}
