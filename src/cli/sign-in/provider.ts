import type { EarshotClient } from '../../client/earshot-client.js';
import { ApiError } from '../../client/errors.js';
import { accountRoutes, type IdentityProvider } from '../../contract/identity/accounts.js';

/** Returns the daemon's identity provider; null: it has none, or is of a version before the operation. */
export const providerOf = (client: EarshotClient): Promise<IdentityProvider | null> =>
  client.call(accountRoutes.provider, {}).catch((error: unknown) => {
    if (error instanceof ApiError && (error.status === 401 || error.status === 404)) return null;
    throw error;
  });
