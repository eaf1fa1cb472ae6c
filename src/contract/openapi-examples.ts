/**
 * One example for each named schema of the OpenAPI document: the name of a field decides its value, and fields that
 * depend on each other (the kind of a sanction and its parameters) are in `exampleParts`.
 */
import { exampleParts } from './example-parts.js';
import { exampleValues, times } from './example-values.js';
import type { Schemas } from './openapi-descriptions.js';
import type { Json } from './tidy-schema.js';

const place = '#/components/schemas/';
/** Schemas that refer to themselves end here. */
const depthMax = 14;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The schemas, each with an example. */
export function withExamples(schemas: Schemas): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      schema.examples === undefined ? { ...schema, examples: [exampleOf(name, schemas)] } : schema,
    ]),
  );
}

const exampleOf = (name: string, schemas: Schemas, depth = 0): unknown => {
  const schema = schemas[name];
  if (schema === undefined || depth > depthMax) return {};
  const { examples } = schema;
  if (Array.isArray(examples)) return examples[0];
  const value = madeOf(schema, '', schemas, depth + 1);
  const parts = exampleParts[name] ?? exampleParts[name.replace(/Input$/, '')];
  return isObject(value) && isObject(schema.properties) && parts !== undefined
    ? merged(value, parts)
    : (parts ?? value);
};

/** `undefined` removes a field. */
const merged = (value: Json, parts: Json): Json =>
  Object.fromEntries(Object.entries({ ...value, ...parts }).filter(([, field]) => field !== undefined));

function madeOf(schema: unknown, field: string, schemas: Schemas, depth: number): unknown {
  if (!isObject(schema)) return {};
  const { $ref, const: constant, enum: values, default: usual } = schema;
  if (typeof $ref === 'string') return $ref.endsWith('/JsonValue') ? freeValue(field) : referred($ref, schemas, depth);
  if (constant !== undefined) return constant;
  const known = exampleValues[field];
  if (Array.isArray(values)) return values.includes(known) ? known : (usual ?? values[0]);
  const choice = [...list(schema.anyOf), ...list(schema.oneOf)].find((one) => isObject(one) && one.type !== 'null');
  if (choice !== undefined) return madeOf(choice, field, schemas, depth);
  return ofType(schema, field, known, schemas, depth);
}

const referred = ($ref: string, schemas: Schemas, depth: number): unknown =>
  exampleOf($ref.slice(place.length), schemas, depth);

function ofType(schema: Json, field: string, known: unknown, schemas: Schemas, depth: number): unknown {
  if (known === null && list(schema.type).includes('null')) return null;
  const type = list(schema.type)[0] ?? schema.type;
  switch (type) {
    case 'object':
      return objectOf(schema, known, schemas, depth);
    case 'array':
      return Array.isArray(known) ? known : [madeOf(schema.items, singular(field), schemas, depth)];
    case 'string':
      if (schema.format === 'date-time') return times[field] ?? times.createdAt;
      return typeof known === 'string' ? known : (schema.default ?? textOf(schema, field));
    case 'integer':
    case 'number':
      return typeof known === 'number' ? known : (schema.default ?? Math.max(1, Number(schema.minimum ?? 1)));
    case 'boolean':
      return typeof known === 'boolean' ? known : (schema.default ?? false);
    default:
      return type === 'null' ? null : (known ?? freeValue(field));
  }
}

function objectOf(schema: Json, known: unknown, schemas: Schemas, depth: number): unknown {
  const { properties, additionalProperties } = schema;
  if (isObject(properties))
    return Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [name, madeOf(one, name, schemas, depth + 1)]),
    );
  if (isObject(known)) return known;
  return isObject(additionalProperties) ? { mode: madeOf(additionalProperties, 'mode', schemas, depth + 1) } : {};
}

const singular = (field: string): string => field.replace(/ies$/, 'y').replace(/s$/, '');

const freeValue = (field: string): unknown => exampleValues[field] ?? 'ranked';

/** Words that name the field, so that a reader sees what stands there. */
function textOf({ format, maxLength }: Json, field: string): string {
  if (format === 'uri') return 'https://game.example/hook';
  if (format === 'email') return 'ann@studio.example';
  const words = field
    .replaceAll(/([A-Z])/g, ' $1')
    .replaceAll('_', ' ')
    .toLowerCase()
    .trim();
  return words.slice(0, typeof maxLength === 'number' ? maxLength : words.length) || 'text';
}
