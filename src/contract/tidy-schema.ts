/**
 * zod's JSON Schema in the forms that client generators understand best: a nullable type instead of a union, an
 * enumeration instead of a union of constants, and no bounds or patterns that repeat the type.
 */
export type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** zod spells these formats out as patterns of hundreds of characters; tools that make up values take them literally. */
const formatsWithPattern = new Set(['date-time', 'email', 'uuid']);

/** A copy, tidied all the way down. */
export function tidy(schema: object): Json {
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, tidied(value)]));
  return nullable(enumeration(withoutNoise(copy)));
}

const tidied = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(tidied) : isObject(value) ? tidy(value) : value;

function withoutNoise(schema: Json): Json {
  const { pattern, minimum, maximum, propertyNames, unit, ...rest } = schema;
  return {
    ...rest,
    ...(pattern === undefined || formatsWithPattern.has(String(rest.format)) ? {} : { pattern }),
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
    // No keyword of JSON Schema. A property may also be called `unit`; that one is a schema.
    ...(unit === undefined ? {} : typeof unit === 'string' ? { 'x-unit': unit } : { unit }),
    ...(propertyNames === undefined || isAnyString(propertyNames) ? {} : { propertyNames }),
  };
}

const isAnyString = (schema: unknown): boolean =>
  isObject(schema) && schema.type === 'string' && Object.keys(schema).length === 1;

/** A union of constants of one type → `enum`. */
function enumeration(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length < 2) return schema;
  const values = anyOf.map((one) => (isObject(one) && Object.keys(one).length === 2 ? one.const : undefined));
  const types = new Set(anyOf.map((one) => (isObject(one) ? one.type : undefined)));
  if (values.includes(undefined) || types.size !== 1) return schema;
  const type = values.every(Number.isInteger) ? 'integer' : [...types][0];
  return { type, enum: values, ...rest };
}

/** A union of a plain type and null → `type: [it, 'null']`. */
function nullable(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [one, none] = anyOf;
  if (!isObject(one) || !isObject(none) || none.type !== 'null' || Object.keys(none).length !== 1) return schema;
  if (typeof one.type !== 'string' || one.enum !== undefined || one.const !== undefined) return schema;
  return { ...one, ...rest, type: [one.type, 'null'] };
}
