import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDaemon } from '../../daemon/admin-socket/client.js';
import {
  createTenant,
  createUser,
  listTenants,
  setTenantDisabled,
} from '../../daemon/modules/identity/admin-operations.js';
import { loadSettings } from '../../daemon/platform/config/load.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes, projectUserRoutes } from '../../src/contract/projects/projects.js';
import { administrator, type TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { type ForeignProvider, startIdentityProvider } from '../support/identity-provider.js';

const roles = {
  admins: 'admin',
  staff: 'member',
  mods: 'moderator@*',
  alpha: ['viewer@Alpha', 'admin@Alpha'],
  constructor: 'member',
};
let provider: ForeignProvider;
beforeAll(async () => {
  provider = await startIdentityProvider();
});
afterAll(() => provider.stop());

describeDaemonsOnEachDatabase('groups of the identity provider', (start) => {
  let daemon: TestDaemon;
  let alpha: string;
  let settings: Readonly<Record<string, string>>;
  beforeAll(async () => {
    settings = { ...provider.settings, EARSHOT_IDENTITY_ROLES: JSON.stringify(roles) };
    daemon = await start({ settings });
    alpha = (await daemon.admin.call(projectRoutes.create, { body: { name: 'Alpha' } })).id;
  });
  afterAll(async () => {
    await daemon.stop();
  });

  /** Signs in with these groups; returns the account's role and its roles in projects, by name. */
  async function signIn(name: string, groups: unknown, email = `${name}@example.com`) {
    provider.know(name, { email, email_verified: true });
    const client = new EarshotClient({ baseUrl: daemon.url });
    const sessionId = await provider.idToken(name, { groups });
    const { accessToken, user } = await client.call(accountRoutes.login, { body: { sessionId } });
    const own = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: accessToken } });
    const projects = await own.call(projectRoutes.list, {});
    return { role: user.role, projects: Object.fromEntries(projects.map((one) => [one.name, one.role])), own };
  }

  it('leave a person one role in a project, whichever of their addresses was invited', async () => {
    const invite = (projectId: string, email: string, role: 'viewer' | 'admin') =>
      daemon.admin.call(projectUserRoutes.invite, { params: { projectId }, body: { email, role } });
    const { id: beta } = await daemon.admin.call(projectRoutes.create, { body: { name: 'Beta' } });
    await invite(alpha, 'ria.old@example.com', 'viewer');
    expect(await signIn('ria', [], 'ria.old@example.com')).toMatchObject({ projects: { Alpha: 'viewer' } });
    await invite(alpha, 'ria.new@example.com', 'admin');
    await invite(beta, 'ria.old@example.com', 'viewer');
    expect(await signIn('ria', [], 'ria.new@example.com')).toMatchObject({
      projects: { Alpha: 'admin', Beta: 'viewer' },
    });
    await invite(beta, 'ria.new@example.com', 'viewer');
    expect(await signIn('ria', ['mods'], 'ria.new@example.com')).toMatchObject({
      projects: { Alpha: 'admin', Beta: 'viewer', default: 'moderator' },
    });
    for (const projectId of [alpha, beta]) {
      const people = await daemon.admin.call(projectUserRoutes.list, { params: { projectId } });
      expect(people.filter(({ email }) => email.startsWith('ria.'))).toHaveLength(1);
    }
  });

  it('give an account without an invitation, with the highest of their roles', async () => {
    expect(await signIn('ann', ['staff'])).toMatchObject({ role: 'member', projects: {} });
    expect(await signIn('bob', ['mods', 'alpha', 'unknown'])).toMatchObject({
      role: 'member',
      projects: { default: 'moderator', Alpha: 'admin' },
    });
    expect(await signIn('eve', 'admins')).toMatchObject({ role: 'admin' });
  });

  it.each([[['unknown']], [[]], [undefined], [['toString']], [['Staff']]])(
    'give nothing to others: %j',
    async (groups) => {
      await expect(signIn('stranger', groups)).rejects.toMatchObject({ code: 'identity_unknown_user' });
    },
  );

  it('take at the next sign-in what they gave, and the logins before notice', async () => {
    const before = await signIn('joe', ['admins', 'mods']);
    expect(before).toMatchObject({ role: 'admin' });
    expect(await signIn('joe', ['staff'])).toMatchObject({ role: 'member', projects: {} });
    expect(await before.own.call(projectRoutes.list, {})).toEqual([]);
    expect(await before.own.call(accountRoutes.me, {})).toMatchObject({ role: 'member' });
    expect(await signIn('joe', ['mods'])).toMatchObject({ projects: { default: 'moderator', Alpha: 'moderator' } });
    expect(await signIn('joe', [])).toMatchObject({ role: 'member', projects: {} });
  });

  it('leave roles alone that a person gave', async () => {
    const invite = { params: { projectId: alpha }, body: { email: 'kim@example.com', role: 'viewer' as const } };
    const { permissionId } = await daemon.admin.call(projectUserRoutes.invite, invite);
    expect(await signIn('kim', ['mods'])).toMatchObject({ projects: { default: 'moderator', Alpha: 'viewer' } });
    expect(await signIn('kim', [])).toMatchObject({ projects: { Alpha: 'viewer' } });
    await signIn('kim', ['alpha']);
    const change = { params: { projectId: alpha }, body: { permissionId, role: 'moderator' as const } };
    await daemon.admin.call(projectUserRoutes.changeRole, change);
    expect(await signIn('kim', [])).toMatchObject({ projects: { Alpha: 'moderator' } });
    expect(await signIn('root', [], administrator.email)).toMatchObject({ role: 'admin' });
  });

  it('take a role that somebody gave again, or gave to themselves', async () => {
    const { own } = await signIn('lee', ['alpha']);
    const params = { projectId: alpha };
    const people = await daemon.admin.call(projectUserRoutes.list, { params });
    const permissionId = people.find(({ email }) => email === 'lee@example.com')?.permissionId ?? '';
    await own.call(projectUserRoutes.changeRole, { params, body: { permissionId, role: 'viewer' } });
    await daemon.admin.call(projectUserRoutes.changeRole, { params, body: { permissionId, role: 'viewer' } });
    expect(await signIn('lee', ['staff'])).toMatchObject({ projects: {} });
  });

  it('give nothing to a login by password of before', async () => {
    const person = { email: 'uma@example.com', password: 'a password of length' };
    await askDaemon(daemon.dataDir, createUser, { ...person, role: 'member', tenant: null });
    const anonymous = new EarshotClient({ baseUrl: daemon.url });
    const { accessToken } = await anonymous.call(accountRoutes.loginCredentials, { body: person });
    const earlier = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: accessToken } });
    const atProvider = await signIn('uma', ['admins', 'mods']);
    expect(atProvider.projects).toMatchObject({ Alpha: 'owner' });
    expect(await earlier.call(projectRoutes.list, {})).toEqual([]);
    expect(await earlier.call(accountRoutes.me, {})).toMatchObject({ role: 'member' });
    const moderating = await signIn('uma', ['mods']);
    expect(moderating.projects).toMatchObject({ Alpha: 'moderator' });
    expect(await earlier.call(projectRoutes.list, {})).toEqual([]);
    await expect(earlier.call(projectUserRoutes.list, { params: { projectId: alpha } })).rejects.toMatchObject({
      code: 'no_access_to_project',
    });
    expect(await moderating.own.call(projectUserRoutes.list, { params: { projectId: alpha } })).not.toEqual([]);
  });

  it('give nothing to somebody who signs in by password, and to all their logins until the provider is asked again', async () => {
    const person = { email: 'pat@example.com', password: 'a password of length' };
    await askDaemon(daemon.dataDir, createUser, { ...person, role: 'member', tenant: null });
    const { own, ...given } = await signIn('pat', ['admins', 'mods']);
    expect(given).toMatchObject({ role: 'admin' });
    const client = new EarshotClient({ baseUrl: daemon.url });
    const { user } = await client.call(accountRoutes.loginCredentials, { body: person });
    expect(user).toMatchObject({ role: 'member' });
    expect(await own.call(projectRoutes.list, {})).toEqual([]);
    expect(await signIn('pat', ['mods'])).toMatchObject({ projects: { Alpha: 'moderator' } });
  });

  it('decide in the oldest tenant, disabled or not, and never in another one', async () => {
    const two = await start({ settings: { ...settings, EARSHOT_IDENTITY_AUTO_CREATE: '1' } });
    try {
      const second = { name: 'second', email: 'second@example.com', password: 'a password of length' };
      await askDaemon(two.dataDir, createTenant, second);
      const [oldest] = await askDaemon(two.dataDir, listTenants, {});
      await askDaemon(two.dataDir, setTenantDisabled, { tenant: oldest?.name ?? '', disabled: true });
      const member = { email: 'mia@example.com', password: second.password, role: 'member' as const };
      await askDaemon(two.dataDir, createUser, { ...member, tenant: second.name });
      for (const name of ['mia', 'new']) provider.know(name, { email: `${name}@example.com`, email_verified: true });
      const signInAs = async (name: string) => {
        const body = { sessionId: await provider.idToken(name, { groups: ['admins'] }) };
        return new EarshotClient({ baseUrl: two.url }).call(accountRoutes.login, { body });
      };
      expect(await signInAs('mia')).toMatchObject({ user: { role: 'member' } });
      await expect(signInAs('new')).rejects.toMatchObject({ code: 'identity_unknown_user' });
    } finally {
      await two.stop();
    }
  });

  it('refuse a login whose groups have the wrong form', async () => {
    await expect(signIn('odd', { group: true })).rejects.toMatchObject({ code: 'identity_answer_invalid' });
  });

  it('are given once to somebody new who signs in twice at once', async () => {
    const shared = await start({ settings });
    try {
      const people = ['una', 'ulf', 'udo', 'uwe', 'uli'];
      const logins = people.flatMap((name) => {
        provider.know(name, { email: `${name}@example.com`, email_verified: true });
        return Array.from({ length: 2 }, async () => {
          const body = { sessionId: await provider.idToken(name, { groups: ['mods'] }) };
          return (await new EarshotClient({ baseUrl: shared.url }).call(accountRoutes.login, { body })).user.id;
        });
      });
      expect(new Set(await Promise.all(logins)).size).toBe(people.length);
    } finally {
      await shared.stop();
    }
  });
});

describe('EARSHOT_IDENTITY_ROLES', () => {
  const load = (text: string) =>
    loadSettings({ environment: {}, flags: { EARSHOT_IDENTITY_ROLES: text } }).settings.EARSHOT_IDENTITY_ROLES;

  it('is a JSON object of groups and roles', () => {
    expect(load('{"a": "admin", "b": ["viewer@X", "admin@*"]}')).toEqual({ a: ['admin'], b: ['viewer@X', 'admin@*'] });
    for (const wrong of ['admin', '[]', '{"a": "owner"}', '{"a": "owner@X"}', '{"a": "moderator"}', '{"a": 7}'])
      expect(() => load(wrong)).toThrow('EARSHOT_IDENTITY_ROLES');
  });
});
