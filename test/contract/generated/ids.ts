/** Reads answers by the formats of the OpenAPI document. */
import { z } from 'zod';
import { openApiDocument } from '../../../src/contract/openapi.js';
import type { Route } from '../../../src/contract/route.js';
import { allRoutes } from '../../../src/contract/routes.js';

const Schema = z.looseObject({
  $ref: z.string().optional(),
  format: z.string().optional(),
  items: z.looseObject({}).optional(),
  properties: z.record(z.string(), z.looseObject({})).optional(),
  oneOf: z.array(z.looseObject({})).optional(),
});
const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ responses: z.record(z.string(), z.looseObject({})) })),
  ),
  components: z.object({ schemas: z.record(z.string(), z.looseObject({})) }),
});
const { paths, components } = Document.parse(openApiDocument(allRoutes, '1', 'http://127.0.0.1'));
const Answer = z.object({ content: z.record(z.string(), z.object({ schema: z.looseObject({}) })) });
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Lists the values of an answer that are documented as UUIDs, and are none. */
export function wrongIds({ path, method, success }: Route, answer: unknown): string[] {
  const documented = Answer.safeParse(paths[path]?.[method]?.responses[success.status]);
  const schema = documented.data?.content['application/json']?.schema;
  return schema === undefined ? [] : wrongIn(schema, answer, '');
}

function wrongIn(described: unknown, value: unknown, place: string): string[] {
  const { $ref, format, items, properties = {}, oneOf = [] } = Schema.parse(described);
  if ($ref !== undefined) return wrongIn(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}, value, place);
  if (value === null || value === undefined) return [];
  if (format === 'uuid') return uuid.test(String(value)) ? [] : [`${place}: ${String(value)}`];
  if (Array.isArray(value)) return items === undefined ? [] : value.flatMap((one) => wrongIn(items, one, `${place}[]`));
  if (oneOf.length === 2) return wrongIn(oneOf[1], value, place);
  const fields = new Map(typeof value === 'object' ? Object.entries(value) : []);
  return Object.entries(properties).flatMap(([name, field]) => wrongIn(field, fields.get(name), `${place}.${name}`));
}
