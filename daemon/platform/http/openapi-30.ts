/** The OpenAPI document in version 3.0.3, for generators that do not read 3.1. */
import { Converter } from '@apiture/openapi-down-convert';
import type { Json } from '../../../src/contract/tidy-schema.js';

/** Returns a copy without webhooks, which 3.0 has no place for. */
export function asVersion30(document: Json): Json {
  const { info, ...rest } = document;
  const { summary: _, ...kept } = isObject(info) ? info : {};
  // The library replaces type lists, constants and examples; it leaves unions with null and exclusive bounds as they are.
  return mended(new Converter({ info: kept, ...rest }, { allOfTransform: true }).convert()) as Json;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function mended(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mended);
  if (!isObject(value)) return value;
  const { example, ...schema } = value;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, field]) => [key, mended(field)]));
  return { ...withoutNull(withFlagBounds(copy)), ...(example === undefined ? {} : { example }) };
}

/** A choice between null and something → that, nullable. A value that is always null → a nullable text. */
function withoutNull(schema: Json): Json {
  if (schema.type === 'null') return { ...schema, type: 'string', nullable: true };
  const { oneOf, ...rest } = schema;
  if (!Array.isArray(oneOf) || oneOf.length !== 2) return schema;
  const [none, one] = oneOf;
  if (!isObject(none) || none.nullable !== true || !isObject(one)) return schema;
  return '$ref' in one ? { ...rest, allOf: [one], nullable: true } : { ...one, ...rest, nullable: true };
}

/** In 3.0 an exclusive bound is the bound and a flag. */
function withFlagBounds({ exclusiveMinimum, ...rest }: Json): Json {
  return typeof exclusiveMinimum === 'number'
    ? { ...rest, minimum: exclusiveMinimum, exclusiveMinimum: true }
    : { ...rest, ...(exclusiveMinimum === undefined ? {} : { exclusiveMinimum }) };
}
