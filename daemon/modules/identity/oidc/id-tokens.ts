/** Verifies the provider's signed tokens by its published keys (OpenID Connect Core 1.0, section 3.1.3.7). */
import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { z } from 'zod';
import { DomainError } from '../../../../src/contract/errors.js';
import type { Clock } from '../../../platform/time/clock.js';
import { jsonOf, type ProviderDocument, ProviderUnusable, tenantMark } from './discovery.js';
import type { ProviderHttp } from './provider-http.js';
import { withoutSlash } from './wire.js';

/** Public-key signatures alone: with a shared secret, everybody who can check a token could make one. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
/** Keys are read anew after ten minutes, or when a token names an unknown one, but not more often than every ten seconds. */
const keysKeptMs = 600_000;
const keysPauseMs = 10_000;
/** How far the clocks of provider and daemon may differ. */
const clockToleranceSeconds = 30;
const KeySet = z.object({ keys: z.array(z.looseObject({})) });
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export type TokenKind = 'opaque' | 'access token' | 'ID token';

/**
 * Tells what kind of token it is, by what its issuer wrote into it: nothing is trusted yet. Access tokens are marked by RFC 9068
 * (`at+jwt`), Keycloak (`typ`), Cognito (`token_use`), or by the fields of RFC 8693 and RFC 9068 that ID tokens do not have.
 */
export function kindOf(token: string, clients: readonly string[]): TokenKind {
  try {
    const { typ = '' } = decodeProtectedHeader(token);
    const claims = decodeJwt(token);
    const marks = [claims.typ, claims.token_use];
    if (/^(application\/)?at\+jwt$/i.test(typ) || marks.includes('Bearer') || marks.includes('access'))
      return 'access token';
    if (marks.includes('ID') || marks.includes('id')) return 'ID token';
    if ('scope' in claims || 'scp' in claims || 'client_id' in claims) return 'access token';
    return [claims.aud].flat().some((name) => clients.includes(name ?? '')) ? 'ID token' : 'access token';
  } catch {
    return 'opaque';
  }
}

const shownMax = 200;

/**
 * Says why an access token cannot be for us, by what its issuer wrote into it, so that nobody is asked about it; null: nothing
 * in it speaks against it. Its clients are named by `azp` (OpenID Connect), `client_id` (RFC 9068), `cid` (Okta) or `appid` (Entra).
 *
 * @param issuer null: of any
 */
export function foreignTo(
  token: string,
  { issuer, names, now }: { readonly issuer: string | null; readonly names: readonly string[]; readonly now: Date },
): string | null {
  const { iss, aud, exp, azp, client_id: clientId, cid, appid } = decodeJwt(token);
  if (issuer !== null && iss !== undefined && withoutSlash(iss) !== withoutSlash(issuer))
    return `The token is of ${iss.slice(0, shownMax)}, and this daemon takes those of ${issuer}. Sign in there.`;
  const meantFor = [aud, azp, clientId, cid, appid].flat().filter((name) => typeof name === 'string');
  if (meantFor.length > 0 && !meantFor.some((name) => names.includes(name)))
    return 'The token was issued to another client, for another service. Sign in to Earshot: `earshot login`.';
  const isExpired = typeof exp === 'number' && exp * 1_000 <= now.getTime();
  return isExpired ? 'The token has expired. Sign in again: `earshot login`.' : null;
}

const refused = (message: string, cause: unknown): DomainError =>
  new DomainError('identity_refused', { message, cause });

/** Google writes its issuer with and without the scheme. */
const issuersOf = (issuer: string): string[] =>
  issuer === 'https://accounts.google.com' ? [issuer, 'accounts.google.com'] : [issuer];

export class IdTokens {
  private keys: { readonly uri: string; readonly get: JWTVerifyGetKey } | null = null;

  constructor(
    private readonly http: ProviderHttp,
    private readonly now: Clock,
  ) {}

  /**
   * Throws identity_refused, ProviderUnusable.
   *
   * @param clients to one of which the token must be issued
   * @param nonce null where none was sent
   */
  async verify(
    token: string,
    document: ProviderDocument,
    clients: readonly string[],
    nonce: string | null,
  ): Promise<JWTPayload> {
    const claims = await this.signed(token, document, clients, { requiredClaims: ['sub', 'exp', 'iat'] });
    if (nonce !== null && claims.nonce !== nonce)
      throw refused('The ID token does not belong to this sign-in: its nonce is another one. Sign in again.', null);
    const { azp } = claims;
    if (azp !== undefined && azp !== null && !clients.includes(String(azp)))
      throw refused('The ID token was issued to another application.', null);
    return claims;
  }

  /** The claims of an ID token, or of a signed userinfo, for one of the clients. Throws as `verify` does. */
  async signed(
    token: string,
    document: ProviderDocument,
    clients: readonly string[],
    options: JWTVerifyOptions = {},
  ): Promise<JWTPayload> {
    const isTemplate = document.issuer.includes(tenantMark);
    const terms = {
      ...(isTemplate ? {} : { issuer: issuersOf(document.issuer) }),
      ...{ algorithms, audience: [...clients], clockTolerance: clockToleranceSeconds, currentDate: this.now() },
      ...options,
    };
    const claims = await this.payload(token, this.keysOf(document), terms);
    if (!isTemplate) return claims;
    const tenant = typeof claims.tid === 'string' && uuid.test(claims.tid) ? claims.tid : '';
    if (claims.iss !== document.issuer.replace(tenantMark, tenant))
      throw refused('The ID token is of another issuer.', null);
    return claims;
  }

  /** How many keys the provider publishes that can check a signature. Throws ProviderUnusable. */
  async count({ jwks_uri: uri }: ProviderDocument): Promise<number> {
    const { keys } = await this.readKeys(uri ?? '');
    return keys.filter(({ use, kty }) => use !== 'enc' && kty !== 'oct').length;
  }

  private keysOf({ jwks_uri: uri, issuer }: ProviderDocument): JWTVerifyGetKey {
    if (uri === undefined) throw new ProviderUnusable(`${issuer} publishes no keys (jwks_uri) to check ID tokens by.`);
    if (this.keys?.uri !== uri) {
      const get = createRemoteJWKSet(new URL(uri), {
        cacheMaxAge: keysKeptMs,
        cooldownDuration: keysPauseMs,
        [customFetch]: async (url) => Response.json(await this.readKeys(url)),
      });
      this.keys = { uri, get };
    }
    return this.keys.get;
  }

  private async readKeys(url: string): Promise<z.infer<typeof KeySet>> {
    const { status, body } = await this.http.request(url).catch((cause: unknown) => {
      throw new ProviderUnusable(`${url} does not answer.`, { cause });
    });
    if (status !== 200) throw new ProviderUnusable(`${url} answers ${status} instead of the provider's keys.`);
    const { success, data } = KeySet.safeParse(jsonOf(body));
    if (!success) throw new ProviderUnusable(`${url} does not answer with a set of keys (RFC 7517).`);
    return data;
  }

  private async payload(token: string, keys: JWTVerifyGetKey, options: JWTVerifyOptions): Promise<JWTPayload> {
    try {
      return (await jwtVerify(token, keys, options)).payload;
    } catch (error) {
      if (error instanceof errors.JWKSMultipleMatchingKeys) return this.byAnyOf(error, token, options);
      throw refusalOf(error, token);
    }
  }

  /** Tokens without a key id may be signed by any key of the kind. */
  private async byAnyOf(
    matching: errors.JWKSMultipleMatchingKeys,
    token: string,
    options: JWTVerifyOptions,
  ): Promise<JWTPayload> {
    let last: unknown = matching;
    for await (const key of matching)
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw refusalOf(error, token);
        last = error;
      }
    throw refusalOf(last, token);
  }
}

/** The sentence about what is wrong with the token, or with the keys. */
function refusalOf(error: unknown, token: string): Error {
  if (error instanceof ProviderUnusable) return error;
  const isOfKeys = error instanceof errors.JWKSInvalid || error instanceof errors.JWKSTimeout;
  // What is no error of the library is one of Node.js about a key that cannot be used.
  if (isOfKeys || !(error instanceof errors.JOSEError))
    return new ProviderUnusable("The provider's keys (jwks_uri) cannot be read.", { cause: error });
  if (error instanceof errors.JWTExpired) return refused('The ID token has expired. Sign in again.', error);
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return refused('The ID token was issued to another application.', error);
    if (error.claim === 'iss') return refused('The ID token is of another issuer.', error);
    return refused(`The claim ${error.claim} of the ID token is missing or wrong. Sign in again.`, error);
  }
  if (error instanceof errors.JOSEAlgNotAllowed)
    return refused(
      `The ID token is signed by ${algorithmOf(token)}. The daemon accepts signatures by a public key alone, such as RS256 or ES256; choose a signing key at the provider.`,
      error,
    );
  return refused("The ID token is not signed by one of the provider's keys. Sign in again.", error);
}

const algorithmOf = (token: string): string => String(decodeProtectedHeader(token).alg).slice(0, 20);
