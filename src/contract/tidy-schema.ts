/**
 * zod's JSON Schema in the forms that client generators understand best: a nullable type instead of a union, an
 * enumeration instead of a union of constants, numbers with their size, and no bounds or patterns that repeat the type.
 */
export type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** zod spells these formats out as patterns of hundreds of characters; tools that make up values take them literally. */
const formatsWithPattern = new Set(['date-time', 'email', 'uuid']);

/** A copy, tidied all the way down. */
export function tidy(schema: object): Json {
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, tidied(value)]));
  return sized(nullable(oneText(enumeration(withoutNoise(documented(copy))))));
}

const tidied = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(tidied) : isObject(value) ? tidy(value) : value;

function withoutNoise(schema: Json): Json {
  const { pattern, minimum, maximum, propertyNames, unit, default: usual, ...rest } = schema;
  return {
    ...rest,
    ...(pattern === undefined || formatsWithPattern.has(String(rest.format)) ? {} : { pattern }),
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
    // Generators write a default as a literal of their language, and fail at objects. A property may be called `default`.
    ...(usual === undefined || isEmptyObject(usual) ? {} : { default: usual }),
    // No keyword of JSON Schema. A property may also be called `unit`; that one is a schema.
    ...(unit === undefined ? {} : typeof unit === 'string' ? { 'x-unit': unit } : { unit }),
    ...(propertyNames === undefined || isAnyString(propertyNames) ? {} : { propertyNames }),
  };
}

const isEmptyObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

const isAnyString = (schema: unknown): boolean =>
  isObject(schema) && schema.type === 'string' && Object.keys(schema).length === 1;

/** Without fields that are taken but not documented: other names of a field. */
function documented(schema: Json): Json {
  const { properties } = schema;
  if (!isObject(properties)) return schema;
  const kept = Object.entries(properties).filter(([, field]) => !(isObject(field) && field.undocumented === true));
  return { ...schema, properties: Object.fromEntries(kept) };
}

const isOfConstant = (key: string): boolean => ['type', 'const', 'format'].includes(key);

/** The width of an integer, by its bounds. Generators take 32 bits where nothing is said. */
function sized(schema: Json): Json {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const { exclusiveMinimum, ...rest } = schema;
  if (types.includes('integer') || Number.isInteger(schema.const)) {
    const minimum = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : schema.minimum;
    const values = [schema.const, ...(Array.isArray(schema.enum) ? schema.enum : [])].filter(Number.isInteger);
    const [low = minimum, high = schema.maximum] = values.length > 0 ? [0, 0] : [];
    const isNarrow = fits(low) && fits(high);
    return {
      ...rest,
      type: schema.type === 'number' ? 'integer' : schema.type,
      ...(minimum === undefined ? {} : { minimum }),
      format: isNarrow ? 'int32' : 'int64',
    };
  }
  if (Array.isArray(schema.type) && !types.includes('null'))
    return { ...schema, type: undefined, anyOf: types.map((type) => sized({ type })) };
  return types.includes('number') ? { ...schema, format: 'double' } : schema;
}

const fits = (bound: unknown): boolean => typeof bound === 'number' && Math.abs(bound) < 2 ** 31;

/** A union of kinds of text → one text. What is read as nothing (`''`) is no value of an enumeration. */
function oneText(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (Array.isArray(anyOf) && anyOf.every((one) => isObject(one) && one.type === 'string'))
    return { type: 'string', ...rest };
  if (!Array.isArray(schema.enum) || !schema.enum.includes('')) return schema;
  return { ...schema, enum: schema.enum.filter((value) => value !== '') };
}

/** A union of constants of one type → `enum`. */
function enumeration(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length < 2) return schema;
  const values = anyOf.map((one) => (isObject(one) && Object.keys(one).every(isOfConstant) ? one.const : undefined));
  const types = new Set(anyOf.map((one) => (isObject(one) ? one.type : undefined)));
  if (values.includes(undefined) || types.size !== 1) return schema;
  const type = values.every(Number.isInteger) ? 'integer' : [...types][0];
  return { type, enum: values, ...rest };
}

/**
 * A union with null: a plain type → `type: [it, 'null']`; a reference, an enumeration or a choice → `oneOf` with null first,
 * which NSwag reads where it does not read `anyOf`.
 */
function nullable(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [one, none] = anyOf;
  if (!isObject(one) || !isObject(none) || none.type !== 'null' || Object.keys(none).length !== 1) return schema;
  if (typeof one.type === 'string' && one.enum === undefined && one.const === undefined)
    return { ...one, ...rest, type: [one.type, 'null'] };
  return { oneOf: [none, one], ...rest };
}
