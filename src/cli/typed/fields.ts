/** Contract → flags → request: a command states its body's schema and gets its flags, help and parsing from it. */

import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import type { z } from 'zod';
import { judge, type Problem } from '../../contract/judge.js';
import { looksLikeId } from '../../names/id-shape.js';
import { UsageError } from '../../terminal/usage-error.js';
import { type FlagName, flagName, kebab } from '../../text/flag-names.js';
import { numberOf } from '../../text/number.js';
import { kindOfField } from '../names/kinds.js';
import { daemonNow } from './daemon-clock.js';
import { jsonExample } from './json-example.js';
import { repeated, repeatedWhole } from './repeated.js';
import { parseDuration, parseTime } from './times.js';

/** The flag of a field: booleans are switches, lists repeat, everything else is text until `requestFrom` reads it. */
type FlagOf<Type extends z.ZodType> =
  NonNullable<z.output<Type>> extends boolean
    ? Interfaces.BooleanFlag<boolean | undefined>
    : NonNullable<z.output<Type>> extends readonly unknown[]
      ? Interfaces.OptionFlag<TypedField<Type, string[]>>
      : Interfaces.OptionFlag<TypedField<Type, string>>;
type TypedField<Type extends z.ZodType, Text> = undefined extends z.input<Type> ? Text | undefined : Text;

/** The flags of a schema; those of `But` left out. */
type FlagsOf<Schema extends z.ZodObject, But extends string = never> = {
  [Name in Exclude<keyof Schema['shape'] & string, But> as FlagName<Name>]: Schema['shape'][Name] extends z.ZodType
    ? FlagOf<Schema['shape'][Name]>
    : never;
};

interface Field {
  readonly kind: string;
  /** Values to choose from; null: any that the schema takes. */
  readonly choices: readonly unknown[] | null;
  readonly isTime: boolean;
  /** Seconds, which people write as durations such as `10m`. */
  readonly isDuration: boolean;
  /** An array of objects: each is typed as JSON. */
  readonly ofObjects: boolean;
  readonly required: boolean;
  readonly description: string;
  /** Schema of the field; of an array, that of its items. */
  readonly holds: z.core.$ZodType;
}

/** Returns the values that an enumeration, a literal or a union of such has; null for all other schemas. */
function choicesOf({ _zod: { def } }: z.core.$ZodType): readonly unknown[] | null {
  if (def.type === 'enum') return Object.values((def as z.core.$ZodEnumDef).entries);
  if (def.type === 'literal') return (def as z.core.$ZodLiteralDef<z.core.util.Literal>).values;
  if (def.type !== 'union') return null;
  const parts = (def as z.core.$ZodUnionDef).options.map(choicesOf);
  return parts.every((part) => part !== null) ? parts.flat() : null;
}

/** Looks through optional, nullable and default at what a field holds. */
function shapeOf(type: z.ZodType): Field {
  let inner: z.core.$ZodType = type;
  let description = type.description ?? '';
  let unit = type.meta()?.unit;
  while ('innerType' in inner._zod.def) {
    inner = inner._zod.def.innerType as z.core.$ZodType;
    description ||= (inner as z.ZodType).description ?? '';
    unit ??= (inner as z.ZodType).meta()?.unit;
  }
  const def = inner._zod.def;
  const format = 'format' in def ? def.format : null;
  return {
    // A query has only text: a flag there is "true" or "false".
    kind: (inner as z.ZodType).meta()?.type === 'boolean' ? 'switch' : def.type,
    choices: choicesOf(inner),
    isTime: format === 'datetime',
    isDuration: unit === 'seconds',
    ofObjects: def.type === 'array' && (def as z.core.$ZodArrayDef).element._zod.def.type === 'object',
    required: !type.safeParse(undefined).success,
    description,
    holds: def.type === 'array' ? (def as z.core.$ZodArrayDef).element : inner,
  };
}

function objectIn(name: string, holds: z.core.$ZodType, text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {}
  throw new UsageError(
    `--${flagName(name)}: "${text}" is not a JSON object; write one such as '${jsonExample(holds)}'.`,
  );
}

/** Text goes in as typed; `requestFrom` turns it into what the field holds. */
function flagsOf(name: string, type: z.ZodType): Interfaces.FlagInput {
  const { kind, choices, ofObjects, required, description } = shapeOf(type);
  const flag = flagName(name);
  const aliases = flag === kebab(name) ? [] : [kebab(name)];
  if (kind === 'boolean' || kind === 'switch')
    return { [flag]: Flags.boolean({ description, allowNo: true, aliases }) };
  const common = { description, required, aliases, ...(choices === null ? {} : { options: choices.map(String) }) };
  // Objects are typed as JSON, which has commas of its own.
  if (kind === 'array') return { [flag]: Flags.string({ ...common, ...(ofObjects ? repeatedWhole : repeated) }) };
  const names = kindOfField[name];
  return { [flag]: Object.assign(Flags.string(common), names === undefined ? {} : { names }) };
}

/** Bounds of what is looked for, and what has happened; all other times are of what is to come. */
const pastFields: ReadonlySet<string> = new Set(['since', 'until', 'unusedSince', 'receivedAt']);

/** An event of the log, its beginning, or a time. */
const placeInLog = (typed: string): string =>
  typed === 'earliest' || looksLikeId.test(typed) ? typed : parseTime(typed, daemonNow(), 'past');

/** Converts the typed text into the value of the field. Throws UsageError. */
function meant(name: string, { kind, choices, isTime, isDuration, ofObjects, holds }: Field, typed: unknown): unknown {
  if (kind === 'switch' && typeof typed === 'boolean') return String(typed);
  if (ofObjects && Array.isArray(typed)) return typed.map((one) => objectIn(name, holds, String(one)));
  if (typeof typed !== 'string') return typed;
  if (choices !== null) return choices.find((choice) => String(choice) === typed) ?? typed;
  if (kind === 'record' || kind === 'object' || (kind === 'union' && typed.startsWith('{')))
    return objectIn(name, holds, typed);
  if ((kind === 'string' || kind === 'union') && !isTime && pastFields.has(name)) return placeInLog(typed);
  if (kind === 'boolean' && /^(?:true|false)$/i.test(typed)) return typed.toLowerCase() === 'true';
  if (isTime) return parseTime(typed, daemonNow(), pastFields.has(name) ? 'past' : 'future');
  if (kind !== 'int' && kind !== 'number') return typed;
  if (isDuration) return parseDuration(typed);
  const number = numberOf(typed);
  if (number === null) throw new UsageError(`--${flagName(name)}: "${typed}" is not a number.`);
  return number;
}

/** A flag for each field, named in kebab case; those in `but` come from elsewhere (arguments, prompts). */
export const flagsFor = <Schema extends z.ZodObject, const But extends string = never>(
  schema: Schema,
  but: readonly But[] = [],
): FlagsOf<Schema, But> =>
  Object.assign(
    {},
    ...Object.entries(schema.shape)
      .filter(([name]) => !but.some((one) => one === name))
      .map(([name, type]) => flagsOf(name, type as z.ZodType)),
  );

/** Returns the value typed as the argument or as its flag. Throws UsageError where it is neither, or both. */
export function argumentOrFlag(argument: string | undefined, flag: string | undefined, name: string): string {
  const typed = argument ?? flag;
  if (typed === undefined || (argument !== undefined && flag !== undefined))
    throw new UsageError(`Write ${name.toUpperCase()}, or --${name} ${name.toUpperCase()}.`);
  return typed;
}

/** The fields that have a value, for parts of a request that are left out when nothing was typed. */
export const stated = <Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } =>
  Object.assign({}, ...Object.entries(fields).map(([name, value]) => (value == null ? {} : { [name]: value })));

/** The request that the flags state, judged by the schema. Throws UsageError. */
export function requestFrom<S extends z.ZodObject>(
  schema: S,
  flags: Readonly<Record<string, unknown>>,
  also: Partial<z.input<S>> = {},
): z.input<S> {
  const stated = Object.entries(schema.shape)
    .filter(([name]) => !Object.hasOwn(also, name))
    .map(([name, type]) => [name, meant(name, shapeOf(type as z.ZodType), flags[flagName(name)])] as const)
    .filter(([, value]) => value !== undefined);
  const request = { ...Object.fromEntries(stated), ...also } as z.input<S>;
  const judged = judge(schema, request);
  if (judged.success) return request;
  throw new UsageError(judged.problems.map(flagProblem).join('\n'));
}

/** Cells of a row as the fields of the schema, read as flags are; what is no text stays as it is. Throws UsageError. */
export const typedCells = (schema: z.ZodObject, cells: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(cells).map(([name, cell]) => {
      const type = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined;
      return [name, typeof cell === 'string' && type !== undefined ? meant(name, shapeOf(type), cell) : cell];
    }),
  );

/** `--parameters delaySeconds: must be at least 1`. */
const flagProblem = ({ path: [field = '', ...within], message }: Problem): string =>
  `--${[flagName(String(field)), within.join('.')].join(' ').trim()}: ${message}`;
