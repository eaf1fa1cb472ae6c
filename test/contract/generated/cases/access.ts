/** Health and login, API keys, projects and people, settings, room tokens. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { z } from 'zod';
import { accountRoutes, DeviceLogin } from '../../../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../../../src/contract/identity/api-keys.js';
import {
  ConsoleCode,
  ConsoleLogin,
  consoleHeaders,
  consoleSessionRoutes,
} from '../../../../src/contract/identity/console-sessions.js';
import { installationRoutes } from '../../../../src/contract/installation/installation.js';
import { sanctionRoutes } from '../../../../src/contract/moderation/sanctions.js';
import { projectUserRoutes } from '../../../../src/contract/projects/projects.js';
import { maskedSecret, settingsRoutes } from '../../../../src/contract/projects/settings.js';
import type { ProjectRole } from '../../../../src/contract/route.js';
import { authorized } from '../../../support/oidc-login.js';
import { browse } from '../../../support/stand-in-browser.mjs';
import { bearer, but, type Case, type Cases, elsewhere, just, type Made, type Scene, type SceneOf } from '../case.js';
import { billedSecret, newAddress, password, type World } from '../world.js';

const attempts = 10;
const unknown = '00000000-0000-7000-8000-000000000000';

/** Makes as many attempts as are allowed per minute. */
async function tryOften(world: World, path: string, body: object, headers: Record<string, string>): Promise<void> {
  const one = () =>
    fetch(world.daemon.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  await Promise.all(Array.from({ length: attempts }, one));
}

const asPerson =
  (role: ProjectRole = 'viewer'): SceneOf =>
  async (world) => ({ headers: bearer((await world.person(role)).token) });

/** Headers of a page of the daemon. */
const fromConsole = ({ daemon }: World) => ({ ...consoleHeaders, Origin: daemon.url });
const fromElsewhere: SceneOf = () => ({ headers: { ...consoleHeaders, Origin: 'https://elsewhere.example' } });
async function consoleSession(world: World) {
  const headers = { ...bearer((await world.person()).token), ...fromConsole(world) };
  const opened = await fetch(world.daemon.url + consoleSessionRoutes.create.path, { method: 'POST', headers });
  const { accessToken, session } = ConsoleLogin.parse(await opened.json());
  return { token: accessToken, id: session.id, cookie: opened.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

const login: SceneOf = async (world) => {
  const { email, sessionId } = await world.stranger();
  await world.invitation(email);
  return { body: just({ sessionId }) };
};

const notConfigured: SceneOf = async (world) => ({ url: await world.urlAlone() });
const ofInstallation = (says: string) => elsewhere('test/installation/installation.test.ts', says);
const ofFlows = (says: string) => elsewhere('test/identity/oidc-flows.test.ts', says);
/** Refusals of every operation that asks the identity provider. */
const identityRefusals = {
  identity_provider_not_configured: notConfigured,
  identity_unavailable: (async (world) => ({ url: await world.urlOrphan() })) satisfies SceneOf,
  identity_client_refused: elsewhere('test/identity/oidc-tokens.test.ts', 'says that the client secret is wrong'),
  identity_answer_invalid: ofFlows('says what is wrong when the provider'),
};
const signInRefusals = {
  ...identityRefusals,
  identity_other_person: elsewhere(
    'test/identity/oidc-subjects.test.ts',
    'does not go to the next owner of the address',
  ),
};

const codeOf = ({ provider }: World, user: string) =>
  authorized(
    { clientId: 'earshot', authorizationEndpoint: `${provider.url}/auth`, scope: 'openid email profile' },
    user,
  );

/** A device code that the person has confirmed or refused; null: nobody has. */
async function deviceCodeOf(
  { daemon }: World,
  person: { readonly user: string; readonly cancel?: boolean } | null,
): Promise<string> {
  const response = await fetch(daemon.url + accountRoutes.startDeviceLogin.path, {
    method: 'POST',
    headers: newAddress(),
  });
  const { deviceCode, verificationUriComplete } = DeviceLogin.parse(await response.json());
  if (person !== null) await browse(verificationUriComplete ?? '', person);
  return deviceCode;
}

/** Name of somebody in a project, who is not its only owner. */
const member: SceneOf = async (world) => ({
  body: but({ permissionId: (await world.invitation(`${randomUUID()}@example.com`)).permissionId }),
});
/** The only owner goes. */
const lastOwner =
  (fields: Made): SceneOf =>
  async (world) => {
    const projectId = await world.bareProject();
    const [owner] = await world.admin.call(projectUserRoutes.list, { params: { projectId } });
    const { credential } = world.admin;
    return {
      params: { projectId },
      headers: credential?.kind === 'bearer' ? bearer(credential.token) : {},
      body: just({ permissionId: owner?.permissionId, ...fields }),
    };
  };
/** An administrator's wish against somebody above. */
const ownerByAdmin =
  (fields: Made): SceneOf =>
  async (world) => {
    const [owner, admin] = [await world.person('owner'), await world.person('admin')];
    return { headers: bearer(admin.token), body: just({ permissionId: owner.permissionId, ...fields }) };
  };

/** A daemon crashed twice while the rules of the project judged. */
const interrupted: SceneOf = async (world) => {
  const projectId = await world.bareProject();
  const data = { job: 'rules', subject: projectId, projectId, ends: 2, endedAt: new Date() };
  await world.rows((tx) => tx.interruptedJob.create({ data }));
  return { params: { projectId } };
};
const settled: SceneOf = async (world) => ({ params: { projectId: await world.project() } });
const bare: SceneOf = async (world) => ({ params: { projectId: await world.bareProject() } });
const provider = { tokenProvider: 'embedded' };

type Settings = z.input<typeof settingsRoutes.put.body>;
const withSettings = async (world: World, body: Settings): Promise<string> => {
  const projectId = await world.bareProject();
  await world.client.call(settingsRoutes.put, { params: { projectId }, body });
  return projectId;
};
const moved: SceneOf = async (world) => {
  const [tokenProvider, url] = ['url' as const, 'https://tokens.example/v1'];
  const stored = { tokenProvider, tokenProviderSettings: { url, authorization: 'Bearer stored' } };
  const tokenProviderSettings = { url: 'https://elsewhere.example/v1', authorization: maskedSecret };
  return {
    params: { projectId: await withSettings(world, stored) },
    body: just({ tokenProvider, tokenProviderSettings }),
  };
};
/** One operation names the project in its path, the other in its body. */
/** `withId`: the body names the project, too; else the path alone does. */
const tokenScene =
  (withId: boolean) =>
  (projectId: string, fields: Made = {}): Scene => ({
    params: { projectId },
    body: but({ ...(withId ? { projectId } : {}), ...fields }),
  });
const odin: Settings = { tokenProvider: 'access_key', tokenProviderSettings: { accessKey: 'no such key' } };
const endpoint: Settings = { tokenProvider: 'url', tokenProviderSettings: { url: 'http://127.0.0.1:9/token' } };
const roomToken = (inProject: ReturnType<typeof tokenScene>): Case => ({
  works: async (world) => inProject(await world.project()),
  refuses: {
    settings_not_configured: async (world) => inProject(await world.bareProject()),
    external_user_id_reserved: async (world) => inProject(await world.project(), { userId: 'earshot-bot' }),
    participant_banned: async (world) => {
      const projectId = await world.project();
      const body = { type: 'perm_ban', externalUserId: 'banned' } as const;
      await world.client.call(sanctionRoutes.create, { params: { projectId }, body });
      return inProject(projectId, { userId: 'banned' });
    },
    provider_unsupported: async (world) =>
      inProject(await withSettings(world, odin), { permissions: { publish: false } }),
    token_provider_failed: async (world) => inProject(await withSettings(world, endpoint)),
  },
});

const passwordsTakeTime = elsewhere('test/hostile/login-flood.test.ts', '503 overloaded');

const sinceLately: SceneOf = (world) => ({ query: { since: world.inSeconds(-3_600) } });
const manyExports = elsewhere('test/audit/audit.test.ts', 'refuses a third export of the tenant');

export const accessCases: Cases = {
  listAudit: { works: sinceLately },
  listTenantAudit: { works: sinceLately },
  exportAudit: { works: sinceLately, refuses: { rate_limited: manyExports } },
  exportTenantAudit: { works: sinceLately, refuses: { rate_limited: manyExports } },
  login: {
    works: login,
    refuses: {
      ...signInRefusals,
      identity_token_kind: elsewhere('test/identity/oidc-tokens.test.ts', 'where there is no introspection'),
      identity_refused: () => ({ body: just({ sessionId: 'made up' }) }),
      identity_email_unverified: async (world) => {
        const { email, sessionId } = await world.stranger();
        world.provider.know(email, { email, email_verified: false });
        return { body: just({ sessionId }) };
      },
      identity_answer_invalid: async (world) => {
        const { email, sessionId } = await world.stranger();
        world.provider.know(email, { email: 'no address', email_verified: true });
        return { body: just({ sessionId }) };
      },
      identity_unknown_user: async (world) => ({ body: just({ sessionId: (await world.stranger()).sessionId }) }),
      rate_limited: async (world) => {
        const [headers, body] = [newAddress(), { sessionId: 'made up' }];
        await tryOften(world, accountRoutes.login.path, body, headers);
        return { headers, body: just(body) };
      },
    },
  },
  getIdentityProvider: { refuses: { identity_provider_not_configured: notConfigured } },
  loginWithCode: {
    works: async (world) => {
      const { email } = await world.stranger();
      await world.invitation(email);
      return { body: just(await codeOf(world, email)) };
    },
    refuses: {
      ...signInRefusals,
      identity_refused: async (world) => {
        const request = await codeOf(world, (await world.stranger()).email);
        return { body: just({ ...request, code: 'made up' }) };
      },
      identity_email_unverified: async (world) => {
        const { email } = await world.stranger();
        world.provider.know(email, { email, email_verified: false });
        return { body: just(await codeOf(world, email)) };
      },
      identity_unknown_user: async (world) => ({ body: just(await codeOf(world, (await world.stranger()).email)) }),
      rate_limited: async (world) => {
        const headers = newAddress();
        const body = { ...(await codeOf(world, (await world.stranger()).email)), code: 'made up' };
        await tryOften(world, accountRoutes.loginWithCode.path, body, headers);
        return { headers };
      },
    },
  },
  startDeviceLogin: {
    refuses: {
      ...identityRefusals,
      identity_flow_unsupported: ofFlows('says that the provider has none'),
      rate_limited: async (world) => {
        const headers = newAddress();
        await tryOften(world, accountRoutes.startDeviceLogin.path, {}, headers);
        return { headers };
      },
    },
  },
  finishDeviceLogin: {
    works: async (world) => {
      const { email } = await world.stranger();
      await world.invitation(email);
      return { body: just({ deviceCode: await deviceCodeOf(world, { user: email }) }) };
    },
    refuses: {
      ...signInRefusals,
      identity_refused: () => ({ body: just({ deviceCode: 'made up' }) }),
      identity_email_unverified: async (world) => {
        const { email } = await world.stranger();
        world.provider.know(email, { email, email_verified: false });
        return { body: just({ deviceCode: await deviceCodeOf(world, { user: email }) }) };
      },
      identity_unknown_user: async (world) => {
        const { email } = await world.stranger();
        return { body: just({ deviceCode: await deviceCodeOf(world, { user: email }) }) };
      },
      identity_flow_unsupported: ofFlows('says that the provider has none'),
      device_login_pending: async (world) => ({ body: just({ deviceCode: await deviceCodeOf(world, null) }) }),
      device_login_denied: async (world) => ({
        body: just({ deviceCode: await deviceCodeOf(world, { user: 'anybody', cancel: true }) }),
      }),
      device_login_slow_down: ofFlows('passes on that the program asks too often'),
      device_login_expired: ofFlows('says that the code was not confirmed in time'),
      rate_limited: async (world) => {
        const headers = newAddress();
        await tryOften(world, accountRoutes.finishDeviceLogin.path, { deviceCode: 'made up' }, headers);
        return { headers };
      },
    },
  },
  loginCredentials: {
    works: async (world) => ({ body: just({ email: (await world.personWithPassword()).email, password }) }),
    refuses: {
      overloaded: passwordsTakeTime,
      login_failed: () => ({ body: but({ password: 'not the password' }) }),
      login_code_sent: elsewhere('test/identity/login-codes.test.ts', 'is sent for the right password alone'),
      login_code_invalid: elsewhere('test/identity/login-codes.test.ts', 'is sent for the right password alone'),
      rate_limited: async (world) => {
        const body = { email: `${randomUUID()}@example.com`, password };
        const headers = newAddress();
        await tryOften(world, accountRoutes.loginCredentials.path, body, headers);
        return { headers, body: just(body) };
      },
    },
  },
  refreshToken: {
    works: asPerson(),
    refuses: {
      identity_refused: elsewhere(
        'test/identity/external-login.test.ts',
        'is renewed for twelve hours, and then confirmed there again',
      ),
    },
  },
  logout: { works: asPerson() },
  changePassword: {
    works: async (world) => {
      const person = await world.personWithPassword();
      return { headers: bearer(person.token), body: but({ currentPassword: password }) };
    },
    refuses: {
      overloaded: passwordsTakeTime,
      login_failed: () => ({ body: but({ currentPassword: 'not the password' }) }),
      rate_limited: async (world) => {
        const headers = { ...bearer((await world.person()).token), ...newAddress() };
        const body = { currentPassword: 'a guess', newPassword: password };
        await tryOften(world, accountRoutes.changePassword.path, body, headers);
        return { headers };
      },
    },
  },
  createConsoleSession: {
    works: async (world) => ({ headers: { ...bearer((await world.person()).token), ...fromConsole(world) } }),
    refuses: { console_origin_refused: fromElsewhere },
  },
  renewConsoleSession: {
    works: async (world) => ({ headers: { ...fromConsole(world), Cookie: (await consoleSession(world)).cookie } }),
    refuses: {
      console_origin_refused: fromElsewhere,
      console_session_invalid: (world) => ({ headers: { ...fromConsole(world), Cookie: 'earshot_console=none' } }),
      console_session_reused: elsewhere(
        'test/identity/console-sessions.test.ts',
        'ends the session when a replaced cookie comes again: for the thief and for the owner',
      ),
    },
  },
  listConsoleSessions: { works: asPerson() },
  revokeConsoleSession: {
    works: async (world) => {
      const { token, id } = await consoleSession(world);
      return { headers: bearer(token), params: { consoleSessionId: id } };
    },
    refuses: { console_session_not_found: () => ({ params: { consoleSessionId: unknown } }) },
  },
  createConsoleCode: { works: asPerson() },
  redeemConsoleCode: {
    works: async (world) => {
      const headers = bearer((await world.person()).token);
      const made = await fetch(world.daemon.url + consoleSessionRoutes.createCode.path, { method: 'POST', headers });
      return { headers: fromConsole(world), body: just({ code: ConsoleCode.parse(await made.json()).code }) };
    },
    refuses: {
      console_origin_refused: fromElsewhere,
      console_code_invalid: (world) => ({ headers: fromConsole(world), body: just({ code: 'made up' }) }),
    },
  },
  readUserInvitation: {
    works: async (world) => {
      const invited = await world.invitation(`${randomUUID()}@example.com`);
      return { body: but({ token: invited.token }) };
    },
    refuses: { invitation_token_invalid: () => ({ body: but({ token: 'made up' }) }) },
  },
  acceptUserInvitation: {
    works: async (world) => {
      const invited = await world.invitation(`${randomUUID()}@example.com`);
      return { body: but({ token: invited.token, password, code: undefined }) };
    },
    refuses: {
      overloaded: passwordsTakeTime,
      invitation_token_invalid: () => ({ body: but({ token: 'made up' }) }),
      password_required: async (world) => {
        const invited = await world.invitation(`${randomUUID()}@example.com`);
        return { body: just({ token: invited.token }) };
      },
      login_code_sent: elsewhere('test/identity/login-codes.test.ts', 'is asked for by an invitation as by a login'),
      login_code_invalid: elsewhere('test/identity/login-codes.test.ts', 'is asked for by an invitation as by a login'),
      login_failed: async (world) => {
        const { email } = await world.person('viewer', await world.bareProject());
        const invited = await world.invitation(email);
        return { body: just({ token: invited.token, password: 'not the password' }) };
      },
      rate_limited: async (world) => {
        const headers = newAddress();
        await tryOften(world, accountRoutes.acceptInvitation.path, { token: 'made up' }, headers);
        return { headers };
      },
    },
  },

  createApiKey: {
    works: (world) => ({ body: but({ projectId: world.projectId }) }),
    refuses: {
      no_access_to_project: () => ({ body: but({ projectId: unknown }) }),
      insufficient_role: async (world) => ({ headers: bearer((await world.person('moderator')).token) }),
    },
  },
  revokeApiKey: {
    works: async (world) => {
      const body = { name: 'short-lived', scopes: ['events' as const] };
      return { params: { id: (await world.admin.call(apiKeyRoutes.create, { body })).id } };
    },
    refuses: { insufficient_role: async (world) => ({ headers: bearer((await world.person('moderator')).token) }) },
  },

  createProject: {
    works: () => ({ body: just({ name: randomUUID() }) }),
    refuses: { project_name_taken: () => ({ body: just({ name: 'default' }) }) },
  },
  updateProject: {
    works: async (world) => ({
      params: { projectId: await world.bareProject() },
      body: ({ name }) => (name === undefined ? {} : { name: randomUUID() }),
    }),
    refuses: { project_name_taken: () => ({ body: just({ name: 'default' }) }) },
  },
  listInterruptedJobs: { works: interrupted },
  resumeInterruptedJobs: { works: interrupted },
  deleteProject: {
    works: async (world) => {
      const projectId = await world.bareProject();
      return { params: { projectId }, headers: bearer((await world.person('owner', projectId)).token) };
    },
    refuses: { legal_hold: elsewhere('test/reports/legal-hold.test.ts', 'legal_hold') },
  },
  inviteProjectUser: {
    works: async (world) => ({ headers: bearer((await world.person('owner')).token) }),
    refuses: {
      already_invited: async (world) => {
        const { email } = await world.invitation(`${randomUUID()}@example.com`);
        return { body: but({ email }) };
      },
      insufficient_role: async (world) => ({
        headers: bearer((await world.person('admin')).token),
        body: but({ role: 'owner' }),
      }),
    },
  },
  removeProjectUser: {
    works: member,
    refuses: {
      permission_not_found: () => ({ body: but({ permissionId: unknown }) }),
      last_owner: lastOwner({}),
      insufficient_role: ownerByAdmin({}),
    },
  },
  changeProjectUserRole: {
    works: async (world) => ({
      ...(await member(world)),
      headers: bearer((await world.person('owner')).token),
    }),
    refuses: {
      permission_not_found: () => ({ body: but({ permissionId: unknown }) }),
      last_owner: lastOwner({ role: 'viewer' }),
      insufficient_role: ownerByAdmin({ role: 'viewer' }),
    },
  },

  getSettings: { works: settled, refuses: { settings_not_found: bare } },
  putSettings: {
    works: async (world) => ({ ...(await settled(world)), body: but(provider) }),
    refuses: { secret_needed_again: moved },
  },
  updateSettings: {
    works: async (world) => ({ ...(await settled(world)), body: but(provider) }),
    refuses: { settings_not_found: bare, secret_needed_again: moved },
  },
  deleteSettings: { works: settled, refuses: { settings_not_found: bare } },
  getProjectSecret: {
    works: async (world) => {
      const params = { projectId: await world.project() };
      world.bills({ status: 200, body: JSON.stringify({ secret: billedSecret }) });
      await world.client.call(settingsRoutes.syncSecret, { params });
      return { params };
    },
    refuses: { secret_not_found: bare },
  },
  updateDebugAudio: { works: settled, refuses: { settings_not_found: bare } },
  updateE2EEncryption: {
    works: async (world) => ({ ...(await settled(world)), body: but({ password }) }),
    refuses: { settings_not_found: bare, e2ee_password_required: () => ({ body: just({ mode: 'manual' }) }) },
  },
  syncSecret: {
    works: async (world) => {
      world.bills({ status: 200, body: JSON.stringify({ secret: billedSecret }) });
      return settled(world);
    },
    refuses: {
      settings_not_found: bare,
      no_secret_found: (world) => {
        world.bills({ status: 404, body: '' });
        return {};
      },
      billing_unavailable: (world) => {
        world.bills({ status: 500, body: '' });
        return {};
      },
    },
  },

  rotateProjectSecret: {
    works: async (world) => {
      world.bills({ status: 200, body: JSON.stringify({ secret: billedSecret }) });
      return settled(world);
    },
    refuses: {
      settings_not_found: bare,
      no_secret_found: (world) => {
        world.bills({ status: 404, body: '' });
        return settled(world);
      },
      billing_unavailable: (world) => {
        world.bills({ status: 500, body: '' });
        return settled(world);
      },
      secret_unchanged: async (world) => {
        const params = { projectId: await world.project() };
        world.bills({ status: 200, body: JSON.stringify({ secret: billedSecret }) });
        await world.client.call(settingsRoutes.syncSecret, { params });
        return { params };
      },
    },
  },

  startBackup: {
    works: async (world) => {
      await expect
        .poll(async () => (await world.admin.call(installationRoutes.get, {})).backups.latest?.state, {
          timeout: 10_000,
        })
        .not.toBe('running');
      return {};
    },
    refuses: {
      backup_running: ofInstallation('makes a backup that verifies, one at a time'),
      backup_no_space: ofInstallation('is refused where the disk has no room for it'),
      backup_unsupported: ofInstallation('names both, says which answers, and how to back up instead'),
    },
  },

  generateToken: roomToken(tokenScene(true)),
  generateProjectToken: roomToken(tokenScene(false)),
  observeRoom: {
    works: async (world) => ({ params: { projectId: await world.project() } }),
    refuses: {
      settings_not_configured: async (world) => ({ params: { projectId: await world.bareProject() } }),
      provider_unsupported: async (world) => ({ params: { projectId: await withSettings(world, odin) } }),
    },
  },
};
