import { apiKeyRoutes } from '../../../../src/contract/identity/api-keys.js';
import { bind } from '../../../platform/http/bind.js';
import type { ApiKeyService } from './service.js';

export const apiKeyRouter = (keys: ApiKeyService) =>
  bind(apiKeyRoutes, {
    list: ({ caller, query }) => keys.list(caller, query),
    create: ({ caller, body }) => keys.create(caller, body),
    revoke: ({ caller, params, query }) => keys.revoke(caller, params.id, query.withdraw),
    own: ({ caller }) => keys.own(caller),
    scopes: () => keys.scopes(),
  });
