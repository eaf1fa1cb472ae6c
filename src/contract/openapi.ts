/** Contract → OpenAPI 3.1, a pure function. The schemas are zod's own JSON Schema; nothing is written twice. */
import type { z } from 'zod';
import { RestQuery } from './common.js';
import type { ErrorCode } from './error-catalogue.js';
import { ErrorBody, GameplayErrorBody } from './errors.js';
import { DomainEvent, eventData, webhookHears } from './events.js';
import { NamedSchemas } from './named-schemas.js';
import { besideThePaths, watchSchemas } from './openapi-beside.js';
import { withDescriptions } from './openapi-descriptions.js';
import { withExamples } from './openapi-examples.js';
import { headers, parameters, parametersIn, reference, refusals } from './openapi-parts.js';
import { description, securitySchemes, tagsOf } from './openapi-texts.js';
import { isWholeList, type Route } from './route.js';
import type { Json } from './tidy-schema.js';

/** Refusals that follow from the declaration of a route, besides those it names. */
export function errorsOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors);
  codes.add('internal').add('database_unavailable').add('rate_limited');
  if (route.auth.length > 0 && route.method !== 'get' && route.method !== 'delete') codes.add('quota_exceeded');
  if (route.params ?? queryOf(route) ?? route.headers ?? route.body)
    codes.add('validation_failed').add('text_not_allowed');
  if (route.body !== undefined) codes.add('malformed_json').add('body_too_large').add('unsupported_media_type');
  if (route.auth.length > 0 && !route.auth.includes('signature'))
    codes.add('credential_missing').add('credential_invalid').add('credential_kind');
  if (route.auth.includes('apiKey')) codes.add('insufficient_scope');
  if (route.projectIn === 'gameplay' && route.auth.includes('apiKey')) codes.add('unknown_app');
  if (route.role !== undefined) codes.add('no_access_to_project').add('insufficient_role');
  if (route.tenantRole !== undefined) codes.add('insufficient_role');
  if (takesIdempotencyKey(route))
    codes.add('idempotency_mismatch').add('idempotency_in_progress').add('idempotency_answer_erased');
  if (route.method === 'post' && route.idempotencyKey === false) codes.add('idempotency_key_refused');
  return [...codes];
}

const takesIdempotencyKey = ({ method, idempotencyKey }: Route): boolean =>
  method === 'post' && idempotencyKey === undefined;

const jsonContent = (schema: Json): Json => ({ 'application/json': { schema } });
const binary: Json = { type: 'string', format: 'binary' };

function contentOf({ body, contentType, item }: Route['success'], schemas: NamedSchemas): Json {
  if (body !== undefined) return { content: jsonContent(schemas.schemaOf(body, 'output')) };
  if (contentType === undefined) return {};
  return { content: { [contentType]: { schema: item === undefined ? binary : schemas.schemaOf(item, 'output') } } };
}

const statusTexts: Readonly<Record<Route['success']['status'], string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted; continues in the background',
  204: 'Done; no body',
};

const operationOf = (route: Route, schemas: NamedSchemas): Json => ({
  operationId: route.operationId,
  summary: route.summary,
  ...(route.description === undefined ? {} : { description: route.description }),
  tags: [route.group],
  security: route.auth.map((kind) => ({ [kind]: [] })),
  ...(route.scope == null ? {} : { 'x-scope': route.scope }),
  ...(route.role === undefined ? {} : { 'x-role': route.role }),
  ...(route.tenantRole === undefined ? {} : { 'x-tenant-role': route.tenantRole }),
  ...(route.runsInstallation === undefined ? {} : { 'x-runs-installation': true }),
  parameters: [
    ...parametersIn('path', route.params, schemas),
    ...parametersIn('query', queryOf(route), schemas),
    ...parametersIn('header', route.headers, schemas),
    ...(route.projectIn === 'gameplay' && route.auth.includes('apiKey')
      ? [reference('parameters', 'GameplayProject')]
      : []),
    ...(takesIdempotencyKey(route) ? [reference('parameters', 'IdempotencyKey')] : []),
  ],
  ...(route.body === undefined ? {} : { requestBody: requestOf(route.body, schemas) }),
  responses: {
    [route.success.status]: {
      description: statusTexts[route.success.status],
      ...contentOf(route.success, schemas),
    },
    ...refusals(errorsOf(route), route.path.startsWith('/api/v1/') ? 'GameplayErrorBody' : 'ErrorBody'),
  },
});

const queryOf = (route: Route): z.ZodObject | undefined =>
  isWholeList(route) ? RestQuery.extend(route.query?.shape ?? {}) : route.query;

const requestOf = (body: z.ZodType, schemas: NamedSchemas): Json => ({
  required: !body.safeParse(undefined).success,
  content: jsonContent(schemas.schemaOf(body, 'input')),
});

/** Describes the requests that subscriptions get: the envelope, with the data of its type. */
function webhooksOf(schemas: NamedSchemas): Json {
  const sent = Object.entries(eventData).filter(([type]) => webhookHears(['*'], type));
  const envelope = schemas.schemaOf(DomainEvent, 'output');
  return Object.fromEntries(
    sent.map(([type, data]) => [
      type,
      {
        post: {
          operationId: `on-${type.replaceAll('.', '-')}`,
          summary: `Sent to subscriptions to \`${type}\`.`,
          tags: ['Webhooks'],
          security: [],
          requestBody: {
            required: true,
            content: jsonContent(eventSchema(envelope, type, schemas.schemaOf(data, 'output'))),
          },
          responses: { '2XX': { description: 'Delivered; after any other status it is tried again' } },
        },
      },
    ]),
  );
}

const eventSchema = (envelope: Json, type: string, data: Json): Json => ({
  allOf: [
    envelope,
    {
      type: 'object',
      properties: {
        type: { type: 'string', const: type },
        payload: { type: 'object', properties: { data }, required: ['data'] },
      },
      required: ['type', 'payload'],
    },
  ],
});

/** `serverUrl` is the address of the daemon. */
export function openApiDocument(routes: readonly Route[], version: string, serverUrl: string): Json {
  const schemas = new NamedSchemas();
  for (const body of [ErrorBody, GameplayErrorBody]) schemas.schemaOf(body, 'output');
  const paths: Record<string, Json> = {};
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route, schemas) };
  Object.assign(paths, besideThePaths(schemas));
  const webhooks = webhooksOf(schemas);
  const settled = schemas.settle({ paths, webhooks });
  const { document, schemas: described } = withDescriptions(
    settled.document,
    withExamples({ ...settled.schemas, ...watchSchemas }),
  );
  const groups = new Set(Object.values(paths).flatMap((path) => Object.values(path).flatMap(tagsIn)));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Earshot',
      version,
      summary: 'Voice moderation and player progress that a game studio runs itself.',
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl, description: 'This daemon' }],
    tags: tagsOf(groups),
    ...document,
    components: {
      securitySchemes,
      headers,
      parameters,
      schemas: described,
    },
  };
}

const tagsIn = (operation: unknown): string[] =>
  typeof operation === 'object' && operation !== null && 'tags' in operation && Array.isArray(operation.tags)
    ? operation.tags
    : [];
