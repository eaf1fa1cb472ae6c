/** The word `me`, wherever a command takes the name of a moderator. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { accountRoutes } from '../../contract/identity/accounts.js';
import { apiKeyRoutes } from '../../contract/identity/api-keys.js';

export const ownWord = 'me';

/** Returns the id of the account that is logged in, or of the API key in use. */
export const ownId = async (client: EarshotClient): Promise<string> =>
  (await (client.credential?.kind === 'apiKey' ? client.call(apiKeyRoutes.own, {}) : client.call(accountRoutes.me, {})))
    .id;
