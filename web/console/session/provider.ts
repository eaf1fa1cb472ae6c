/** Whether somebody can sign in at an identity provider. How is loaded once somebody does. */

import { accountRoutes, type IdentityProvider } from '../../../src/contract/identity/accounts.js';
import { basePath } from '../../base.js';
import { stranger } from './session.js';

/** null: there is none that a browser can sign in at. */
export const findProvider = (): Promise<IdentityProvider | null> =>
  stranger.call(accountRoutes.provider, {}).then(
    (provider) => (provider.authorizationEndpoint === null || !isSecureContext ? null : provider),
    () => null,
  );

/** True where the provider has led back to. */
export const comesFromProvider = (): boolean => location.pathname === `${basePath}/console/signed-in`;
