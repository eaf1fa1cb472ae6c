import { createSecretKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectUserRoutes } from '../../src/contract/projects/projects.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { type ForeignProvider, otherClient, startIdentityProvider } from '../support/identity-provider.js';

let provider: ForeignProvider;
let daemon: TestDaemon;
beforeAll(async () => {
  provider = await startIdentityProvider();
  daemon = await startDaemon({ settings: { ...provider.settings, EARSHOT_TRUSTED_PROXIES: '127.0.0.1' } });
  for (const name of ['ida', 'unverified']) {
    const body = { email: `${name}@example.com`, role: 'moderator' as const };
    await daemon.admin.call(projectUserRoutes.invite, { params: { projectId: daemon.projectId }, body });
    provider.know(name, { email: `${name}@example.com`, email_verified: name === 'ida', name: 'Ida' });
  }
});
afterAll(async () => {
  await daemon.stop();
  await provider.stop();
});
afterEach(() => {
  vi.useRealTimers();
  for (const endpoint of ['introspection', 'userinfo', 'jwks', 'discovery'] as const) {
    provider.alter(endpoint);
    provider.replace(endpoint, null);
  }
});

let addresses = 0;
async function login(sessionId: string, more: object = {}) {
  addresses += 1;
  const response = await fetch(`${daemon.url}${accountRoutes.login.path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `198.51.100.${addresses}` },
    body: JSON.stringify({ sessionId, ...more }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}
const refused = (code: string, message: RegExp | string = '', status = 401) => ({
  status,
  body: { code, message: expect.stringMatching(message) },
});
const signsIn = { status: 201, body: { user: { email: 'ida@example.com', displayName: 'Ida', role: 'member' } } };
const nowSeconds = () => Math.floor(Date.now() / 1_000);

describe('an ID token at POST /api/auth/login', () => {
  it('signs in whom the provider vouches for, without asking the provider about the token', async () => {
    const before = [provider.asked.get('/token/introspection'), provider.asked.get('/me')];
    expect(await login(await provider.idToken('ida'))).toMatchObject(signsIn);
    expect([provider.asked.get('/token/introspection'), provider.asked.get('/me')]).toEqual(before);
  });

  it('may have one of several audiences, if it was issued to this client', async () => {
    const aud = ['earshot', 'api'];
    expect(await login(await provider.idToken('ida', { aud, azp: 'earshot' }))).toMatchObject(signsIn);
    for (const claims of [{ aud, azp: otherClient }, { azp: otherClient }])
      expect(await login(await provider.idToken('ida', claims))).toMatchObject(
        refused('identity_refused', 'another application'),
      );
  });

  it('has the nonce that the caller sent, where the caller names one', async () => {
    const token = await provider.idToken('ida', { nonce: 'of this sign-in' });
    expect(await login(token, { nonce: 'of this sign-in' })).toMatchObject(signsIn);
    expect(await login(token, { nonce: 'of another one' })).toMatchObject(refused('identity_refused', 'nonce'));
    expect(await login(await provider.idToken('ida'), { nonce: 'any' })).toMatchObject(
      refused('identity_refused', 'nonce'),
    );
  });

  it.each([
    ['audience', () => ({ aud: otherClient }), /did not confirm|another application|another client/],
    ['issuer', () => ({ iss: 'https://evil.example' }), 'another issuer'],
    ['issuer that begins alike', () => ({ iss: `${provider.url}.evil.example` }), 'another issuer'],
    ['expiry', () => ({ exp: nowSeconds() - 31 }), 'expired'],
    ['beginning', () => ({ nbf: nowSeconds() + 60 }), 'nbf'],
  ] as const)('is refused with a wrong %s', async (_, claims, says) => {
    expect(await login(await provider.idToken('ida', claims()))).toMatchObject(refused('identity_refused', says));
  });

  it('is refused without an expiry, however good its signature is', async () => {
    expect(await login(await provider.idToken('ida', { exp: undefined }))).toMatchObject(refused('identity_refused'));
  });

  it('is taken until the moment of its expiry, and half a minute more for clocks that differ', async () => {
    const token = await provider.idToken('ida', { exp: nowSeconds() - 20 });
    expect(await login(token)).toMatchObject(signsIn);
  });

  it('signs nobody in whose address is not verified', async () => {
    const token = await provider.idToken('unverified');
    expect(await login(token)).toMatchObject(refused('identity_email_unverified'));
  });

  it.each([
    ['no signature (alg none)', (good: string) => `${encoded({ alg: 'none' })}.${good.split('.')[1]}.`],
    ['none at all, written large', (good: string) => `${encoded({ alg: 'NONE' })}.${good.split('.')[1]}.`],
    ['the signature of other claims', (good: string) => withClaims(good, { email: 'admin@localhost' })],
    ['half a signature', (good: string) => good.slice(0, -20)],
  ])('is refused with %s', async (_, spoil) => {
    expect(await login(spoil(await provider.idToken('ida')))).toMatchObject(refused('identity_refused'));
  });

  it('is refused when the public key was taken for a shared secret (HS256)', async () => {
    for (const key of [provider.publicKey, provider.publicKey.trim()]) {
      const token = await provider.idToken('ida', {}, { header: { alg: 'HS256' }, key: Buffer.from(key) });
      expect(await login(token)).toMatchObject(refused('identity_refused', 'signed by HS256'));
    }
  });

  it('is refused when the client secret signs it', async () => {
    const secret = createSecretKey(Buffer.from(provider.settings.EARSHOT_IDENTITY_CLIENT_SECRET ?? '')).export();
    const token = await provider.idToken('ida', {}, { header: { alg: 'HS256' }, key: secret });
    expect(await login(token)).toMatchObject(refused('identity_refused', 'choose a signing key'));
  });

  it('is refused when it brings its own key, or says where one is', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const claims = { iss: provider.url, sub: 'ida', aud: 'earshot', email: 'ida@example.com', email_verified: true };
    for (const header of [{ jwk: publicKey.export({ format: 'jwk' }) }, { jku: `${provider.url}/evil` }]) {
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: 'mine', ...header })
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey);
      expect(await login(token)).toMatchObject(refused('identity_refused'));
    }
  });

  it('signs in by a key that the provider has just begun to use, and by the old one no more', async () => {
    const old = await provider.idToken('ida');
    expect(await login(old)).toMatchObject(signsIn);
    provider.rotate();
    vi.useFakeTimers({ now: Date.now() + 11_000, toFake: ['Date'] });
    expect(await login(await provider.idToken('ida'))).toMatchObject(signsIn);
    expect(await login(old)).toMatchObject(refused('identity_refused', 'keys'));
  });

  it('has the keys read again for an unknown one, but at most once in ten seconds', async () => {
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] });
    const before = provider.asked.get('/jwks') ?? 0;
    for (let n = 0; n < 20; n += 1) {
      const token = await provider.idToken('ida', {}, { header: { kid: randomBytes(8).toString('hex') } });
      expect(await login(token)).toMatchObject(refused('identity_refused', 'keys'));
    }
    expect((provider.asked.get('/jwks') ?? 0) - before).toBeLessThanOrEqual(1);
  });

  it('waits for a provider whose keys cannot be read, and says so', async () => {
    vi.useFakeTimers({ now: Date.now() + 3_600_000, toFake: ['Date'] });
    const token = await provider.idToken('ida');
    for (const broken of [
      { status: 500, body: 'broken' },
      { status: 200, body: { keys: 'none' } },
      { status: 200, body: '<html>' },
      { status: 200, body: 'x'.repeat(100_000) },
    ]) {
      vi.setSystemTime(Date.now() + 60_000);
      provider.replace('jwks', broken);
      expect(await login(token)).toMatchObject(refused('identity_unavailable', '', 503));
    }
    provider.replace('jwks', null);
    vi.setSystemTime(Date.now() + 60_000);
    expect(await login(await provider.idToken('ida'))).toMatchObject(signsIn);
  });
});

describe('tokens of other kinds', () => {
  it('are checked by introspection, JWT or not', async () => {
    expect(await login(await provider.accessToken('ida'))).toMatchObject(signsIn);
    const asked = provider.asked.get('/token/introspection') ?? 0;
    const jwt = await provider.idToken('ida', { scope: 'openid email' }, { header: { typ: 'at+jwt' } });
    expect(await login(jwt)).toMatchObject(refused('identity_refused'));
    expect(provider.asked.get('/token/introspection')).toBe(asked + 1);
  });

  it('are refused without a question where they say themselves that they are for somebody else, or over', async () => {
    const asked = provider.asked.get('/token/introspection') ?? 0;
    const foreign: [Record<string, unknown>, RegExp][] = [
      [{ aud: 'another', azp: 'another' }, /another client/],
      [{ aud: ['https://api.example'], client_id: 'another', scope: 'openid' }, /another client/],
      [{ aud: undefined, cid: 'another', scp: ['openid'] }, /another client/],
      [{ iss: 'https://other.example/realms/x', scope: 'openid' }, /is of https:\/\/other\.example/],
      [{ exp: nowSeconds() - 60, scope: 'openid' }, /expired/],
    ];
    for (const [claims, sentence] of foreign) {
      const real = await provider.idToken('ida', claims, { header: { typ: 'at+jwt' } });
      const [head, body] = real.split('.');
      for (const token of [real, `${head}.${body}.${'A'.repeat(86)}`])
        expect(await login(token)).toMatchObject(refused('identity_refused', sentence));
    }
    expect(provider.asked.get('/token/introspection') ?? 0).toBe(asked);
  });

  it.each([400, 422])(
    'that the provider answers with %i are refused, and the provider is not called unusable',
    async (status) => {
      provider.replace('introspection', { status, body: '{"error":"invalid_request"}' });
      expect(await login('made up')).toMatchObject(refused('identity_refused'));
    },
  );

  it('that are made up are limited like wrong passwords', async () => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '198.51.101.1' } };
    const statuses = [];
    for (let count = 0; count < 40; count += 1) {
      const body = JSON.stringify({
        sessionId: await provider.idToken('ida', { aud: 'another', azp: 'another', jti: String(count) }),
      });
      statuses.push((await fetch(`${daemon.url}${accountRoutes.login.path}`, { ...init, body })).status);
    }
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
  });

  it('of an account without an address say so', async () => {
    provider.know('nameless', { name: 'Nameless' });
    expect(
      await login(await provider.idToken('nameless', { email: undefined, email_verified: undefined })),
    ).toMatchObject(refused('identity_email_unverified', /gives no e-mail address/));
  });

  it.each([
    ['at+jwt of RFC 9068', { typ: 'at+jwt' }, {}],
    ["Keycloak's access token", {}, { typ: 'Bearer' }],
    ["Cognito's access token", {}, { token_use: 'access', aud: undefined, client_id: 'earshot' }],
    ["Auth0's access token", {}, { aud: ['https://api.example', 'earshot'], scope: 'openid' }],
    ["Entra's access token", {}, { scp: 'User.Read' }],
  ])('get a sentence of their own where there is no introspection: %s', async (_, header, claims) => {
    const bare = await startIdentityProvider();
    bare.alter('discovery', { introspection_endpoint: undefined });
    bare.know('ida', { email: 'admin@localhost', email_verified: true });
    const alone = await startDaemon({ settings: bare.settings });
    try {
      const ask = async (sessionId: string) => {
        const init = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
        const response = await fetch(`${alone.url}${accountRoutes.login.path}`, {
          ...init,
          body: JSON.stringify({ sessionId }),
        });
        return { status: response.status, body: JSON.parse(await response.text()) };
      };
      expect(await ask(await bare.idToken('ida', claims, { header }))).toMatchObject(
        refused('identity_token_kind', 'Send the ID token'),
      );
      expect(await ask('opaque')).toMatchObject(refused('identity_token_kind', 'no ID token'));
      expect(await ask(await bare.idToken('ida'))).toMatchObject({ status: 201 });
    } finally {
      await alone.stop();
      await bare.stop();
    }
  });
});

describe('a userinfo that is signed', () => {
  const signed = (claims: object, signing?: Parameters<ForeignProvider['idToken']>[2]) =>
    provider.idToken('ida', { ...claims }, signing);

  it('is verified by the keys of the provider', async () => {
    provider.replace('userinfo', { status: 200, body: await signed({}) });
    expect(await login(await provider.accessToken('ida'))).toMatchObject(signsIn);
  });

  it('is refused with a sentence of its own when its signature is not of the provider', async () => {
    const forged = withClaims(await signed({}), { email: 'admin@localhost' });
    for (const body of [forged, await signed({ aud: otherClient }), await signed({ iss: 'https://evil.example' })]) {
      provider.replace('userinfo', { status: 200, body });
      expect(await login(await provider.accessToken('ida'))).toMatchObject(
        refused('identity_answer_invalid', 'signature of the identity provider'),
      );
    }
  });

  it('says that an encrypted one cannot be read', async () => {
    provider.replace('userinfo', { status: 200, body: 'eyJhbGciOiJSU0EifQ.a.b.c.d' });
    expect(await login(await provider.accessToken('ida'))).toMatchObject(
      refused('identity_answer_invalid', 'encrypted'),
    );
  });

  it('is refused when it is about somebody else', async () => {
    provider.replace('userinfo', { status: 200, body: await signed({ sub: 'somebody else' }) });
    expect(await login(await provider.accessToken('ida'))).toMatchObject(refused('identity_refused'));
  });
});

it('says that the client secret is wrong, and counts it against nobody', async () => {
  const wrong = await startDaemon({
    settings: { ...provider.settings, EARSHOT_IDENTITY_CLIENT_SECRET: 'wrong', EARSHOT_LOG_LEVEL: 'fatal' },
  });
  try {
    for (let n = 0; n < 12; n += 1) {
      const response = await fetch(`${wrong.url}${accountRoutes.login.path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ sessionId: 'opaque' }),
      });
      expect({ status: response.status, body: await response.json() }).toMatchObject(
        refused('identity_client_refused', 'client secret'),
      );
    }
  } finally {
    await wrong.stop();
  }
});

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
function withClaims(token: string, claims: object): string {
  const [header, payload = '', signature] = token.split('.');
  const before = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  return [header, encoded({ ...before, ...claims }), signature].join('.');
}
