/** Signs somebody in at the identity provider: authorization code with PKCE (RFC 7636), back to a page of the console. */

import { accountRoutes, type IdentityProvider } from '../../../src/contract/identity/accounts.js';
import { baseUrl } from '../../base.js';
import { openSession, stranger } from './session.js';

const kept = 'earshot-console-sign-in';
const redirectUri = `${baseUrl}/console/signed-in`;

interface PendingLogin {
  readonly state: string;
  readonly codeVerifier: string;
  readonly nonce: string;
  readonly issuer: string;
  /** Where the person was. */
  readonly page: string;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const secret = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));
const sha256 = async (text: string): Promise<string> =>
  base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));

/** Leaves for the provider's page. Only web pages are opened, whatever the daemon names. */
export async function leaveForProvider({ authorizationEndpoint, ...provider }: IdentityProvider): Promise<void> {
  const page = new URL(authorizationEndpoint ?? '');
  if (!/^https?:$/.test(page.protocol)) throw new Error(`${page.href} is no web page.`);
  const pending: PendingLogin = {
    ...{ state: secret(), codeVerifier: secret(), nonce: secret(), issuer: provider.issuer },
    page: location.pathname + location.search,
  };
  sessionStorage.setItem(kept, JSON.stringify(pending));
  const bound = await sha256(`${pending.nonce}\n${location.origin}`);
  const parameters = {
    ...{ response_type: 'code', client_id: provider.clientId, redirect_uri: redirectUri, scope: provider.scope },
    ...{ state: pending.state, nonce: `earshot.${bound}` },
    ...{ code_challenge_method: 'S256', code_challenge: await sha256(pending.codeVerifier) },
  };
  for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value);
  location.assign(page);
}

/** True on the page that the provider sends browsers back to. */
/** Redeems the code of the address, which is replaced by the page where the person was. */
export async function finishAtProvider(words: { cancelled: string; unexpected: string }): Promise<void> {
  const query = new URLSearchParams(location.search);
  const pending = JSON.parse(sessionStorage.getItem(kept) ?? 'null') as PendingLogin | null;
  sessionStorage.removeItem(kept);
  history.replaceState(null, '', pending?.page ?? `${baseUrl}/console`);
  // RFC 9207: a provider that says who answers must be the one that was asked.
  const from = query.get('iss');
  const isAnswer =
    pending !== null && query.get('state') === pending.state && (from ?? pending.issuer) === pending.issuer;
  if (!isAnswer) throw new Error(words.unexpected);
  const code = query.get('code');
  if (code === null) throw new Error(query.get('error') === 'access_denied' ? words.cancelled : words.unexpected);
  const { codeVerifier, nonce } = pending;
  const body = { code, codeVerifier, nonce, daemonUrl: location.origin, redirectUri };
  await openSession(() => stranger.call(accountRoutes.loginWithCode, { body }));
}
