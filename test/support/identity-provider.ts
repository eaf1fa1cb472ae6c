/** An OpenID Connect provider as a studio runs it (the npm package oidc-provider), on a free port, with people of its own. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import Provider from 'oidc-provider';
import { z } from 'zod';

interface Person {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly [claim: string]: unknown;
}

type Endpoint = 'introspection' | 'userinfo' | 'jwks' | 'token' | 'discovery' | 'device_authorization';

export interface ForeignProvider {
  /** Its issuer, which is its address. */
  readonly url: string;
  /** Settings of a daemon that trusts it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Makes somebody known, or known otherwise; the name is the subject. */
  know(subject: string, person: Person): void;
  /** An access token that the person got by signing in; `clientId` is the application that it was made for. */
  accessToken(
    subject: string,
    options?: { clientId?: string; expiresInSeconds?: number; scope?: string },
  ): Promise<string>;
  /**
   * An ID token for the client, signed by the provider's key; `claims` override its own, `header` the header, and `key` signs
   * instead.
   */
  idToken(
    subject: string,
    claims?: Readonly<Record<string, unknown>>,
    signing?: { header?: Readonly<Record<string, unknown>>; key?: Uint8Array },
  ): Promise<string>;
  /** The public key that checks ID tokens, PEM. */
  readonly publicKey: string;
  revoke(token: string): Promise<void>;
  /** Signs by a new key from now on, and publishes that alone. */
  rotate(): void;
  /** How often each endpoint was asked, by path. */
  readonly asked: ReadonlyMap<string, number>;
  /** Overrides these fields in later answers of this endpoint; without fields, ends the override. */
  alter(endpoint: Endpoint, fields?: Readonly<Record<string, unknown>>): void;
  /** Answers with this in place of the endpoint's own answers; null: ends that. */
  replace(endpoint: Endpoint, answer: { readonly status: number; readonly body: unknown } | null): void;
  /** Makes it answer every later request with this status; null: normally. */
  failWith(status: number | null): void;
  /** True if the provider itself holds the token for good. */
  isActive(token: string): Promise<boolean>;
  /** Stops answering. */
  stop(): Promise<void>;
}

const earshotClient = 'earshot';
export const otherClient = 'some-other-app';
const secrets = { [earshotClient]: randomBytes(24).toString('hex'), [otherClient]: randomBytes(24).toString('hex') };
const everyScope = 'openid email profile';
/** Making one takes as long as starting a daemon. */
const newKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: randomBytes(8).toString('hex') };
  return { privateKey, jwk, publicPem: String(publicKey.export({ format: 'pem', type: 'spki' })) };
};
const firstKey = newKey();

interface ProviderOptions {
  /** How long a device code holds. */
  readonly deviceCodeSeconds?: number;
  /** Writes address and name into the ID token itself, not only into the userinfo. */
  readonly claimsInIdToken?: boolean;
}

export async function startIdentityProvider({
  deviceCodeSeconds = 600,
  claimsInIdToken = false,
}: ProviderOptions = {}): Promise<ForeignProvider> {
  const people = new Map<string, Person>();
  const server = http.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let key = firstKey;
  const make = () =>
    new Provider(url, {
      clients: Object.entries(secrets).map(([client_id, client_secret]) => ({
        client_id,
        client_secret,
        application_type: 'native' as const,
        redirect_uris: [
          ...['http://127.0.0.1/callback', 'http://localhost/callback'],
          'http://127.0.0.1/console/signed-in',
        ],
        grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
      })),
      cookies: { keys: [randomBytes(24).toString('hex')] },
      jwks: { keys: [{ ...key.jwk, kty: 'RSA', use: 'sig' }] },
      conformIdTokenClaims: !claimsInIdToken,
      ttl: { DeviceCode: deviceCodeSeconds },
      claims: { openid: ['sub', 'groups', 'realm_access'], email: ['email', 'email_verified'], profile: ['name'] },
      features: {
        devInteractions: { enabled: true },
        deviceFlow: { enabled: true },
        introspection: { enabled: true },
        revocation: { enabled: true },
      },
      findAccount: (_, subject) => {
        const person = people.get(subject);
        return person === undefined
          ? undefined
          : { accountId: subject, claims: async () => ({ sub: subject, ...person }) };
      },
    });
  const altered = new Map<string, Readonly<Record<string, unknown>>>();
  const replaced = new Map<string, { readonly status: number; readonly body: unknown }>();
  const asked = new Map<string, number>();
  const started = () => {
    const { warn } = console;
    console.warn = () => {}; // it says that its own pages are for development alone
    const provider = make();
    console.warn = warn;
    provider.use(async (context, next) => {
      await next();
      const route = context.oidc?.route ?? '';
      const fields = altered.get(route);
      if (fields !== undefined && context.status === 200) context.body = { ...Object(context.body), ...fields };
      const instead = replaced.get(route);
      if (instead !== undefined) Object.assign(context, instead);
    });
    return { provider, answer: provider.callback() };
  };
  let { provider, answer } = started();
  let failure: number | null = null;
  server.on('request', (request, response) => {
    const { pathname } = new URL(request.url ?? '/', url);
    asked.set(pathname, (asked.get(pathname) ?? 0) + 1);
    if (failure === null) void answer(request, response);
    else response.writeHead(failure).end();
  });

  const post = (path: string, token: string) =>
    fetch(`${url}/token/${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Basic ${Buffer.from(`${earshotClient}:${secrets[earshotClient]}`).toString('base64')}`,
      },
      body: new URLSearchParams({ token }),
    });
  return {
    url,
    settings: {
      EARSHOT_IDENTITY: 'oidc',
      EARSHOT_IDENTITY_URL: url,
      EARSHOT_IDENTITY_CLIENT_ID: earshotClient,
      EARSHOT_IDENTITY_CLIENT_SECRET: secrets[earshotClient] ?? '',
    },
    know: (subject, person) => people.set(subject, person),
    async accessToken(accountId, { clientId = earshotClient, expiresInSeconds = 600, scope = everyScope } = {}) {
      const client = await provider.Client.find(clientId);
      if (client === undefined) throw new Error(`The provider has no client ${clientId}.`);
      const grant = new provider.Grant({ accountId, clientId });
      grant.addOIDCScope(scope);
      const token = new provider.AccessToken({
        accountId,
        client,
        grantId: await grant.save(),
        gty: 'authorization_code',
        scope,
        expiresIn: expiresInSeconds,
      } as ConstructorParameters<typeof provider.AccessToken>[0]);
      return token.save();
    },
    async idToken(subject, claims = {}, { header = {}, key: other } = {}) {
      const nowSeconds = Math.floor(Date.now() / 1_000);
      const all = { iss: url, sub: subject, aud: earshotClient, iat: nowSeconds, exp: nowSeconds + 600 };
      return new SignJWT({ ...all, ...people.get(subject), ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: key.jwk.kid, ...header })
        .sign(other ?? key.privateKey);
    },
    get publicKey() {
      return key.publicPem;
    },
    rotate() {
      key = newKey();
      ({ provider, answer } = started());
    },
    asked,
    async revoke(token) {
      const { status } = await post('revocation', token);
      if (status !== 200) throw new Error(`The provider did not revoke: ${status}.`);
    },
    alter: (endpoint, fields) => {
      if (fields === undefined) altered.delete(endpoint);
      else altered.set(endpoint, fields);
    },
    replace: (endpoint, instead) => {
      if (instead === null) replaced.delete(endpoint);
      else replaced.set(endpoint, instead);
    },
    failWith: (status) => {
      failure = status;
    },
    isActive: async (token) =>
      z.object({ active: z.boolean() }).parse(await (await post('introspection', token)).json()).active,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
