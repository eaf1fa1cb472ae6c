import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes, projectUserRoutes } from '../../src/contract/projects/projects.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { type ForeignProvider, otherClient, startIdentityProvider } from '../support/identity-provider.js';

let provider: ForeignProvider;
let daemon: TestDaemon;
beforeAll(async () => {
  provider = await startIdentityProvider();
  daemon = await startDaemon({ settings: { ...provider.settings, EARSHOT_TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(async () => {
  await daemon.stop();
  await provider.stop();
});

let addresses = 0;
/** Logs in, each time from another address, so that attempts for one rule do not count against the next. */
async function login(sessionId: string, url = daemon.url, address?: string) {
  addresses += 1;
  const response = await fetch(`${url}${accountRoutes.login.path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address ?? `198.51.100.${addresses}` },
    body: JSON.stringify({ sessionId }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}
const refused = (code: string, status = 401) => ({ status, body: { code } });
const bearer = (token: string) => new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });

const invite = async (email: string, projectId = daemon.projectId) =>
  daemon.admin.call(projectUserRoutes.invite, { params: { projectId }, body: { email, role: 'moderator' } });

describe('POST /api/auth/login', () => {
  it('signs in whom the provider vouches for, and accepts their open invitations', async () => {
    const { permissionId } = await invite('Ann@example.com');
    provider.know('ann', { email: 'ann@example.com', email_verified: true, name: 'Ann Example' });
    const answer = await login(await provider.accessToken('ann'));
    expect(answer).toMatchObject({
      status: 201,
      body: { tokenType: 'Bearer', user: { email: 'ann@example.com', displayName: 'Ann Example', role: 'member' } },
    });
    const client = bearer(answer.body.accessToken);
    expect(await client.call(projectRoutes.list, {})).toMatchObject([{ id: daemon.projectId, role: 'moderator' }]);
    const people = await daemon.admin.call(projectUserRoutes.list, { params: { projectId: daemon.projectId } });
    expect(people.find((one) => one.permissionId === permissionId)).toMatchObject({
      status: 'accepted',
      userId: answer.body.user.id,
    });
  });

  it('signs in by an address in capitals, with invitations to it of any tenant, again and again', async () => {
    await invite('anna@example.com');
    provider.know('anna', { email: 'Anna@Example.com', email_verified: true });
    const first = await login(await provider.accessToken('anna'));
    expect(first).toMatchObject({ status: 201, body: { user: { email: 'anna@example.com' } } });
    const { id } = await daemon.admin.call(projectRoutes.create, { body: { name: 'of somebody else' } });
    await invite('ANNA@example.com', id);
    provider.know('anna', { email: 'ANNA@example.com', email_verified: true });
    for (let time = 0; time < 2; time += 1) {
      const again = await login(await provider.accessToken('anna'));
      expect(again).toMatchObject({ status: 201, body: { user: first.body.user } });
      const projects = await bearer(again.body.accessToken).call(projectRoutes.list, {});
      expect(projects.map((one) => one.id).sort()).toEqual([daemon.projectId, id].sort());
    }
  });

  it('knows the person again', async () => {
    await invite('twice@example.com');
    provider.know('twice', { email: 'twice@example.com', email_verified: true });
    const first = await login(await provider.accessToken('twice'));
    const second = await login(await provider.accessToken('twice'));
    expect(second).toMatchObject({ status: 201, body: { user: first.body.user } });
  });

  it('gives nobody an account who was not invited', async () => {
    provider.know('stranger', { email: 'stranger@example.com', email_verified: true });
    expect(await login(await provider.accessToken('stranger'))).toMatchObject(refused('identity_unknown_user'));
  });

  it('refuses a token that was made for another application', async () => {
    provider.know('carol', { email: 'admin@localhost', email_verified: true });
    const token = await provider.accessToken('carol', { clientId: otherClient });
    expect(await provider.isActive(token)).toBe(true);
    expect(await login(token)).toMatchObject(refused('identity_refused'));
  });

  it.each([
    ['not verified', { email: 'admin@localhost', email_verified: false }],
    ['not said to be verified', { email: 'admin@localhost' }],
    ['missing', { name: 'No Address' }],
  ])('never links an account to an address that is %s', async (_, person) => {
    provider.know('dave', person);
    expect(await login(await provider.accessToken('dave'))).toMatchObject(refused('identity_email_unverified'));
  });

  it('refuses a token from the moment on that it has expired', async () => {
    await invite('erin@example.com');
    provider.know('erin', { email: 'erin@example.com', email_verified: true });
    const token = await provider.accessToken('erin', { expiresInSeconds: 2 });
    await eventually(async () => expect(await provider.isActive(token)).toBe(false));
    expect(await login(token)).toMatchObject(refused('identity_refused'));
  });

  it('refuses a token from the moment on that it was revoked', async () => {
    await invite('frank@example.com');
    provider.know('frank', { email: 'frank@example.com', email_verified: true });
    const token = await provider.accessToken('frank');
    expect(await login(token)).toMatchObject({ status: 201 });
    await provider.revoke(token);
    expect(await login(token)).toMatchObject(refused('identity_refused'));
  });

  it('refuses what is no token of the provider', async () => {
    expect(await login('made up')).toMatchObject(refused('identity_refused'));
    expect(await login(daemon.apiKey)).toMatchObject(refused('identity_refused'));
  });

  it('refuses a token that does not open the profile', async () => {
    provider.know('grace', { email: 'admin@localhost', email_verified: true });
    expect(await login(await provider.accessToken('grace', { scope: 'profile' }))).toMatchObject(
      refused('identity_refused'),
    );
  });
});

describe('answers of a provider that strays from the documents', () => {
  let token: string;
  beforeAll(async () => {
    await invite('stray@example.com');
    provider.know('stray', { email: 'stray@example.com', email_verified: true, name: 'Stray' });
    token = await provider.accessToken('stray');
  });
  afterEach(() => {
    provider.alter('introspection');
    provider.alter('userinfo');
  });
  const inAnHour = () => Math.floor(Date.now() / 1_000) + 3_600;

  it.each([
    ['introspection', 'null where a field could be missing', () => ({ aud: null, iss: null, exp: null, sub: null })],
    ['introspection', 'the time of expiry as text', () => ({ exp: String(inAnHour()) })],
    ['introspection', 'one of several audiences', () => ({ client_id: null, aud: ['other', 'earshot'] })],
    ['userinfo', 'null for the name', () => ({ name: null })],
  ] as const)('are taken: %s, %s', async (endpoint, _, fields) => {
    provider.alter(endpoint, fields());
    expect(await login(token)).toMatchObject({ status: 201, body: { user: { email: 'stray@example.com' } } });
  });

  it.each([
    ['neither client nor audience', { client_id: null, aud: null }],
    ['neither client nor audience but empty ones', { client_id: '', aud: ['', ''] }],
    ['no audience at all', { client_id: null, aud: [] }],
    ['the client as null and a foreign audience', { client_id: null, aud: 'other' }],
    ['an expiry as text that is over', { exp: '1000000000' }],
    ['that the token is not active, however the rest looks', { active: false, exp: 'never', aud: 7 }],
  ])('never let a token pass that is not for us: %s', async (_, fields) => {
    provider.alter('introspection', fields);
    expect(await login(token)).toMatchObject(refused('identity_refused'));
  });

  it.each([
    ['introspection', { exp: 'never' }],
    ['introspection', { exp: {} }],
    ['introspection', { active: 'yes' }],
    ['introspection', { aud: [7] }],
    ['introspection', { iss: 7 }],
    ['userinfo', { email: 'no address' }],
    ['userinfo', { email_verified: 1 }],
    ['userinfo', { sub: null }],
  ] as const)('that cannot be understood refuse the login: %s, %j', async (endpoint, fields) => {
    provider.alter(endpoint, fields);
    expect(await login(token)).toMatchObject(refused('identity_answer_invalid'));
  });

  it.each([{ email: null }, { email_verified: 'true' }, { email_verified: 'false' }, { email_verified: 'perhaps' }])(
    'never link an account to an address that is not proven: %j',
    async (fields) => {
      provider.alter('userinfo', fields);
      expect(await login(token)).toMatchObject(refused('identity_email_unverified'));
    },
  );
});

describe('a provider that is out of order', () => {
  it('costs nobody an attempt', async () => {
    await invite('outage@example.com');
    provider.know('outage', { email: 'outage@example.com', email_verified: true });
    const token = await provider.accessToken('outage');
    const address = '198.51.100.250';
    provider.failWith(503);
    for (let n = 0; n < 12; n += 1)
      expect(await login(token, daemon.url, address)).toMatchObject(refused('identity_unavailable', 503));
    provider.failWith(null);
    expect(await login(token, daemon.url, address)).toMatchObject({ status: 201 });
    for (let n = 0; n < 10; n += 1)
      expect(await login('made up', daemon.url, address)).toMatchObject(refused('identity_refused'));
    expect(await login('made up', daemon.url, address)).toMatchObject(refused('rate_limited', 429));
    expect(await login(token, daemon.url, address)).toMatchObject({ status: 201 });
  });
});

describe('a login at the provider', () => {
  it('is renewed for twelve hours, and then confirmed there again', async () => {
    let laterMs = 0;
    const now = () => new Date(Date.now() + laterMs);
    const clocked = await startDaemon({ now, settings: { ...provider.settings, EARSHOT_IDENTITY_AUTO_CREATE: '1' } });
    try {
      provider.know('ivan', { email: 'ivan@example.com', email_verified: true });
      const as = (token: string) => new EarshotClient({ baseUrl: clocked.url, credential: { kind: 'bearer', token } });
      let { accessToken } = (await login(await provider.idToken('ivan'), clocked.url)).body;
      for (const hours of [6, 11.9]) {
        laterMs = hours * 3_600_000;
        ({ accessToken } = await as(accessToken).call(accountRoutes.refresh, {}));
      }
      laterMs = 12.1 * 3_600_000;
      await expect(as(accessToken).call(accountRoutes.refresh, {})).rejects.toMatchObject({ code: 'identity_refused' });
      expect(await as(accessToken).call(accountRoutes.me, {})).toMatchObject({ email: 'ivan@example.com' });
    } finally {
      await clocked.stop();
    }
  });
});

describe('POST /api/auth/login with other settings', () => {
  it('says that no provider is configured', async () => {
    const alone = await startDaemon();
    try {
      expect(await login('anything', alone.url)).toMatchObject(refused('identity_provider_not_configured'));
    } finally {
      await alone.stop();
    }
  });

  it('makes accounts for verified addresses where the operator wants it', async () => {
    const open = await startDaemon({ settings: { ...provider.settings, EARSHOT_IDENTITY_AUTO_CREATE: 'true' } });
    try {
      provider.know('heidi', { email: 'Heidi@example.com', email_verified: true });
      const answer = await login(await provider.accessToken('heidi'), open.url);
      expect(answer).toMatchObject({
        status: 201,
        body: { user: { email: 'heidi@example.com', displayName: 'heidi@example.com', role: 'member' } },
      });
    } finally {
      await open.stop();
    }
  });

  it('says that the provider does not answer, and goes on when it does', async () => {
    const gone = await startIdentityProvider();
    const orphan = await startDaemon({ settings: { ...gone.settings, EARSHOT_LOG_LEVEL: 'fatal' } });
    try {
      await gone.stop();
      expect(await login('anything', orphan.url)).toMatchObject(refused('identity_unavailable', 503));
      await orphan.client.call(projectRoutes.list, {});
    } finally {
      await orphan.stop();
    }
  });
});
