/**
 * A guest has an account of one tenant and works in a project of another. What they change there is recorded there, for
 * those whose project it is.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDaemon } from '../../daemon/admin-socket/client.js';
import { createTenant, createUser } from '../../daemon/modules/identity/admin-operations.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { auditRoutes } from '../../src/contract/audit/audit.js';
import { recordedCalls } from '../../src/contract/audit/coverage.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import type { Route } from '../../src/contract/route.js';
import { allRoutes } from '../../src/contract/routes.js';
import { bearer, type Scene, type SceneOf } from '../contract/generated/case.js';
import { cases } from '../contract/generated/cases.js';
import { madeUp, send } from '../contract/generated/sending.js';
import { password, World } from '../contract/generated/world.js';

let world: World;
let ownersTenant: string;
let guestsTenant: string;
const guest = { email: 'guest@example.com', id: '', token: 'none yet' };

/** Again where the time of a case has passed the end of the token. */
async function signInGuest(): Promise<void> {
  if (
    await world
      .clientOf(guest.token)
      .call(accountRoutes.me, {})
      .then(Boolean, () => false)
  )
    return;
  const client = new EarshotClient({ baseUrl: world.daemon.url });
  const body = { email: guest.email, password };
  guest.token = (await client.call(accountRoutes.loginCredentials, { body })).accessToken;
}

beforeAll(async () => {
  world = await World.make();
  const { tenantId } = await world.admin.call(accountRoutes.me, {});
  ownersTenant = tenantId;
  const tenant = { name: 'guests', email: guest.email, password };
  guestsTenant = (await askDaemon(world.daemon.dataDir, createTenant, tenant)).id;
  await signInGuest();
  guest.id = (await world.clientOf(guest.token).call(accountRoutes.me, {})).id;
}, 60_000);
afterAll(() => world.stop());

const makeOwner = (projectId: string) =>
  world.rows((tx) => {
    const at = new Date();
    const person = { userId: guest.id, email: guest.email, role: 'owner', invitedAt: at, acceptedAt: at };
    return tx.projectPermission.upsert({
      where: { projectId_email: { projectId, email: guest.email } },
      create: { id: randomUUID(), projectId, ...person },
      update: person,
    });
  });

async function entriesOf(requestId: string) {
  let found: { action: string; tenantId: string | null; projectId: string | null; actorId: string | null }[] = [];
  await world.rows(async (tx) => {
    const select = { action: true, tenantId: true, projectId: true, actorId: true };
    found = await tx.auditEntry.findMany({ where: { requestId }, select });
  });
  return found;
}

/** They change the guest's own account, or their own tenant. */
const ofGuests = [
  ...['logout', 'changePassword', 'createConsoleSession', 'revokeConsoleSession', 'createConsoleCode'],
  ...['createProject', 'startBackup'],
];
/** Where a case of the contract acts on the whole tenant, which a guest may not. */
const inProject: Readonly<Record<string, SceneOf>> = {
  revokeApiKey: async ({ admin, projectId }) => {
    const body = { name: 'short-lived', scopes: ['events' as const], projectId };
    return { params: { id: (await admin.call(apiKeyRoutes.create, { body })).id } };
  },
};

const isChange = (route: Route) =>
  route.method !== 'get' && route.auth.includes('bearer') && recordedCalls(route) !== 'nobody';

describe('what a guest changes', () => {
  it.each(
    allRoutes
      .filter(isChange)
      .filter(({ operationId }) => !ofGuests.includes(operationId))
      .map((route) => [route.operationId, route] as const),
  )('%s is in the log of whose it is', async (operationId, route) => {
    world.pass(1);
    const scene: Scene = await (inProject[operationId] ?? cases[operationId]?.works ?? (() => ({})))(world);
    const projectId = scene.params?.projectId ?? world.projectId;
    await makeOwner(projectId);
    await signInGuest();
    const headers = { ...scene.headers, ...bearer(guest.token) };
    const response = await send(route, world, { ...scene, headers }, madeUp(route));
    const answered = await response.text();
    expect(response.status, answered).toBeLessThan(400);
    expect(await entriesOf(response.headers.get('x-request-id') ?? '')).toEqual([
      { action: operationId, tenantId: ownersTenant, projectId, actorId: guest.id },
    ]);
  });
});

describe('the role that a guest accepts', () => {
  async function invitedGuest() {
    const email = `${randomUUID()}@example.com`;
    const account = { email, password, role: 'member', tenant: 'guests' } as const;
    await askDaemon(world.daemon.dataDir, createUser, account);
    return { ...(await world.invitation(email)), email };
  }
  const inProjectsLog = async (permissionId: string) =>
    (
      await world.admin.call(auditRoutes.list, {
        params: { projectId: world.projectId },
        query: { target: permissionId, action: 'acceptUserInvitation' },
      })
    ).entries;
  async function post(route: Route, body: object) {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(world.daemon.url + route.path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(201);
    return entriesOf(response.headers.get('x-request-id') ?? '');
  }

  it('by the link is in the log of the project, and the login in that of their tenant', async () => {
    const { email, token, permissionId } = await invitedGuest();
    const entries = await post(accountRoutes.acceptInvitation, { token, password });
    expect(entries.map(({ tenantId, projectId, action }) => ({ tenantId, projectId, action }))).toEqual(
      expect.arrayContaining([
        { tenantId: guestsTenant, projectId: null, action: 'acceptUserInvitation' },
        { tenantId: ownersTenant, projectId: world.projectId, action: 'acceptUserInvitation' },
      ]),
    );
    expect(entries).toHaveLength(2);
    expect(await inProjectsLog(permissionId)).toMatchObject([
      { actor: { name: email }, targets: [{ kind: 'project-user', id: permissionId }] },
    ]);
  });

  it('by a sign-in at the provider is so, too', async () => {
    const { email, permissionId } = await invitedGuest();
    const { sessionId } = await world.stranger(email);
    const entries = await post(accountRoutes.login, { sessionId });
    expect(entries.map(({ tenantId, action }) => ({ tenantId, action }))).toEqual(
      expect.arrayContaining([
        { tenantId: guestsTenant, action: 'login' },
        { tenantId: ownersTenant, action: 'acceptUserInvitation' },
      ]),
    );
    expect(await inProjectsLog(permissionId)).toMatchObject([{ actor: { name: email } }]);
  });

  it('of their own tenant is one entry, in the project', async () => {
    const { token, permissionId } = await world.invitation(`${randomUUID()}@example.com`);
    expect(await post(accountRoutes.acceptInvitation, { token, password })).toMatchObject([
      { action: 'acceptUserInvitation', tenantId: ownersTenant, projectId: world.projectId },
    ]);
    expect(await inProjectsLog(permissionId)).toHaveLength(1);
  });

  it('is not in the log where the password is wrong', async () => {
    const { token, permissionId } = await invitedGuest();
    const client = new EarshotClient({ baseUrl: world.daemon.url });
    const body = { token, password: 'not the password' };
    await expect(client.call(accountRoutes.acceptInvitation, { body })).rejects.toMatchObject({ code: 'login_failed' });
    expect(await inProjectsLog(permissionId)).toEqual([]);
  });
});
