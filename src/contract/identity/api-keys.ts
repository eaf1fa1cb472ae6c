/** API keys of the tenant. */
import { z } from 'zod';
import { Id, QueryFlag, searchQuery, Timestamp, TimestampInput } from '../common.js';
import { MadeAccess } from '../projects/projects.js';
import { defineRoute } from '../route.js';
import { Scope } from '../scopes.js';

export const ApiKeyResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    keyPrefix: z.string().describe('First characters of the key, by which to recognise it'),
    scopes: z.array(Scope),
    createdAt: Timestamp,
    projectId: z.string().nullable().describe('The one project the key acts in; null: every project of the tenant'),
    lastUsedAt: Timestamp.nullable().describe('To the minute'),
    expiresAt: Timestamp.nullable(),
    createdByUserId: z.string().nullable().describe('Account that made it; null: the first start of the daemon'),
    createdBy: z.string().nullable().describe('Its e-mail address; null: the account is gone'),
  })
  .meta({ id: 'ApiKeyResponse' });
export type ApiKeyResponse = z.infer<typeof ApiKeyResponse>;

export const CreateApiKey = z
  .object({
    name: z.string().trim().min(1).max(100).describe('What the key is for'),
    scopes: z
      .array(Scope)
      .min(1)
      .max(60)
      .describe(
        'What the key may do. With events or webhooks it also reads each line of every transcript; give it the fewest',
      ),
    projectId: Id.optional().describe('Limit the key to this project'),
    expiresAt: TimestampInput.optional().describe('When the key stops working'),
  })
  .meta({ id: 'CreateApiKey' });
export type CreateApiKey = z.infer<typeof CreateApiKey>;

export const CreateApiKeyResponse = ApiKeyResponse.extend({
  key: z.string().describe('The secret. It is shown only once.'),
}).meta({ id: 'CreateApiKeyResponse' });
export type CreateApiKeyResponse = z.infer<typeof CreateApiKeyResponse>;

export const ApiKeyListQuery = z.object({
  search: searchQuery('the name or the beginning of the key'),
  projectId: Id.optional().describe('Only keys of this project'),
  scope: Scope.optional().describe('Only keys that have this scope'),
  unusedSince: TimestampInput.optional().describe('Only keys that have not been used since this time'),
});
export type ApiKeyListQuery = z.infer<typeof ApiKeyListQuery>;

export const RevokeApiKeyQuery = z.object({
  withdraw: QueryFlag.default(false).describe('Withdraw the open invitations that the key made, too'),
});
const RevokedApiKey = z
  .object({
    id: z.string(),
    deleted: z.literal(true),
    made: z.array(MadeAccess).describe('Invitations that the key made, and who accepted one'),
  })
  .meta({ id: 'RevokedApiKey' });

const group = 'API keys';
const auth = ['bearer'] as const;

export const apiKeyRoutes = {
  list: defineRoute({
    operationId: 'listApiKeys',
    summary: 'List the active API keys.',
    group,
    method: 'get',
    path: '/api/api-keys',
    auth,
    query: ApiKeyListQuery,
    success: { status: 200, body: z.array(ApiKeyResponse) },
    errors: [],
  }),
  create: defineRoute({
    operationId: 'createApiKey',
    summary: 'Create an API key; its secret is shown once.',
    description:
      'Tenant administrators can create tenant-wide keys. Administrators of a project can create keys limited to it, with scopes within their own role.',
    group,
    method: 'post',
    path: '/api/api-keys',
    auth,
    body: CreateApiKey,
    success: { status: 201, body: CreateApiKeyResponse },
    errors: ['insufficient_role', 'no_access_to_project'],
    idempotencyKey: false,
  }),
  revoke: defineRoute({
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key permanently; its open connections are cut within a second.',
    description:
      'The answer shows what the key gave to others: invitations, and the people who accepted one. Open invitations end with `withdraw`; remove people yourself.',
    group,
    method: 'delete',
    path: '/api/api-keys/{id}',
    auth,
    params: z.object({ id: Id }),
    query: RevokeApiKeyQuery,
    success: { status: 200, body: RevokedApiKey },
    errors: ['api_key_not_found', 'insufficient_role'],
  }),
  own: defineRoute({
    operationId: 'getOwnApiKey',
    summary: 'Show the API key of this request: its scopes, and the project it is limited to.',
    group,
    method: 'get',
    path: '/api/api-keys/current',
    auth: ['apiKey'],
    scope: null,
    success: { status: 200, body: ApiKeyResponse },
    errors: [],
  }),
  scopes: defineRoute({
    operationId: 'listApiKeyScopes',
    summary: 'List the scopes that a key can hold.',
    group,
    method: 'get',
    path: '/api/api-keys/scopes',
    auth,
    success: { status: 200, body: z.array(z.string()) },
    errors: [],
  }),
};
