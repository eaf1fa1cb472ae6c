import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSettings } from '../../daemon/platform/config/load.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes, projectUserRoutes } from '../../src/contract/projects/projects.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { type ForeignProvider, startIdentityProvider } from '../support/identity-provider.js';

const roles = {
  admins: 'admin',
  staff: 'member',
  mods: 'moderator@*',
  alpha: ['viewer@Alpha', 'admin@Alpha'],
  constructor: 'member',
};
let provider: ForeignProvider;
let daemon: TestDaemon;
let alpha: string;
beforeAll(async () => {
  provider = await startIdentityProvider();
  daemon = await startDaemon({ settings: { ...provider.settings, EARSHOT_IDENTITY_ROLES: JSON.stringify(roles) } });
  alpha = (await daemon.admin.call(projectRoutes.create, { body: { name: 'Alpha' } })).id;
});
afterAll(async () => {
  await daemon.stop();
  await provider.stop();
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

describe('groups of the identity provider', () => {
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

  it('refuse a login whose groups have the wrong form', async () => {
    await expect(signIn('odd', { group: true })).rejects.toMatchObject({ code: 'identity_answer_invalid' });
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
