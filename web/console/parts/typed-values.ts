/** Turns values into what stands in the fields of a form, and what is typed there into a request. */
import type { Flag } from '../../../src/text/command-line.js';
import { flagName } from '../../../src/text/flag-names.js';
import { numberOf } from '../../../src/text/number.js';
import { spanOf } from '../../../src/text/span.js';
import { isoTime } from './iso-time.js';
import { type FormField, isHidden } from './schema-fields.js';
import { secondsOf } from './seconds.js';

/** A flag is a boolean, rows and several choices are a list, an object is a draft of its own, everything else is text. */
export type Typed = string | boolean | readonly Typed[] | Draft;
export interface Draft {
  readonly [name: string]: Typed;
}

export const isDraft = (typed: Typed | undefined): typed is Draft => typeof typed === 'object' && !Array.isArray(typed);
/** Rows of what is typed; none where it is something else. */
export const rowsIn = (typed: Typed | undefined): readonly Typed[] =>
  Array.isArray(typed) ? (typed as readonly Typed[]) : [];
/** A text of what is typed under this name, such as the chosen event. */
export const textIn = (draft: Draft, name: string): string => {
  const typed = draft[name];
  return typeof typed === 'string' ? typed : '';
};

/** Objects that may be left out, and are shown only where somebody wants them. */
export const isSwitched = ({ kind, required, nullable, fields }: FormField): boolean =>
  kind === 'group' && !required && (nullable || fields.some((field) => field.required));

/** How a value stands in its field. */
export function typedOf(field: FormField, value: unknown): Typed {
  const { kind, fields, row, usual } = field;
  if (value === undefined && usual !== undefined) return typedOf({ ...field, usual: undefined }, usual);
  if (kind === 'flag') return value === true;
  if (kind === 'choices') return Array.isArray(value) ? value.map(String) : [];
  if (kind === 'rows') return Array.isArray(value) && row !== null ? value.map((one) => typedOf(row, one)) : [];
  if (kind === 'group') {
    if (!isObject(value)) return isSwitched(field) ? '' : fresh(field);
    return Object.fromEntries(fields.map((one) => [one.name, typedOf(one, value[one.name])]));
  }
  if (kind === 'one') {
    const usualOne = fields.find((one) => one.fields.some(({ required }) => required)) ?? fields[0];
    const stated = isObject(value)
      ? fields.filter(({ name }) => value[name] !== undefined)
      : [usualOne].filter((one) => one !== undefined);
    return stated.map((one) => ({
      kind: one.name,
      value: typedOf(one, isObject(value) ? value[one.name] : undefined),
    }));
  }
  if (kind === 'map')
    return isObject(value) && row !== null
      ? Object.entries(value).map(([name, one]) => ({ name, value: typedOf(row, one) }))
      : [];
  if (value === undefined || value === null) return '';
  if (kind === 'span') return exactSpan(Number(value) * field.unitSeconds);
  if (kind === 'list' && Array.isArray(value)) return value.join('\n');
  if (kind === 'commas' && Array.isArray(value))
    return value.some((one) => String(one).includes(',')) ? linesOf(value) : value.join(', ');
  if (kind === 'texts' && isObject(value)) return textsOf(value);
  if (kind === 'json') return JSON.stringify(value, null, 2);
  if (kind === 'time') return localTime(String(value));
  return String(value);
}

/** What stands in a row that was just added. */
export const fresh = (field: FormField): Typed =>
  field.kind === 'group'
    ? Object.fromEntries(field.fields.map((one) => [one.name, typedOf(one, undefined)]))
    : field.kind === 'rows' && field.row !== null
      ? [fresh(field.row)]
      : typedOf(field, undefined);

/** `1d1h1m`: all units, because what stands in a field is what it sends. */
function exactSpan(seconds: number): string {
  const about = spanOf(seconds);
  const rest = seconds - (secondsOf(about) ?? 0);
  return rest > 0 && rest < seconds ? `${about}${exactSpan(rest)}` : about;
}

/** One in each line; a single one stands below an empty line, else it would be split at its commas. */
const linesOf = (values: readonly unknown[]): string => `${values.length === 1 ? '\n' : ''}${values.join('\n')}`;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One text in English stands as such. */
function textsOf(texts: Readonly<Record<string, unknown>>): Typed {
  const rows = Object.entries(texts).map(([name, text]) => ({ name, value: String(text) }));
  const [first] = rows;
  return first?.name === 'en' && rows.length === 1 ? first.value : rows;
}

/** `2026-01-31T18:00:00Z` as the browser's field for times has it. */
function localTime(at: string): string {
  const date = new Date(at);
  return isoTime(new Date(date.getTime() - date.getTimezoneOffset() * 60_000))?.slice(0, 16) ?? at;
}

/** Something is wrong with what was typed at this place of the form. */
export interface Fault {
  readonly path: readonly string[];
  readonly message: string;
}

/** Reads what is typed. Texts that are no JSON are named in `faults`. */
class FieldReader {
  readonly faults: Fault[] = [];

  /** The value; undefined: nothing. Text that is not understood stays text, which the schema refuses. */
  read(field: FormField, typed: Typed, path: readonly string[]): unknown {
    const { kind, nullable } = field;
    if (typeof typed === 'boolean') return typed;
    if (typeof typed === 'string') {
      if (typed.trim() === '') return nullable ? null : kind === 'group' && !isSwitched(field) ? {} : undefined;
      return this.#text(field, typed, path);
    }
    if (kind === 'group' && isDraft(typed)) return this.#group(field, typed, path);
    return this.#rows(field, rowsIn(typed), path);
  }

  #group({ fields, required, nullable }: FormField, typed: Draft, path: readonly string[]): unknown {
    const values = fields.flatMap((field) => {
      const value = this.read(field, typed[field.name] ?? '', [...path, field.name]);
      const isLeftOut =
        value === undefined || (!field.required && (value === null || (field.usual === undefined && isNothing(value))));
      return isLeftOut ? [] : [[field.name, value] as const];
    });
    return values.length === 0 && !required && !nullable ? undefined : Object.fromEntries(values);
  }

  #rows({ kind, row, fields }: FormField, typed: readonly Typed[], path: readonly string[]): unknown {
    if (kind === 'choices') return typed;
    if (kind === 'rows')
      return typed.map((one, index) => (row === null ? one : (this.read(row, one, [...path, `${index}`]) ?? {})));
    const named = typed
      .filter(isDraft)
      .map((one) => ({ name: textIn(one, kind === 'one' ? 'kind' : 'name').trim(), value: one.value ?? '' }));
    if (kind === 'texts') return Object.fromEntries(named.map(({ name, value }) => [name, value]));
    return Object.fromEntries(
      named.map(({ name, value }) => {
        const field = kind === 'one' ? fields.find((one) => one.name === name) : row;
        if (field === null || field === undefined) return [name, value];
        // A thing that is said says so also without anything in it.
        const empty = field.kind === 'group' ? {} : kind === 'map' ? '' : undefined;
        return [name, this.read(field, value, [...path, name]) ?? empty];
      }),
    );
  }

  #text({ kind, unitSeconds, isNumeric }: FormField, typed: string, path: readonly string[]): unknown {
    const text = typed.trim();
    if (kind === 'number' || (kind === 'choice' && isNumeric)) return numberOf(text) ?? typed;
    if (kind === 'span') return inUnit(text, unitSeconds) ?? typed;
    if (kind === 'time') return isoTime(new Date(typed)) ?? typed;
    if (kind === 'list') return partsOf(typed, '\n');
    if (kind === 'commas') return partsOf(typed, text.includes('\n') || typed.startsWith('\n') ? '\n' : ',');
    if (!isStructured(kind)) return typed;
    try {
      return JSON.parse(typed);
    } catch (error) {
      this.faults.push({ path, message: error instanceof Error ? error.message : String(error) });
      return undefined;
    }
  }
}

const isNothing = (value: unknown): boolean => value === false || (Array.isArray(value) && value.length === 0);

/** What may also be edited as JSON: then its text is what is typed. */
export const isStructured = (kind: FormField['kind']): boolean =>
  ['json', 'group', 'one', 'rows', 'map'].includes(kind);

const partsOf = (typed: string, between: string): readonly string[] =>
  typed
    .split(between)
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** A duration in the unit of its field: a number alone is in that unit, unless it is seconds. */
function inUnit(text: string, unitSeconds: number): number | null | undefined {
  if (unitSeconds > 1 && /^\d+$/.test(text)) return Number(text);
  const seconds = secondsOf(text);
  return typeof seconds === 'number' ? seconds / unitSeconds : seconds;
}

export const isSame = (one: Typed | undefined, other: Typed | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The draft where other values stand now: what was typed stays. */
export const rebased = (draft: Draft, before: Draft, now: Draft): Draft =>
  Object.fromEntries(
    Object.entries(draft).map(([name, typed]) => [name, isSame(typed, before[name]) ? (now[name] ?? '') : typed]),
  );

export const withoutSecrets = (draft: Draft): Draft =>
  Object.fromEntries(
    Object.entries(draft).map(([name, typed]) => [
      name,
      isDraft(typed) ? withoutSecrets(typed) : isHidden(name) ? '' : typed,
    ]),
  );

/**
 * Returns the fields that were touched, and those that must be sent.
 *
 * @param start what stood in the form at first
 */
export function requestOf(
  fields: readonly FormField[],
  start: Draft,
  draft: Draft,
): { readonly body: Readonly<Record<string, unknown>>; readonly faults: readonly Fault[] } {
  const body: Record<string, unknown> = {};
  const reader = new FieldReader();
  for (const field of fields) {
    const typed = draft[field.name] ?? '';
    const isTouched = !isSame(typed, start[field.name] ?? '');
    if (!isTouched && !field.required) continue;
    const value = reader.read(field, typed, [field.name]);
    if (value !== undefined && (value !== null || isTouched)) body[field.name] = value;
  }
  return { body, faults: reader.faults };
}

/** The value of a field as it is typed; undefined: it is not understood. */
export function valueIn(field: FormField, typed: Typed): unknown {
  const reader = new FieldReader();
  const value = reader.read(field, typed, []);
  return reader.faults.length > 0 ? undefined : value;
}

/** The flags that state a request, as they are typed at a shell. */
export function flagsOf(
  fields: readonly FormField[],
  body: Readonly<Record<string, unknown>>,
  draft: Draft,
): readonly Flag[] {
  return fields.flatMap(({ name, kind, unitSeconds }): readonly Flag[] => {
    const value = body[name];
    if (value === undefined || isHidden(name)) return [];
    if (value === null) return [['--clear', name]];
    const flag = `--${flagName(name)}` as const;
    if (kind === 'flag') return [value === true ? [flag] : [`--no-${flagName(name)}`]];
    if (kind === 'span' && unitSeconds === 1) return [[flag, String(draft[name]).replaceAll(/\s/g, '')]];
    if (Array.isArray(value))
      return value.map((one) => [flag, typeof one === 'string' ? one : JSON.stringify(one)] as const);
    return [[flag, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
  });
}
