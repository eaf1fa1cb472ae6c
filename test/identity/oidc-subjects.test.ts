/** Whose account it is, is decided by the provider's own name for the person (`iss` and `sub`, OpenID Connect Core 5.7). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askDaemon } from '../../daemon/admin-socket/client.js';
import {
  createTenant,
  createUser,
  listTenants,
  listUsers,
  setTenantDisabled,
  unlinkUser,
} from '../../daemon/modules/identity/admin-operations.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { auditRoutes } from '../../src/contract/audit/audit.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes, projectUserRoutes } from '../../src/contract/projects/projects.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';
import { type ForeignProvider, startIdentityProvider } from '../support/identity-provider.js';
import { writeBeside } from '../support/write-beside.js';

const password = 'a password of length';
let provider: ForeignProvider;
let other: ForeignProvider;
beforeAll(async () => {
  [provider, other] = [await startIdentityProvider(), await startIdentityProvider()];
});
afterAll(async () => {
  await provider.stop();
  await other.stop();
});

describeDaemonsOnEachDatabase('an account of the identity provider', (start) => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await start({ settings: { ...provider.settings, EARSHOT_IDENTITY_AUTO_CREATE: '1' } });
  });
  afterAll(() => daemon.stop());

  const clientOf = (token?: string) =>
    new EarshotClient({
      baseUrl: daemon.url,
      ...(token === undefined ? {} : { credential: { kind: 'bearer', token } }),
    });
  const signIn = async (subject: string, email: string, claims: Readonly<Record<string, unknown>> = {}) => {
    const sessionId = await provider.idToken(subject, { email, email_verified: true, ...claims });
    return clientOf().call(accountRoutes.login, { body: { sessionId } });
  };
  const identitiesOf = async (email: string) =>
    (await askDaemon(daemon.dataDir, listUsers, { tenant: null })).find((one) => one.email === email)?.identities;

  it('is found by its subject when the address has changed', async () => {
    const { user } = await signIn('ann-1', 'ann@example.com');
    expect(await signIn('ann-1', 'ann.married@example.com')).toMatchObject({ user });
    expect(await identitiesOf('ann@example.com')).toEqual([{ issuer: provider.url, subject: 'ann-1' }]);
    expect(await identitiesOf('ann.married@example.com')).toBeUndefined();
  });

  it('needs a verified address at each sign-in nevertheless', async () => {
    await signIn('ada-1', 'ada@example.com');
    await expect(signIn('ada-1', 'ada@example.com', { email_verified: false })).rejects.toMatchObject({
      code: 'identity_email_unverified',
    });
  });

  it('that was there before is linked by its verified address', async () => {
    const person = { email: 'bob@example.com', password };
    await askDaemon(daemon.dataDir, createUser, { ...person, role: 'member', tenant: null });
    expect(await identitiesOf('bob@example.com')).toEqual([]);
    const { user } = await clientOf().call(accountRoutes.loginCredentials, { body: person });
    expect(await signIn('bob-1', 'Bob@Example.com')).toMatchObject({ user });
    expect(await identitiesOf('bob@example.com')).toEqual([{ issuer: provider.url, subject: 'bob-1' }]);
  });

  it('does not go to the next owner of the address, until the operator says so', async () => {
    const first = await signIn('cyd-1', 'cyd@example.com');
    const next = () => signIn('cyd-2', 'cyd@example.com');
    await expect(next()).rejects.toMatchObject({
      status: 401,
      code: 'identity_other_person',
      message: expect.stringContaining('`earshotd users unlink cyd@example.com`'),
    });
    await expect(signIn('CYD-1', 'cyd@example.com')).rejects.toMatchObject({ code: 'identity_other_person' });
    const own = clientOf(first.accessToken);
    expect(await own.call(accountRoutes.me, {})).toEqual(first.user);

    expect(await askDaemon(daemon.dataDir, unlinkUser, { email: 'cyd@example.com' })).toEqual({ unlinked: 1 });
    await expect(own.call(accountRoutes.me, {})).rejects.toMatchObject({ status: 401 });
    expect(await next()).toMatchObject({ user: first.user });
    await expect(signIn('cyd-1', 'cyd@example.com')).rejects.toMatchObject({ code: 'identity_other_person' });

    const recorded = async (query: { target: string } | { actor: string }) =>
      (await daemon.admin.call(auditRoutes.listTenant, { query })).entries.map(({ action, outcome }) => ({
        action,
        outcome,
      }));
    const unlinked = { action: 'users.unlink', outcome: 'done' };
    expect(await recorded({ target: 'cyd@example.com' })).toContainEqual(unlinked);
    const refused = { action: 'login', outcome: 'refused' };
    await eventually(async () => expect(await recorded({ actor: 'cyd@example.com' })).toContainEqual(refused));
  });

  it('belongs to one of two people who sign in with its address at once', async () => {
    const attempts = ['dee-1', 'dee-2', 'dee-3'].map((subject) => signIn(subject, 'dee@example.com'));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of outcomes)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'identity_other_person' });
    expect(await identitiesOf('dee@example.com')).toHaveLength(1);
  });

  it('gives one person one account who signs in often at once', async () => {
    const logins = await Promise.all(Array.from({ length: 6 }, () => signIn('eli-1', 'eli@example.com')));
    expect(new Set(logins.map(({ user }) => user.id)).size).toBe(1);
  });

  it('is not found by the same subject of another provider', async () => {
    const { user } = await signIn('fay-1', 'fay@example.com');
    const elsewhere = await start({ settings: { ...other.settings, EARSHOT_IDENTITY_AUTO_CREATE: '1' } });
    try {
      const body = { sessionId: await other.idToken('fay-1', { email: 'fay@example.com', email_verified: true }) };
      await expect(clientOf().call(accountRoutes.login, { body })).rejects.toMatchObject({ code: 'identity_refused' });
      const login = await new EarshotClient({ baseUrl: elsewhere.url }).call(accountRoutes.login, { body });
      expect(login.user.id).not.toBe(user.id);
    } finally {
      await elsewhere.stop();
    }
  });

  it.each(['', 'x'.repeat(256), 'a\0b'])(
    'is refused to a subject that OpenID Connect does not allow: %j',
    async (sub) => {
      await expect(signIn('any', 'any@example.com', { sub })).rejects.toMatchObject({ status: 401 });
    },
  );

  it('leaves the role of an administrator alone that a person gave', async () => {
    expect(await signIn('root-1', administrator.email)).toMatchObject({ user: { role: 'admin' } });
    const { user } = await clientOf().call(accountRoutes.loginCredentials, { body: administrator });
    expect(user).toMatchObject({ role: 'admin' });
  });
});

it('an account is not linked to somebody of another issuer at the same provider', async () => {
  const daemon = await startDaemon({ settings: { ...provider.settings, EARSHOT_IDENTITY_AUTO_CREATE: '1' } });
  try {
    const signIn = async (subject: string) => {
      const sessionId = await provider.idToken(subject, { email: 'ann@example.com', email_verified: true });
      return new EarshotClient({ baseUrl: daemon.url }).call(accountRoutes.login, { body: { sessionId } });
    };
    await signIn('ann');
    // As Entra names its tenants.
    await writeBeside(daemon.databaseUrl, `UPDATE "UserIdentity" SET "issuer" = "issuer" || '/tenants/a'`);
    await expect(signIn('stranger')).rejects.toMatchObject({ status: 401, code: 'identity_other_person' });
    await expect(signIn('ann')).rejects.toMatchObject({ status: 401, code: 'identity_other_person' });
  } finally {
    await daemon.stop();
  }
});

describeDaemonsOnEachDatabase('somebody new whom another tenant has invited', (start) => {
  let daemon: TestDaemon;
  let oldest: string;
  let second: EarshotClient;
  let projectId: string;
  const signIn = async (name: string, groups: readonly string[]) => {
    const claims = { email: `${name}@example.com`, email_verified: true, groups };
    const client = new EarshotClient({ baseUrl: daemon.url });
    const { user, accessToken } = await client.call(accountRoutes.login, {
      body: { sessionId: await provider.idToken(name, claims) },
    });
    const own = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: accessToken } });
    const projects = await own.call(projectRoutes.list, {});
    return { tenantId: user.tenantId, projects: projects.map((project) => project.id) };
  };
  beforeAll(async () => {
    const roles = { EARSHOT_IDENTITY_ROLES: '{"staff": "member"}', EARSHOT_IDENTITY_AUTO_CREATE: '1' };
    daemon = await start({ settings: { ...provider.settings, ...roles } });
    oldest = (await daemon.admin.call(accountRoutes.me, {})).tenantId;
    const owner = { email: 'second@example.com', password };
    await askDaemon(daemon.dataDir, createTenant, { name: 'second', ...owner });
    const client = new EarshotClient({ baseUrl: daemon.url });
    const { accessToken: token } = await client.call(accountRoutes.loginCredentials, { body: owner });
    second = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    const [project] = await second.call(projectRoutes.list, {});
    projectId = project?.id ?? '';
    for (const name of ['gil', 'guy', 'gus'])
      await second.call(projectUserRoutes.invite, {
        params: { projectId },
        body: { email: `${name}@example.com`, role: 'viewer' },
      });
  });
  afterAll(() => daemon.stop());

  it("joins the operator's own tenant by a group", async () => {
    expect(await signIn('gil', ['staff'])).toMatchObject({ tenantId: oldest, projects: [projectId] });
  });

  it('joins the tenant of the invitation without such a group', async () => {
    const { tenantId, projects } = await signIn('guy', ['unknown']);
    expect(tenantId).toBe((await second.call(accountRoutes.me, {})).tenantId);
    expect(projects).toEqual([projectId]);
  });

  it("joins the tenant of the invitation while the operator's own is disabled", async () => {
    const tenants = await askDaemon(daemon.dataDir, listTenants, {});
    const tenant = tenants.find(({ id }) => id === oldest)?.name ?? '';
    await askDaemon(daemon.dataDir, setTenantDisabled, { tenant, disabled: true });
    expect(await signIn('gus', ['staff'])).toMatchObject({ projects: [projectId] });
  });
});
