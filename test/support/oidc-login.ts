/** Signs a person in at an identity provider, as a program has it done, up to where the daemon takes over. */
import { createHash, randomBytes } from 'node:crypto';
import type { IdentityProvider } from '../../src/contract/identity/accounts.js';
import { browse } from './stand-in-browser.mjs';

const redirectUri = 'http://127.0.0.1:49152/callback';

/** The authorization code, with what the program has sent to the provider. */
export async function authorized(
  { clientId, authorizationEndpoint, scope }: Pick<IdentityProvider, 'clientId' | 'authorizationEndpoint' | 'scope'>,
  user: string,
  { cancel = false, nonce = random(16) } = {},
) {
  const [codeVerifier, state] = [random(43), random(16)];
  const address = new URL(authorizationEndpoint ?? '');
  address.search = String(
    new URLSearchParams({
      ...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope, state, nonce },
      ...{ code_challenge: createHash('sha256').update(codeVerifier).digest('base64url') },
      code_challenge_method: 'S256',
    }),
  );
  const { url } = await browse(address.href, { user, cancel, until: redirectUri });
  const back = new URL(url).searchParams;
  if (back.get('state') !== state) throw new Error(`The provider sent the browser to ${url}.`);
  return { code: back.get('code') ?? '', error: back.get('error'), codeVerifier, nonce, redirectUri };
}

const random = (bytes: number) => randomBytes(bytes).toString('base64url');
