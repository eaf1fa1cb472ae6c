/** Signs somebody in at the identity provider by a browser: authorization code with PKCE (RFC 8252, RFC 7636). */
import { createHash, randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { EarshotClient } from '../../client/earshot-client.js';
import { accountRoutes, type IdentityProvider, type LoginResponse } from '../../contract/identity/accounts.js';
import { boundNonce } from '../../signing/bound-nonce.js';
import { Interrupted, untilEnd } from '../../terminal/interruption.js';
import { harmless } from '../../text/printable.js';
import { SignInFailed } from './errors.js';
import { type BrowserAnswer, Loopback } from './loopback.js';
import { openBrowser } from './open-browser.js';

interface BrowserLoginOptions {
  /** Address at which this program reaches the daemon. */
  readonly daemonUrl: string;
  /** Prints a line for the person. */
  readonly say: (line: string) => void;
  readonly interrupted: AbortSignal;
}

const waitSeconds = 300;
const secret = (): string => randomBytes(32).toString('base64url');

/** Throws SignInFailed, UsageError, Interrupted, and the refusals of the daemon. */
export async function loginByBrowser(
  client: EarshotClient,
  provider: IdentityProvider,
  { daemonUrl, say, interrupted }: BrowserLoginOptions,
): Promise<LoginResponse> {
  const page = pageOf(provider);
  const loopback = await Loopback.open(provider.redirectUri);
  const over = new AbortController();
  interrupted.addEventListener('abort', () => over.abort(), { once: true });
  try {
    const { redirectUri } = loopback;
    const [codeVerifier, state, nonce] = [secret(), secret(), secret()];
    const parameters = {
      ...{ response_type: 'code', client_id: provider.clientId, redirect_uri: redirectUri },
      ...{ scope: provider.scope, state, nonce: boundNonce(nonce, daemonUrl), code_challenge_method: 'S256' },
      code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    };
    for (const [name, value] of Object.entries(parameters)) page.searchParams.set(name, value);
    const coming = loopback.answer(state, () => say('An answer that does not belong to this sign-in was ignored.'));
    const opens = openBrowser(page.href);
    say(
      `${opens ? 'A browser opens to sign in. If none does, open this address in one on this machine' : 'Open this address in a browser on this machine'}:\n\n  ${page.href}\n`,
    );
    say('Waiting for the browser; ctrl-c cancels. `earshot login --device` signs in on another device.');
    const answer = await Promise.race([coming, timeUp(interrupted, over.signal)]);
    return await redeem(client, provider, answer, { codeVerifier, nonce, daemonUrl, redirectUri });
  } finally {
    over.abort();
    loopback.close();
  }
}

/** Only web pages are opened, whatever the daemon names. */
function pageOf({ authorizationEndpoint, problem, issuer }: IdentityProvider): URL {
  if (authorizationEndpoint === null)
    throw new SignInFailed(`Nobody can sign in at ${issuer} by a browser now. ${problem ?? ''}`.trim());
  const page = new URL(authorizationEndpoint);
  if (page.protocol !== 'https:' && page.protocol !== 'http:')
    throw new SignInFailed(`The identity provider names ${authorizationEndpoint}, which is no web page.`);
  return page;
}

/** `over`: ends the waiting, whose outcome nobody needs any more. */
async function timeUp(interrupted: AbortSignal, over: AbortSignal): Promise<never> {
  await untilEnd(over, waitSeconds);
  if (interrupted.aborted) throw new Interrupted();
  throw new SignInFailed(`Nobody signed in within ${waitSeconds / 60} minutes. Run the command again.`);
}

async function redeem(
  client: EarshotClient,
  { issuer }: IdentityProvider,
  { query, show }: BrowserAnswer,
  sent: Omit<z.input<typeof accountRoutes.loginWithCode.body>, 'code'>,
): Promise<LoginResponse> {
  try {
    const code = codeIn(query, issuer);
    const login = await client.call(accountRoutes.loginWithCode, { body: { ...sent, code } });
    show('You are logged in. You can close this page and go back to the terminal.');
    return login;
  } catch (error) {
    show('You are not logged in. The terminal says why; you can close this page.');
    throw error;
  }
}

/** Returns the code of the provider's answer (RFC 6749, sections 4.1.2 and 4.1.2.1). Throws SignInFailed. */
function codeIn(query: URLSearchParams, issuer: string): string {
  // RFC 9207: a provider that says who answers must be the one that was asked. Entra's issuer for all tenants is a pattern.
  const from = query.get('iss');
  if (from !== null && from !== issuer && !issuer.includes('{'))
    throw new SignInFailed(`The browser came back from ${harmless(from)} instead of ${issuer}.`);
  const error = query.get('error');
  if (error === 'access_denied') throw new SignInFailed('The sign-in was cancelled at the identity provider.');
  if (error !== null) {
    const description = query.get('error_description');
    throw new SignInFailed(
      `The identity provider refuses the sign-in: ${harmless([error, description].filter(Boolean).join(', '))}.`,
    );
  }
  const code = query.get('code');
  if (code === null) throw new SignInFailed('The browser came back without a code.');
  return code;
}
