/** Reads from a schema of the contract which fields a form has, and turns what is typed into a request. */
import type { z } from 'zod';
import type { Flag } from '../../../src/text/command-line.js';
import { flagName } from '../../../src/text/flag-names.js';
import { numberOf } from '../../../src/text/number.js';
import { spanOf } from '../../../src/text/span.js';
import { isoTime } from './iso-time.js';
import { secondsOf } from './seconds.js';

/** What a field is edited as. */
type FieldKind =
  | 'text'
  | 'texts'
  | 'long'
  | 'number'
  | 'seconds'
  | 'flag'
  | 'choice'
  | 'choices'
  | 'list'
  | 'time'
  | 'json';

export interface FormField {
  readonly name: string;
  readonly kind: FieldKind;
  /** Values of a choice. */
  readonly options: readonly string[];
  readonly required: boolean;
  /** null is a value of its own: the field is cleared. */
  readonly nullable: boolean;
  readonly description: string;
}

/** What is typed: a flag is a boolean, several choices are a list, everything else is text. */
export type Typed = string | boolean | readonly string[];
export type Draft = Readonly<Record<string, Typed>>;

const longFrom = 300;

/** What stands behind optional, nullable, default, or a transformation of what is sent. */
function heldBy({ _zod: { def } }: z.core.$ZodType): z.core.$ZodType | null {
  if ('innerType' in def) return def.innerType as z.core.$ZodType;
  if (def.type !== 'pipe') return null;
  const { in: sent, out } = def as z.core.$ZodPipeDef;
  return sent._zod.def.type === 'transform' ? out : sent;
}

/** Looks at what a field holds. */
function fieldOf(name: string, type: z.ZodType): FormField {
  let inner: z.core.$ZodType = type;
  let description = type.description ?? '';
  let unit = type.meta()?.unit;
  let known = type.meta()?.enum;
  for (let next = heldBy(inner); next !== null; next = heldBy(inner)) {
    inner = next;
    description ||= (inner as z.ZodType).description ?? '';
    unit ??= (inner as z.ZodType).meta()?.unit;
    known ??= (inner as z.ZodType).meta()?.enum;
  }
  const { def } = inner._zod;
  const common = {
    ...{ name, description },
    required: !type.safeParse(undefined).success,
    nullable: type.safeParse(null).success,
    options: optionsOf(inner),
  };
  if (Array.isArray(known)) return { ...common, options: known.map(String), kind: 'choice' };
  if (def.type === 'union') return { ...common, kind: unionKind(def as z.core.$ZodUnionDef) };
  if (unit === 'seconds') return { ...common, kind: 'seconds' };
  if (def.type === 'array') {
    const { element } = def as z.core.$ZodArrayDef;
    const options = optionsOf(element);
    const isText = element._zod.def.type === 'string';
    return { ...common, options, kind: options.length > 0 ? 'choices' : isText ? 'list' : 'json' };
  }
  if (def.type === 'string') {
    const format = 'format' in def ? def.format : null;
    const { maximum = 0 } = inner._zod.bag as { maximum?: number };
    return {
      ...common,
      kind: format === 'datetime' ? 'time' : maximum >= longFrom && format === null ? 'long' : 'text',
    };
  }
  const kinds: Readonly<Record<string, FieldKind>> = {
    ...{ boolean: 'flag', number: 'number', int: 'number', enum: 'choice', literal: 'choice' },
  };
  return { ...common, kind: kinds[def.type] ?? 'json' };
}

/** Texts are one text, or one for each language as JSON. */
function unionKind({ options }: z.core.$ZodUnionDef): FieldKind {
  if (options.every((one) => optionsOf(one).length > 0)) return 'number';
  return options.some((one) => (heldBy(one) ?? one)._zod.def.type === 'string') ? 'texts' : 'json';
}

function optionsOf(type: z.core.$ZodType): readonly string[] {
  const { def } = type._zod;
  if (def.type === 'enum') return Object.values((def as z.core.$ZodEnumDef).entries).map(String);
  return def.type === 'literal' ? (def as z.core.$ZodLiteralDef<z.core.util.Literal>).values.map(String) : [];
}

/** Passwords and keys, and what holds them, which no command line shows: commands read them from standard input. */
export const isSecret = (name: string): boolean =>
  /^(secret|password|apiKey|basicAuthPassword|customHeaders|tokenProviderSettings)$/.test(name);

export const fieldsOf = (schema: z.ZodObject): readonly FormField[] =>
  Object.entries(schema.shape).map(([name, type]) => fieldOf(name, type as z.ZodType));

/** How a value stands in its field. */
export function typedOf({ kind }: FormField, value: unknown): Typed {
  if (kind === 'flag') return value === true;
  if (kind === 'choices') return Array.isArray(value) ? value.map(String) : [];
  if (value === undefined || value === null) return '';
  if (kind === 'seconds') return spanOf(Number(value));
  if (kind === 'list' && Array.isArray(value)) return value.join('\n');
  if (kind === 'texts' && typeof value === 'object') return textsOf(value);
  if (kind === 'json') return JSON.stringify(value, null, 2);
  if (kind === 'time') return localTime(String(value));
  return String(value);
}

/** One text in English stands as such. */
function textsOf(texts: object): string {
  const [[language, text] = [], ...others] = Object.entries(texts);
  return language === 'en' && others.length === 0 ? String(text) : JSON.stringify(texts);
}

/** `2026-01-31T18:00:00Z` as the browser's field for times has it. */
function localTime(at: string): string {
  const date = new Date(at);
  return isoTime(new Date(date.getTime() - date.getTimezoneOffset() * 60_000))?.slice(0, 16) ?? at;
}

/** Stands for text that is no JSON, so that the schema refuses it. */
class NotJson {
  constructor(readonly message: string) {}
}

/** What the typed text says; undefined: nothing. Text that is not understood stays text, which the schema refuses. */
function valueIn({ kind, nullable }: FormField, typed: Typed): unknown {
  if (typeof typed !== 'string') return typed;
  if (typed.trim() === '') return nullable ? null : undefined;
  if (kind === 'number') return numberOf(typed.trim()) ?? typed;
  if (kind === 'seconds') return secondsOf(typed) ?? typed;
  if (kind === 'time') return isoTime(new Date(typed)) ?? typed;
  if (kind === 'list')
    return typed
      .split('\n')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  if (kind !== 'json' && !(kind === 'texts' && typed.startsWith('{'))) return typed;
  try {
    return JSON.parse(typed);
  } catch (error) {
    return new NotJson(error instanceof Error ? error.message : String(error));
  }
}

export const isSame = (one: Typed | Draft | undefined, other: Typed | Draft | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The draft where other values stand now: what was typed stays. */
export const rebased = (draft: Draft, before: Draft, now: Draft): Draft =>
  Object.fromEntries(
    Object.entries(draft).map(([name, typed]) => [name, isSame(typed, before[name]) ? (now[name] ?? '') : typed]),
  );

export const withoutSecrets = (draft: Draft): Draft =>
  Object.fromEntries(Object.entries(draft).map(([name, typed]) => [name, isSecret(name) ? '' : typed]));

/**
 * Returns the fields that were touched, and those that must be sent.
 *
 * @param start what stood in the form at first
 */
export function requestOf(
  fields: readonly FormField[],
  start: Draft,
  draft: Draft,
): { readonly body: Readonly<Record<string, unknown>>; readonly notJson: Readonly<Record<string, string>> } {
  const body: Record<string, unknown> = {};
  const notJson: Record<string, string> = {};
  for (const field of fields) {
    const typed = draft[field.name] ?? '';
    const isTouched = !isSame(typed, start[field.name]);
    if (!isTouched && !field.required) continue;
    const value = valueIn(field, typed);
    if (value instanceof NotJson) notJson[field.name] = value.message;
    else if (value !== undefined && (value !== null || isTouched)) body[field.name] = value;
  }
  return { body, notJson };
}

/** The flags that state a request, as they are typed at a shell. */
export function flagsOf(
  fields: readonly FormField[],
  body: Readonly<Record<string, unknown>>,
  draft: Draft,
): readonly Flag[] {
  return fields.flatMap(({ name, kind }): readonly Flag[] => {
    const value = body[name];
    if (value === undefined || isSecret(name)) return [];
    if (value === null) return [['--clear', name]];
    const flag = `--${flagName(name)}` as const;
    if (kind === 'flag') return [value === true ? [flag] : [`--no-${flagName(name)}`]];
    if (kind === 'seconds') return [[flag, String(draft[name]).replaceAll(/\s/g, '')]];
    if (Array.isArray(value))
      return value.map((one) => [flag, typeof one === 'string' ? one : JSON.stringify(one)] as const);
    return [[flag, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
  });
}
