/** Descriptions of the schemas of the OpenAPI document and of their fields, and the format of ids in answers. */
import { fieldDescriptions, isUuidField } from './field-descriptions.js';
import type { Json } from './tidy-schema.js';

const place = '#/components/schemas/';

export type Schemas = Readonly<Record<string, Json>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const entriesOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : []);

/** The schemas with a description each, and one for every field; ids of answers have the format `uuid`. */
export function withDescriptions<T extends Json>(
  document: T,
  schemas: Schemas,
): { document: T; schemas: Record<string, Json> } {
  const uses = usesOf(document, schemas);
  const requested = reachable(requestsOf(document), schemas);
  const entries = Object.entries(schemas).map(([name, schema]): [string, Json] => [
    name,
    { description: uses.get(name), ...withFields(schema, name, !requested.has(name)) },
  ]);
  return { document: withFields(document, '', false) as T, schemas: Object.fromEntries(entries) };
}

/** Names of schemas that a value refers to, without those that they refer to. */
function referencesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.startsWith(place) ? [value.slice(place.length)] : [];
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  return entriesOf(value).flatMap(([key, field]) => (key === 'examples' ? [] : referencesIn(field)));
}

/** Returns the use of each schema: the first operation that sends or answers it, else the first schema that contains it. */
function usesOf({ paths, webhooks }: Json, schemas: Schemas): ReadonlyMap<string, string> {
  const uses = new Map<string, string>();
  const note = (names: readonly string[], use: string) => {
    for (const name of names) if (!uses.has(name)) uses.set(name, use);
  };
  const operations = [...entriesOf(paths), ...entriesOf(webhooks)].flatMap(([, methods]) => entriesOf(methods));
  for (const [, operation] of operations) {
    if (!isObject(operation)) continue;
    note(
      referencesIn(operation.requestBody),
      `Body of \`${String(operation.operationId)}\`: ${String(operation.summary)}`,
    );
    for (const [status, answer] of entriesOf(operation.responses))
      if (Number(status) < 400)
        note(referencesIn(answer), `Answer of \`${String(operation.operationId)}\`: ${String(operation.summary)}`);
  }
  note(['ErrorBody'], 'Body of every refusal, except under `/api/v1`');
  note(['GameplayErrorBody'], 'Body of every refusal under `/api/v1`');
  for (const [name, schema] of Object.entries(schemas)) {
    for (const [field, one] of entriesOf(schema.properties)) note(referencesIn(one), `\`${field}\` of \`${name}\``);
    note(referencesIn(schema), `Part of \`${name}\``);
  }
  return uses;
}

const requestsOf = ({ paths }: Json): string[] =>
  entriesOf(paths).flatMap(([, methods]) =>
    entriesOf(methods).flatMap(([, operation]) =>
      isObject(operation) ? referencesIn([operation.requestBody, operation.parameters]) : [],
    ),
  );

function reachable(names: readonly string[], schemas: Schemas): ReadonlySet<string> {
  const found = new Set(names);
  for (const name of found) for (const next of referencesIn(schemas[name])) found.add(next);
  return found;
}

function withFields(schema: Json, name: string, isAnswer: boolean): Json {
  const copy = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(copy) : isObject(value) ? withFields(value, name, isAnswer) : value;
  const rest = Object.entries(schema).map(([key, value]) =>
    ['properties', 'examples', 'default'].includes(key) ? [key, value] : [key, copy(value)],
  );
  const fields = entriesOf(schema.properties).map(([field, value]) => {
    const one = isObject(value) ? withFields(value, name, isAnswer) : {};
    if ('$ref' in one) return [field, one];
    const description = one.description ?? fieldDescriptions[`${name}.${field}`] ?? fieldDescriptions[field];
    const isId = isAnswer && isUuidField(name, field) && isText(one);
    return [
      field,
      { ...one, ...(isId ? { format: 'uuid' } : {}), ...(description === undefined ? {} : { description }) },
    ];
  });
  return {
    ...Object.fromEntries(rest),
    ...(isObject(schema.properties) ? { properties: Object.fromEntries(fields) } : {}),
  };
}

const isText = ({ type, format }: Json): boolean =>
  format === undefined && (type === 'string' || (Array.isArray(type) && type.includes('string')));
