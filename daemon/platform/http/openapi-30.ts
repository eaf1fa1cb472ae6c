/** The OpenAPI document in version 3.0.3, for generators that do not read 3.1. */
import { Converter } from '@apiture/openapi-down-convert';
import type { Json } from '../../../src/contract/tidy-schema.js';

interface Converted extends Json {
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/** Returns a copy without webhooks, which 3.0 has no place for. */
export function asVersion30(document: Json): Json {
  const { info, ...rest } = document;
  const { summary: _, license, ...about } = isObject(info) ? info : {};
  const kept = { ...about, ...(isObject(license) ? { license: withAddress(license) } : {}) };
  // The library replaces type lists, constants and examples; it leaves unions with null and exclusive bounds as they are.
  const converted = new Converter({ info: kept, ...rest }, { allOfTransform: true }).convert() as Converted;
  const { schemas } = converted.components;
  const referencesTo = (isOne: (schema: unknown) => boolean): Set<string> =>
    new Set(Object.keys(schemas).flatMap((name) => (isOne(schemas[name]) ? [`#/components/schemas/${name}`] : [])));
  return mended(converted, {
    collections: referencesTo(isCollection),
    enumerations: referencesTo(isEnumeration),
  }) as Json;
}

/** References to named schemas of two kinds. */
interface NamedSchema {
  readonly collections: ReadonlySet<unknown>;
  readonly enumerations: ReadonlySet<unknown>;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A licence by its SPDX identifier → by its address. */
const withAddress = ({ identifier, ...license }: Json): Json =>
  typeof identifier === 'string' ? { ...license, url: `https://spdx.org/licenses/${identifier}.html` } : license;

/** True for lists and for objects with any names of fields. */
const isCollection = (schema: unknown): boolean =>
  isObject(schema) && (schema.type === 'array' || (schema.type === 'object' && schema.properties === undefined));

const isEnumeration = (schema: unknown): boolean => isObject(schema) && Array.isArray(schema.enum);

function mended(value: unknown, named: NamedSchema): unknown {
  if (Array.isArray(value)) return value.map((one) => mended(one, named));
  if (!isObject(value)) return value;
  const { example, ...schema } = value;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, field]) => [key, mended(field, named)]));
  return {
    ...withoutNull(withFlagBounds(withoutValues(withoutCollections(withFewerRequired(copy, named), named)))),
    ...(example === undefined ? {} : { example }),
  };
}

/**
 * A choice of which one is a collection → any value. openapi-generator names a class after each member, and `Map<String, Object>`
 * is no name in Java.
 */
function withoutCollections(schema: Json, { collections }: NamedSchema): Json {
  const { anyOf, ...rest } = schema;
  const some = Array.isArray(anyOf) && anyOf.some((one) => isCollection(one) || collections.has(one.$ref));
  return some ? rest : schema;
}

/**
 * An enumeration that may be null is not required: the class that openapi-generator makes in C# of a required one takes no
 * null.
 */
function withFewerRequired(schema: Json, { enumerations }: NamedSchema): Json {
  const { properties, required } = schema;
  if (!isObject(properties) || !Array.isArray(required)) return schema;
  const mayBeNull = (field: unknown): boolean =>
    isObject(field) &&
    field.nullable === true &&
    (isEnumeration(field) || (Array.isArray(field.allOf) && field.allOf.some(({ $ref }) => enumerations.has($ref))));
  return { ...schema, required: required.filter((name) => !mayBeNull(properties[name])) };
}

/** A choice of numbers → its bounds; one of booleans → any. openapi-generator for Kotlin reads a choice as texts only. */
function withoutValues({ enum: values, ...rest }: Json): Json {
  if (!Array.isArray(values)) return rest;
  if (rest.type === 'boolean') return rest;
  if (rest.type !== 'integer') return { ...rest, enum: values };
  const [minimum, maximum] = [Math.min(...values), Math.max(...values)];
  // Bounds say the same only where no number between them is missing.
  return maximum - minimum + 1 === values.length ? { ...rest, minimum, maximum } : { ...rest, enum: values };
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
