/** API keys over the API: limits, scopes, expiry, last use, revocation on every road. */
import { randomUUID } from 'node:crypto';
import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDaemon } from '../../daemon/admin-socket/client.js';
import { createTenant } from '../../daemon/modules/identity/admin-operations.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes, type CreateApiKey } from '../../src/contract/identity/api-keys.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes, projectUserRoutes } from '../../src/contract/projects/projects.js';
import { allScopes } from '../../src/contract/scopes.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { openStream } from '../support/stream.js';

/** The rule is one second; a busy machine gets some more, what stays open gets none. */
const cutWithinMs = 10_000;
const minuteMs = 60_000;
let time = new Date('2026-01-01T00:00:00.000Z');
const pass = (milliseconds: number) => {
  time = new Date(time.getTime() + milliseconds);
};

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ now: () => time });
});
afterAll(() => daemon.stop());

const create = (body: Partial<CreateApiKey> = {}) =>
  daemon.admin.call(apiKeyRoutes.create, { body: { name: 'key', scopes: ['participants:read'], ...body } });
const clientOf = (key: string) => new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
const people = (key: string, projectId = daemon.projectId) =>
  clientOf(key).call(participantRoutes.list, { params: { projectId }, query: {} });
const listed = async (id: string) => (await daemon.admin.call(apiKeyRoutes.list, {})).find((key) => key.id === id);
const revoke = (id: string) => daemon.admin.call(apiKeyRoutes.revoke, { params: { id } });

describe('a new key', () => {
  it('is shown once; afterwards just its first characters are', async () => {
    const { key, ...shown } = await create({ name: ' ci ' });
    expect(key.startsWith(shown.keyPrefix)).toBe(true);
    expect(shown).toMatchObject({ name: 'ci', scopes: ['participants:read'], projectId: null, expiresAt: null });
    expect(await listed(shown.id)).toEqual(shown);
    expect(JSON.stringify(await daemon.admin.call(apiKeyRoutes.list, {}))).not.toContain(key);
  });

  it('is listed newest first', async () => {
    const { id } = await create();
    expect((await daemon.admin.call(apiKeyRoutes.list, {}))[0]?.id).toBe(id);
  });

  it('holds each scope once', async () => {
    expect((await create({ scopes: ['events', 'events', 'users'] })).scopes).toEqual(['events', 'users']);
  });

  it.each([
    ['no scope', { scopes: [] }],
    ['a scope that is none', { scopes: ['everything'] }],
    ['no name', { name: ' ' }],
    ['an end that lies behind', { expiresAt: '2025-12-31T23:59:59Z' }],
  ])('with %s is refused', async (_, body) => {
    await expect(create(body as Partial<CreateApiKey>)).rejects.toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
  });

  it('can hold what the list of scopes names', async () => {
    expect(await daemon.admin.call(apiKeyRoutes.scopes, {})).toEqual([...allScopes]);
  });
});

describe('a key', () => {
  it('with a scope for reading reads and does not write', async () => {
    const { key } = await create();
    await people(key);
    const write = clientOf(key).call(participantRoutes.create, {
      params: { projectId: daemon.projectId },
      body: { externalUserId: 'u' },
    });
    await expect(write).rejects.toMatchObject({ status: 403, code: 'insufficient_scope' });
    await expect(write).rejects.toThrow(/participants/);
  });

  it('limited to a project acts there and nowhere else', async () => {
    const { id } = await daemon.admin.call(projectRoutes.create, { body: { name: 'limited' } });
    const { key, projectId } = await create({ projectId: id });
    expect(projectId).toBe(id);
    await people(key, id);
    await expect(people(key)).rejects.toMatchObject({ status: 403, code: 'no_access_to_project' });
  });

  it('of a project that was shared belongs to the tenant of the project, whoever makes it', async () => {
    const email = `${randomUUID()}@example.com`;
    const password = 'a password of length';
    const tenant = { name: randomUUID(), email, password };
    await askDaemon(daemon.dataDir, createTenant, tenant);
    const anonymous = new EarshotClient({ baseUrl: daemon.url });
    const invite = (role: 'viewer' | 'admin') =>
      daemon.admin.call(projectUserRoutes.invite, { params: { projectId: daemon.projectId }, body: { email, role } });
    const { permissionId, invitationUrl } = await invite('viewer');
    const token = new URL(invitationUrl ?? '').hash.replace('#token=', '');
    const { accessToken } = await anonymous.call(accountRoutes.acceptInvitation, { body: { token, password } });
    const guest = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: accessToken } });
    const body: CreateApiKey = { name: 'guest', scopes: ['participants:read'], projectId: daemon.projectId };
    // An administrator elsewhere is here what the project says.
    await expect(guest.call(apiKeyRoutes.create, { body })).rejects.toMatchObject({ code: 'insufficient_role' });
    const change = { permissionId, role: 'admin' as const };
    const params = { projectId: daemon.projectId };
    await daemon.admin.call(projectUserRoutes.changeRole, { params, body: change });
    const { id, key } = await guest.call(apiKeyRoutes.create, { body });
    await people(key);
    expect(await listed(id)).toMatchObject({ name: 'guest' });
    expect((await guest.call(apiKeyRoutes.list, {})).map((one) => one.id)).toContain(id);
    const { id: own } = await create();
    const foreign = guest.call(apiKeyRoutes.revoke, { params: { id: own } });
    await expect(foreign).rejects.toMatchObject({ code: 'api_key_not_found' });
    expect((await guest.call(apiKeyRoutes.list, {})).map((one) => one.id)).not.toContain(own);
    expect(await guest.call(apiKeyRoutes.revoke, { params: { id } })).toEqual({ id, deleted: true, made: [] });
  });

  it('of a project that is not there is refused', async () => {
    await expect(create({ projectId: 'nowhere' })).rejects.toMatchObject({ status: 403, code: 'no_access_to_project' });
  });

  it('ends at its time, to the moment, and is listed no longer', async () => {
    const { id, key } = await create({ expiresAt: new Date(time.getTime() + minuteMs).toISOString() });
    pass(minuteMs - 1);
    await people(key);
    pass(1);
    await expect(people(key)).rejects.toMatchObject({ status: 401, code: 'credential_invalid' });
    expect(await listed(id)).toBeUndefined();
  });

  it('does not open the keys themselves', async () => {
    const client = clientOf(daemon.apiKey);
    await expect(client.call(apiKeyRoutes.list, {})).rejects.toMatchObject({ status: 401, code: 'credential_kind' });
  });
});

describe('the last use', () => {
  it('is noted at the first call and then once a minute', async () => {
    const { id, key, lastUsedAt } = await create();
    expect(lastUsedAt).toBeNull();
    const first = time.toISOString();
    await people(key);
    await eventually(async () => expect((await listed(id))?.lastUsedAt).toBe(first));
    pass(minuteMs - 1);
    await people(key);
    pass(1);
    const second = time.toISOString();
    await people(key);
    await eventually(async () => expect((await listed(id))?.lastUsedAt).toBe(second));
  });
});

describe('a revoked key', () => {
  it('is refused from the answer on, and cannot be revoked again', async () => {
    const { id, key } = await create();
    await people(key);
    expect(await revoke(id)).toEqual({ id, deleted: true, made: [] });
    await expect(people(key)).rejects.toMatchObject({ status: 401, code: 'credential_invalid' });
    await expect(revoke(id)).rejects.toMatchObject({ status: 404, code: 'api_key_not_found' });
    expect(await listed(id)).toBeUndefined();
  });

  it('loses its streams', async () => {
    const { id, key } = await create({ scopes: ['events'] });
    const stream = await openStream(`${daemon.url}/api/events/stream`, { 'X-API-Key': key });
    expect(stream.status).toBe(200);
    await revoke(id);
    const late = new Promise((resolve) => setTimeout(resolve, cutWithinMs, 'late').unref());
    expect(await Promise.race([stream.ended.then(() => 'ended'), late])).toBe('ended');
  });

  it('loses its MQTT connections, and makes no new ones', async () => {
    const { id, key } = await create({ scopes: ['events'] });
    const options = { username: daemon.projectId, password: key, reconnectPeriod: 0 };
    const client = await mqtt.connectAsync(daemon.mqttUrl, options);
    await client.subscribeAsync(`projects/${daemon.projectId}/events/#`);
    await revoke(id);
    await eventually(() => expect(client.connected).toBe(false), cutWithinMs);
    await expect(mqtt.connectAsync(daemon.mqttUrl, options, false)).rejects.toThrow(/Bad username or password/);
  });
});
