/** An OpenID Connect provider as a studio runs it (the npm package oidc-provider), on a free port, with people of its own. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { z } from 'zod';

interface Person {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

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
  revoke(token: string): Promise<void>;
  /** Overrides these fields in later answers of this endpoint; without fields, ends the override. */
  alter(endpoint: 'introspection' | 'userinfo', fields?: Readonly<Record<string, unknown>>): void;
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
const signingKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });

export async function startIdentityProvider(): Promise<ForeignProvider> {
  const people = new Map<string, Person>();
  const server = http.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(url, {
    clients: Object.entries(secrets).map(([client_id, client_secret]) => ({
      client_id,
      client_secret,
      redirect_uris: ['https://app.example/callback'],
    })),
    cookies: { keys: [randomBytes(24).toString('hex')] },
    jwks: { keys: [{ ...signingKey, kty: 'RSA', use: 'sig' }] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: {
      devInteractions: { enabled: false },
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
  provider.use(async (context, next) => {
    await next();
    const fields = altered.get(context.oidc?.route ?? '');
    if (fields !== undefined && context.status === 200) context.body = { ...Object(context.body), ...fields };
  });
  const answer = provider.callback();
  let failure: number | null = null;
  server.on('request', (request, response) => {
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
    async revoke(token) {
      const { status } = await post('revocation', token);
      if (status !== 200) throw new Error(`The provider did not revoke: ${status}.`);
    },
    alter: (endpoint, fields) => {
      if (fields === undefined) altered.delete(endpoint);
      else altered.set(endpoint, fields);
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
