import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accountRoutes, type DeviceLogin, type IdentityProvider } from '../../src/contract/identity/accounts.js';
import type { Route } from '../../src/contract/route.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { type ForeignProvider, startIdentityProvider } from '../support/identity-provider.js';
import { authorized as authorizedAt } from '../support/oidc-login.js';
import { browse } from '../support/stand-in-browser.mjs';

let provider: ForeignProvider;
let daemon: TestDaemon;
beforeAll(async () => {
  provider = await startIdentityProvider();
  daemon = await startDaemon({
    settings: { ...provider.settings, EARSHOT_IDENTITY_AUTO_CREATE: '1', EARSHOT_TRUSTED_PROXIES: '127.0.0.1' },
  });
  for (const name of ['ann', 'bob']) provider.know(name, { email: `${name}@example.com`, email_verified: true, name });
});
afterAll(async () => {
  await daemon.stop();
  await provider.stop();
});
afterEach(() => {
  provider.alter('token');
  provider.replace('token', null);
  provider.replace('device_authorization', null);
  provider.failWith(null);
});

let addresses = 0;
async function call(route: Route, body?: object, url = daemon.url) {
  addresses += 1;
  const response = await fetch(url + route.path, {
    method: route.method.toUpperCase(),
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `203.0.113.${addresses % 250}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}
const refused = (code: string, status = 401) => ({ status, body: { code } });
const signedInAs = (name: string) => ({ status: 201, body: { user: { email: `${name}@example.com` } } });
const described = async (url = daemon.url): Promise<IdentityProvider> =>
  (await call(accountRoutes.provider, undefined, url)).body;

const authorized = async (user: string, options = {}) => authorizedAt(await described(), user, options);
const withCode = async (request: object) => call(accountRoutes.loginWithCode, request);

describe('GET /api/auth/provider', () => {
  it('shows what a program needs to sign people in', async () => {
    expect(await described()).toEqual({
      issuer: provider.url,
      clientId: 'earshot',
      authorizationEndpoint: `${provider.url}/auth`,
      redirectUri: 'http://127.0.0.1/callback',
      scope: 'openid email profile',
      hasDeviceFlow: true,
      problem: null,
    });
  });

  it('says that there is none', async () => {
    const alone = await startDaemon();
    try {
      for (const route of [accountRoutes.provider, accountRoutes.startDeviceLogin])
        expect(await call(route, undefined, alone.url)).toMatchObject(refused('identity_provider_not_configured'));
    } finally {
      await alone.stop();
    }
  });

  it.each([
    ['does not answer', { EARSHOT_IDENTITY_URL: 'http://127.0.0.1:9' }, 'does not answer'],
    ['is another one', () => ({ EARSHOT_IDENTITY_URL: `${provider.url}/other` }), 'answers 404'],
    ['refuses the client', { EARSHOT_IDENTITY_CLIENT_ID: 'nobody' }, 'refuses the client nobody'],
    ['refuses the secret', { EARSHOT_IDENTITY_CLIENT_SECRET: 'wrong' }, 'EARSHOT_IDENTITY_CLIENT_SECRET'],
    ['wants a secret', { EARSHOT_IDENTITY_CLIENT_SECRET: '' }, 'without a secret'],
    ['refuses the client of devices', { EARSHOT_IDENTITY_DEVICE_CLIENT_ID: 'tv' }, 'EARSHOT_IDENTITY_DEVICE_CLIENT_ID'],
  ] as const)('names what the operator has to mend when the provider %s', async (_, settings, says) => {
    const more = typeof settings === 'function' ? settings() : settings;
    const all = { ...provider.settings, EARSHOT_LOG_LEVEL: 'fatal', ...more };
    const wrong = await startDaemon({ settings: all });
    try {
      expect((await described(wrong.url)).problem).toContain(says);
    } finally {
      await wrong.stop();
    }
  });
});

describe('POST /api/auth/login-code', () => {
  it('signs in by a code that the browser came back with', async () => {
    expect(await withCode(await authorized('ann'))).toMatchObject(signedInAs('ann'));
  });

  it('signs in two people at once', async () => {
    const [ann, bob] = await Promise.all([authorized('ann'), authorized('bob')]);
    const answers = await Promise.all([withCode(bob), withCode(ann)]);
    expect(answers).toMatchObject([signedInAs('bob'), signedInAs('ann')]);
  });

  it('takes a code only once', async () => {
    const request = await authorized('ann');
    expect(await withCode(request)).toMatchObject(signedInAs('ann'));
    expect(await withCode(request)).toMatchObject(refused('identity_refused'));
  });

  it.each([
    ['the verifier of another sign-in', { codeVerifier: 'x'.repeat(43) }],
    ['a nonce of another sign-in', { nonce: 'another nonce than sent' }],
    ['another redirect URI', { redirectUri: 'http://127.0.0.1:49153/callback' }],
    ['a made-up code', { code: 'made-up' }],
  ])('refuses %s', async (_, wrong) => {
    expect(await withCode({ ...(await authorized('ann')), ...wrong })).toMatchObject(refused('identity_refused'));
  });

  describe('with the address of the daemon', () => {
    const secret = 'a secret of the program';
    const own = 'https://earshot.example';
    let published: TestDaemon;
    beforeAll(async () => {
      const settings = { ...provider.settings, EARSHOT_IDENTITY_AUTO_CREATE: '1', EARSHOT_PUBLIC_URL: own };
      published = await startDaemon({ settings });
    });
    afterAll(() => published.stop());
    /** As the command sends it: the provider gets a nonce that names the daemon. */
    const begunAt = async (daemonUrl: string) => {
      const hash = createHash('sha256')
        .update(`${secret}\n${new URL(daemonUrl).origin}`)
        .digest('base64url');
      return { ...(await authorized('ann', { nonce: `earshot.${hash}` })), daemonUrl };
    };
    const at = (request: object) => call(accountRoutes.loginWithCode, request, published.url);

    it.each([`${own}/`, 'HTTPS://EARSHOT.example:443', 'http://127.0.0.1:8443', 'http://localhost'])(
      'takes a sign-in that was begun for %s',
      async (address) => {
        expect(await at({ ...(await begunAt(address)), nonce: secret })).toMatchObject(signedInAs('ann'));
      },
    );

    it('refuses one that another daemon passes on, whatever that claims', async () => {
      const stolen = await begunAt('https://evil.example');
      const answer = await at({ ...stolen, nonce: secret });
      expect(answer).toMatchObject(refused('identity_refused'));
      expect(answer.body.message).toContain(`earshot login --url ${own}`);
      const { daemonUrl: _, ...plain } = stolen;
      expect(await at(plain)).toMatchObject(refused('identity_refused'));
      expect(await at({ ...stolen, nonce: secret, daemonUrl: own })).toMatchObject(refused('identity_refused'));
    });

    it('refuses an ID token that another daemon has redeemed', async () => {
      const { nonce } = await begunAt(own);
      const sessionId = await provider.idToken('ann', { nonce });
      for (const body of [{ sessionId }, { sessionId, nonce }])
        expect(await call(accountRoutes.login, body, published.url)).toMatchObject(refused('identity_refused'));
    });
  });

  it('tells a program that the person cancelled, and no code', async () => {
    expect(await authorized('ann', { cancel: true })).toMatchObject({ error: 'access_denied', code: '' });
  });

  it.each([
    [
      'gives no ID token',
      { status: 200, body: { access_token: 'a', token_type: 'Bearer' } },
      'identity_answer_invalid',
    ],
    ['gives an ID token that is none', { status: 200, body: { id_token: 'no token' } }, 'identity_refused'],
    ['answers in no JSON', { status: 200, body: 'hello' }, 'identity_answer_invalid'],
    ['does not allow the grant', { status: 400, body: { error: 'unauthorized_client' } }, 'identity_client_refused'],
    ['fails in its own way', { status: 400, body: { error: 'server_in_a_mood' } }, 'identity_answer_invalid'],
  ])('says what is wrong when the provider %s', async (_, answer, code) => {
    const request = await authorized('ann');
    provider.replace('token', answer);
    expect(await withCode(request)).toMatchObject(refused(code));
  });

  it('waits for a provider that is away, and signs in by the same code afterwards', async () => {
    const request = await authorized('ann');
    provider.failWith(503);
    expect(await withCode(request)).toMatchObject(refused('identity_unavailable', 503));
    provider.failWith(null);
    expect(await withCode(request)).toMatchObject(signedInAs('ann'));
  });
});

describe('the device flow', () => {
  const start = async (): Promise<DeviceLogin> => (await call(accountRoutes.startDeviceLogin)).body;
  const finish = async ({ deviceCode }: Pick<DeviceLogin, 'deviceCode'>, url = daemon.url) =>
    call(accountRoutes.finishDeviceLogin, { deviceCode }, url);

  it('signs in once the person has confirmed the code elsewhere, and only once', async () => {
    const device = await start();
    expect(device).toMatchObject({ verificationUri: `${provider.url}/device`, expiresIn: 600, interval: 5 });
    expect(await finish(device)).toMatchObject(refused('device_login_pending', 409));
    await browse(device.verificationUriComplete ?? '', { user: 'ann' });
    expect(await finish(device)).toMatchObject(signedInAs('ann'));
    expect(await finish(device)).toMatchObject(refused('identity_refused'));
  });

  it('says that the person cancelled', async () => {
    const device = await start();
    await browse(device.verificationUriComplete ?? '', { user: 'ann', cancel: true });
    expect(await finish(device)).toMatchObject(refused('device_login_denied', 403));
  });

  it('passes on that the program asks too often', async () => {
    const device = await start();
    provider.replace('token', { status: 400, body: { error: 'slow_down' } });
    expect(await finish(device)).toMatchObject(refused('device_login_slow_down', 409));
  });

  it('does not count waiting as failures', async () => {
    const device = await start();
    const from = { 'X-Forwarded-For': '203.0.113.251', 'Content-Type': 'application/json' };
    const ask = () =>
      fetch(daemon.url + accountRoutes.finishDeviceLogin.path, {
        method: 'POST',
        headers: from,
        body: JSON.stringify({ deviceCode: device.deviceCode }),
      });
    for (let n = 0; n < 15; n += 1) expect((await ask()).status).toBe(409);
  });

  it('begins so often in a minute for a network, because the provider is asked each time', async () => {
    const from = { 'X-Forwarded-For': '203.0.113.252' };
    const begin = async () =>
      (await fetch(daemon.url + accountRoutes.startDeviceLogin.path, { method: 'POST', headers: from })).status;
    const asked = provider.asked.get('/device/auth') ?? 0;
    for (let n = 0; n < 10; n += 1) expect(await begin()).toBe(201);
    expect(await begin()).toBe(429);
    expect(provider.asked.get('/device/auth')).toBe(asked + 10);
  });

  it('says that the code was not confirmed in time', async () => {
    const hasty = await startIdentityProvider({ deviceCodeSeconds: 1 });
    const other = await startDaemon({ settings: hasty.settings });
    try {
      const device = (await call(accountRoutes.startDeviceLogin, undefined, other.url)).body;
      await wait(1_500);
      expect(await finish(device, other.url)).toMatchObject(refused('device_login_expired', 403));
    } finally {
      await other.stop();
      await hasty.stop();
    }
  });

  it('takes the field in which Google writes the address', async () => {
    const body = { device_code: 'd', user_code: 'GQVQ-JKEC', verification_url: 'https://www.google.com/device' };
    provider.replace('device_authorization', { status: 200, body: { ...body, expires_in: 1800, interval: 5 } });
    expect(await start()).toMatchObject({ verificationUri: 'https://www.google.com/device' });
  });

  it('refuses an address that no browser should open', async () => {
    const body = { device_code: 'd', user_code: 'u', verification_uri: 'file:///etc/passwd', expires_in: 1800 };
    provider.replace('device_authorization', { status: 200, body });
    expect(await call(accountRoutes.startDeviceLogin)).toMatchObject(refused('identity_answer_invalid'));
  });

  it('says that the provider has none', async () => {
    const bare = await startIdentityProvider();
    bare.alter('discovery', { device_authorization_endpoint: undefined });
    const other = await startDaemon({ settings: bare.settings });
    try {
      expect(await described(other.url)).toMatchObject({ hasDeviceFlow: false, problem: null });
      expect(await call(accountRoutes.startDeviceLogin, undefined, other.url)).toMatchObject(
        refused('identity_flow_unsupported', 409),
      );
    } finally {
      await other.stop();
      await bare.stop();
    }
  });
});
