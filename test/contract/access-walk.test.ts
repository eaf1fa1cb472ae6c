/**
 * A walk over every documented operation of health and login, keys, projects, tokens and settings: what is written is
 * read back, and read again after a restart.
 */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Credential, EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectRoutes, projectUserRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import type { CallInput, Result, Route } from '../../src/contract/route.js';
import { allScopes } from '../../src/contract/scopes.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import documented from './endpoints.json' with { type: 'json' };

const groups = ['Health and login', 'API keys', 'Projects, project users and tokens', 'Project settings'];
const walked = new Set<string>();
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

/** The client of whoever is logged in, which notes where it has been. */
async function call<R extends Route>(
  route: R,
  input: CallInput<R>,
  credential = daemon.admin.credential,
): Promise<Result<R>> {
  walked.add(`${route.method.toUpperCase()} ${route.path}`);
  const client = new EarshotClient({ baseUrl: daemon.url, ...(credential === undefined ? {} : { credential }) });
  return client.call(route, input);
}

/** Writes are over; what the reads say is the same before and after a restart. */
async function survives<T>(read: () => Promise<T>): Promise<T> {
  const before = await read();
  await daemon.restart();
  expect(await read()).toEqual(before);
  return before;
}

describe('the walk', () => {
  it('greets and signs in', async () => {
    expect(await call(accountRoutes.greet, {}, undefined)).toMatchObject({ name: 'earshot' });
    const { accessToken, user } = await call(accountRoutes.loginCredentials, { body: administrator });
    const credential: Credential = { kind: 'bearer', token: accessToken };
    expect(await call(accountRoutes.me, {}, credential)).toEqual(user);
    const unknown = call(accountRoutes.login, { body: { sessionId: 'x' } });
    await expect(unknown).rejects.toMatchObject({ status: 401, code: 'identity_provider_not_configured' });
    expect(await survives(() => call(accountRoutes.me, {}, credential))).toEqual(user);
  });

  it('makes keys, lists them and takes one back', async () => {
    expect(await call(apiKeyRoutes.scopes, {})).toEqual([...allScopes]);
    const kept = await call(apiKeyRoutes.create, { body: { name: 'kept', scopes: ['projects:read'] } });
    const gone = await call(apiKeyRoutes.create, { body: { name: 'gone', scopes: ['projects:read'] } });
    await call(apiKeyRoutes.revoke, { params: { id: gone.id } });
    const keys = await survives(() => call(apiKeyRoutes.list, {}));
    expect(keys.map(({ name }) => name)).toContain('kept');
    expect(keys.map(({ name }) => name)).not.toContain('gone');
    const projects = await call(projectRoutes.list, {}, { kind: 'apiKey', key: kept.key });
    expect(projects).toMatchObject([{ id: daemon.projectId, role: 'admin', isConfigured: true }]);
    const refused = call(projectRoutes.list, {}, { kind: 'apiKey', key: gone.key });
    await expect(refused).rejects.toMatchObject({ status: 401, code: 'credential_invalid' });
  });

  it('invites people, changes what they are and takes them out', async () => {
    const params = { projectId: daemon.projectId };
    const ann = await call(projectUserRoutes.invite, { params, body: { email: 'ann@example.com', role: 'viewer' } });
    const bob = await call(projectUserRoutes.invite, { params, body: { email: 'bob@example.com', role: 'viewer' } });
    const body = { permissionId: ann.permissionId, role: 'moderator' as const };
    expect(await call(projectUserRoutes.changeRole, { params, body })).toMatchObject({ role: 'moderator' });
    await call(projectUserRoutes.remove, { params, body: { permissionId: bob.permissionId } });
    const people = await survives(() => call(projectUserRoutes.list, { params }));
    expect(people.map(({ email, role, status }) => [email, role, status])).toEqual(
      expect.arrayContaining([
        [administrator.email, 'owner', 'accepted'],
        ['ann@example.com', 'moderator', 'pending'],
      ]),
    );
    expect(people).toHaveLength(2);
  });

  it('sets a project up, field by field', async () => {
    const params = { projectId: daemon.projectId };
    const put = { tokenProvider: 'embedded' as const, botUserId: 'ear', botUserData: { role: 'bot' } };
    await call(settingsRoutes.put, { params, body: put });
    await call(settingsRoutes.update, { params, body: { transcriptRetentionDays: 30, botUserData: null } });
    await call(settingsRoutes.debugAudio, { params, body: { enabled: true } });
    const encryption = { mode: 'manual' as const, password: 'a room password' };
    await call(settingsRoutes.e2eEncryption, { params, body: encryption });
    expect(await survives(() => call(settingsRoutes.get, { params }))).toMatchObject({
      tokenProvider: 'embedded',
      botUserId: 'ear',
      botUserData: null,
      transcriptRetentionDays: 30,
      debugAudioEnabled: true,
      e2eEncryptionMode: 'manual',
      e2eEncryptionPassword: 'a room password',
    });
  });

  it('copies the secret in, shows it and drops it', async () => {
    const params = { projectId: daemon.projectId };
    expect(await call(settingsRoutes.syncSecret, { params })).toEqual({ hasSecret: true });
    const { secret } = await survives(() => call(settingsRoutes.secret, { params }));
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(await call(settingsRoutes.revokeSecret, { params })).toEqual({ hasSecret: false });
    await daemon.restart();
    await expect(call(settingsRoutes.secret, { params })).rejects.toMatchObject({ code: 'secret_not_found' });
  });

  it('makes room tokens by both roads', async () => {
    const { projectId } = daemon;
    const body = { roomId: 'r', userId: 'u' };
    const made = [
      await call(tokenRoutes.generate, { body: { ...body, projectId } }),
      await call(tokenRoutes.generateForProject, { params: { projectId }, body }),
    ];
    for (const { token } of made) expect(decodeJwt(token)).toMatchObject({ project: projectId, room: 'r', sub: 'u' });
  });

  it('takes the settings away', async () => {
    const params = { projectId: daemon.projectId };
    expect(await call(settingsRoutes.remove, { params })).toMatchObject({ deleted: true });
    await daemon.restart();
    await expect(call(settingsRoutes.get, { params })).rejects.toMatchObject({ code: 'settings_not_found' });
    expect(await call(projectRoutes.list, {})).toMatchObject([{ isConfigured: false }]);
  });

  it('has been everywhere', () => {
    const meant = documented
      .filter(({ group }) => groups.includes(group))
      .map(({ method, path }) => `${method} ${path}`);
    expect(meant.filter((place) => !walked.has(place))).toEqual([]);
  });
});
