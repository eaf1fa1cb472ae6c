/** Contract → OpenAPI 3.1, a pure function. The schemas are zod's own JSON Schema; nothing is written twice. */
import type { z } from 'zod';
import { ErrorBody, type ErrorCode, errorCatalogue } from './errors.js';
import { type Json, NamedSchemas } from './named-schemas.js';
import type { CredentialKind, Route } from './route.js';

const securitySchemes: Readonly<Record<CredentialKind, Json>> = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  playerToken: { type: 'http', scheme: 'bearer', bearerFormat: 'player token' },
  signature: { type: 'apiKey', in: 'header', name: 'X-Signature' },
};

/** Refusals that follow from how a route is declared, besides those it names. */
export function errorsOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors);
  codes.add('internal').add('rate_limited');
  if (route.params ?? route.query ?? route.body) codes.add('validation_failed').add('text_not_allowed');
  if (route.body !== undefined) codes.add('malformed_json').add('body_too_large').add('unsupported_media_type');
  if (route.auth.length > 0 && !route.auth.includes('signature'))
    codes.add('credential_missing').add('credential_invalid').add('credential_kind');
  if (route.auth.includes('apiKey')) codes.add('insufficient_scope');
  if (route.role !== undefined) codes.add('no_access_to_project').add('insufficient_role');
  if (route.tenantRole !== undefined) codes.add('insufficient_role');
  if (route.method === 'post' && route.idempotencyKey !== false)
    codes.add('idempotency_mismatch').add('idempotency_in_progress');
  return [...codes];
}

function responsesOf(route: Route, schemas: NamedSchemas): Json {
  const { status, body, contentType } = route.success;
  const content =
    body === undefined
      ? contentType === undefined
        ? undefined
        : { [contentType]: {} }
      : { 'application/json': { schema: schemas.of(body, 'output') } };
  const responses: Json = { [status]: { description: 'Done', ...(content === undefined ? {} : { content }) } };
  const byStatus = groupByStatus(errorsOf(route));
  for (const [errorStatus, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    responses[errorStatus] = {
      description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].message}`).join('\n\n'),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
    };
  }
  return responses;
}

function groupByStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errorCatalogue[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

function parametersOf(route: Route, schemas: NamedSchemas): Json[] {
  const places = [
    ['path', route.params],
    ['query', route.query],
    ['header', route.headers],
  ] as const;
  return places.flatMap(([place, type]) =>
    Object.entries(type?.shape ?? {}).map(([name, field]) => {
      const schema = schemas.of(field as z.ZodType, 'input');
      const required = place === 'path' || !(field as z.ZodType).safeParse(undefined).success;
      return {
        name,
        in: place,
        required,
        ...(schema.description === undefined ? {} : { description: schema.description }),
        schema,
      };
    }),
  );
}

const operationOf = (route: Route, schemas: NamedSchemas): Json => ({
  operationId: route.operationId,
  summary: route.summary,
  ...(route.description === undefined ? {} : { description: route.description }),
  tags: [route.group],
  security: route.auth.map((kind) => ({ [kind]: [] })),
  ...(route.scope === undefined ? {} : { 'x-scope': route.scope }),
  ...(route.role === undefined ? {} : { 'x-role': route.role }),
  parameters: parametersOf(route, schemas),
  ...(route.body === undefined
    ? {}
    : {
        requestBody: {
          required: !route.body.safeParse(undefined).success,
          content: { 'application/json': { schema: schemas.of(route.body, 'input') } },
        },
      }),
  responses: responsesOf(route, schemas),
});

export function openApiDocument(routes: readonly Route[], version: string): Json {
  const schemas = new NamedSchemas();
  schemas.of(ErrorBody, 'output');
  const paths: Record<string, Json> = {};
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route, schemas) };
  return schemas.settle({
    openapi: '3.1.0',
    info: {
      title: 'Earshot',
      version,
      description: 'Voice moderation and player progress that a game studio runs itself.',
    },
    tags: [...new Set(routes.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: { securitySchemes },
  });
}
