/** The contract's JSON Schema → fast-check: values that a schema takes, and such as come close to them. */
import fc from 'fast-check';
import { z } from 'zod';

/** Loopback, where outbound calls are refused: what is made up must not reach out into the network. */
const address = 'http://127.0.0.1:9/made-up';
const dayMs = 86_400_000;
const itemsMax = 3;
const textMax = 20;
/** Fields whose rule a JSON Schema cannot say. */
const byName: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  timezone: fc.constant('Europe/Berlin'),
  timeZone: fc.constant('Europe/Berlin'),
  since: fc.constant('earliest'),
  events: fc.constant(['message.*']),
  slug: fc.uuid(),
  timestamp: fc.integer({ min: 0, max: 300 }).map((days) => new Date(Date.now() - days * dayMs).toISOString()),
};

type Definitions = Readonly<Record<string, Schema>>;

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Definitions;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

const json = fc.jsonValue({ maxDepth: 2 });
/** Without NUL and lone surrogates, which the border refuses. */
const text = (min: number, max: number): fc.Arbitrary<string> =>
  fc.string({ unit: 'grapheme-ascii', minLength: min, maxLength: Math.max(min, Math.min(max, min + textMax)) });

function stringOf({ format, pattern, minLength = 0, maxLength = textMax }: Schema): fc.Arbitrary<unknown> {
  if (format === 'uri') return fc.constant(address);
  if (format === 'email') return fc.uuid().map((id) => `${id}@example.com`);
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time')
    return fc.integer({ min: 1, max: 300 }).map((days) => new Date(Date.now() + days * dayMs).toISOString());
  return pattern === undefined ? text(minLength, maxLength) : fc.stringMatching(new RegExp(pattern));
}

/** A place in the log may be a time or more than that; where it is a time alone, its schema says so. */
const saysItself = (name: string, { format }: Schema): boolean => name === 'since' && format === 'date-time';

function objectOf(
  { properties = {}, required = [], additionalProperties }: Schema,
  defs: Definitions,
): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      (saysItself(name, schema) ? undefined : byName[name]) ?? arbitraryOf(schema, defs),
    ]),
  );
  if (Object.keys(fields).length === 0 && typeof additionalProperties === 'object')
    return fc.dictionary(fc.constantFrom('en', 'de', 'fr'), arbitraryOf(additionalProperties, defs), {
      minKeys: 1,
      maxKeys: itemsMax,
      noNullPrototype: true,
    });
  const requiredKeys = Object.keys(fields).filter((name) => required.includes(name));
  return fc.record(fields, { requiredKeys, noNullPrototype: true });
}

function arbitraryOf(schema: Schema, defs: Definitions): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) {
    const named = defs[schema.$ref.replace('#/$defs/', '')];
    // A schema without a name of its own contains itself: any JSON.
    return named === undefined || schema.$ref.includes('__schema') ? json : arbitraryOf(named, defs);
  }
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => arbitraryOf(choice, defs)));
  const { minimum: min = 0, maximum: max = min + 1_000 } = schema;
  switch (schema.type) {
    case 'string':
      return stringOf(schema);
    case 'integer':
    case 'number':
      return fc.integer({ min: Math.max(min, -1_000), max: Math.min(max, Math.max(min, -1_000) + 10_000) });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}, defs), { minLength: schema.minItems ?? 0, maxLength: itemsMax });
    case 'object':
      return objectOf(schema, defs);
    default:
      return json;
  }
}

const schemaOf = (type: z.ZodType): Schema =>
  z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as unknown as Schema;

/** Values that the schema takes, but for what only its refinements know. */
export const valid = (type: z.ZodType): fc.Arbitrary<unknown> => {
  const schema = schemaOf(type);
  return arbitraryOf(schema, schema.$defs ?? {});
};

/** Values that are close to what the schema takes, and some that are not; few of them are valid. */
export function close(type: z.ZodType): fc.Arbitrary<unknown> {
  const bent = fc.tuple(valid(type), fc.nat(), json).map(([made, at, instead]) => {
    if (typeof made !== 'object' || made === null || Array.isArray(made)) return instead;
    const names = Object.keys(made);
    const name = names[at % Math.max(1, names.length)];
    return name === undefined ? { made: instead } : { ...made, [name]: instead };
  });
  return fc.oneof({ weight: 3, arbitrary: bent }, { weight: 1, arbitrary: json });
}
