/**
 * A right that was taken away works no more for a request that had begun: its head was sent before, and its body comes after.
 * Whoever waited for the database is asked again as well.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDaemon } from '../../daemon/admin-socket/client.js';
import { createUser, setUserDisabled } from '../../daemon/modules/identity/admin-operations.js';
import { writingFor } from '../../daemon/platform/database/request-record.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { DomainError } from '../../src/contract/errors.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { projectRoutes, projectUserRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import type { ProjectRole } from '../../src/contract/route.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { inSqlite, openPostgresql, openSqlite } from '../support/database.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { rawClient } from '../support/raw-http.js';
import { deadOffer, postOffer } from '../support/room-client.js';

const password = 'a password of length';
/** In this time a head that was sent has been read, and its credential judged. */
const judgedMs = 400;
const mute = { type: 'mute', externalUserId: 'u_1', duration: 600 };

interface Begun {
  readonly path: string;
  readonly credential: string;
  readonly body: string;
  readonly type?: string;
}

describe.each([
  { kind: 'SQLite', here: true },
  { kind: 'PostgreSQL', here: hasPostgresql },
])('a request that has begun, on $kind', { timeout: 60_000 }, ({ kind, here }) => {
  let daemon: TestDaemon;
  let server: PostgresqlServer | null = null;
  beforeAll(async () => {
    if (!here) return;
    server = kind === 'PostgreSQL' ? await startPostgresql() : null;
    const settings = { EARSHOT_RATE_LIMIT_ADDRESS: '0', EARSHOT_RATE_LIMIT_CREDENTIAL: '0' };
    daemon = await startDaemon({
      settings: { ...settings, ...(server === null ? inSqlite : { DATABASE_URL: server.url }) },
    });
  }, 60_000);
  afterAll(async () => {
    await daemon?.stop();
    await server?.stop();
  });

  async function newProject(): Promise<string> {
    const { id: projectId } = await daemon.admin.call(projectRoutes.create, { body: { name: randomUUID() } });
    await daemon.admin.call(settingsRoutes.put, { params: { projectId }, body: { tokenProvider: 'embedded' } });
    return projectId;
  }

  async function newKey(projectId: string) {
    const body = { name: 'begun', scopes: ['sanctions' as const, 'gameplay' as const], projectId };
    const { id, key } = await daemon.admin.call(apiKeyRoutes.create, { body });
    return { id, credential: `X-API-Key: ${key}` };
  }

  /** Somebody who has signed in, with a role in the project. */
  async function newPerson(projectId: string, role: ProjectRole) {
    const email = `${randomUUID()}@example.com`;
    await askDaemon(daemon.dataDir, createUser, { email, password, role: 'member', tenant: null });
    const invitation = await daemon.admin.call(projectUserRoutes.invite, {
      params: { projectId },
      body: { email, role },
    });
    const token = new URL(invitation.invitationUrl ?? '').hash.replace('#token=', '');
    const anonymous = new EarshotClient({ baseUrl: daemon.url });
    const login = await anonymous.call(accountRoutes.acceptInvitation, { body: { token, password } });
    const client = new EarshotClient({
      baseUrl: daemon.url,
      credential: { kind: 'bearer', token: login.accessToken },
    });
    return { ...invitation, email, client, credential: `Authorization: Bearer ${login.accessToken}` };
  }

  async function roomTokenOf(projectId: string, roomId: string, userId: string, moderate = false): Promise<string> {
    const body = { roomId, userId, permissions: { moderate } };
    return (await daemon.client.call(tokenRoutes.generateForProject, { params: { projectId }, body })).token;
  }

  /** Sends the head and the first half of the body, has the right taken away, and sends the rest. */
  async function outlived(
    { path, credential, body, type = 'application/json' }: Begun,
    takeAway: () => Promise<unknown>,
  ) {
    const socket = await rawClient(daemon.url);
    const bytes = Buffer.from(body);
    socket.send(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${credential}\r\nContent-Type: ${type}\r\n` +
        `Content-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`,
    );
    socket.send(bytes.subarray(0, 2));
    await sleep(judgedMs);
    await takeAway();
    socket.send(bytes.subarray(2));
    const { status, body: answered } = await socket.ended();
    return { status, code: /"code":"(\w+)"/.exec(answered)?.[1] ?? null };
  }

  const sanctionsOf = async (projectId: string) =>
    (await daemon.client.call(sanctionRoutes.list, { params: { projectId }, query: {} })).total;
  const sanctionsPath = (projectId: string) => `/api/projects/${projectId}/sanctions`;
  const muteBody = JSON.stringify(mute);

  it('is carried out where nothing was taken away', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    const projectId = await newProject();
    const { credential } = await newKey(projectId);
    const begun = { path: sanctionsPath(projectId), credential, body: muteBody };
    expect(await outlived(begun, async () => {})).toMatchObject({ status: 201 });
    expect(await sanctionsOf(projectId)).toBe(1);
  });

  it('imposes no sanction by a key that was revoked', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    const projectId = await newProject();
    const { id, credential } = await newKey(projectId);
    const begun = { path: sanctionsPath(projectId), credential, body: muteBody };
    const revoke = () => daemon.admin.call(apiKeyRoutes.revoke, { params: { id } });
    expect(await outlived(begun, revoke)).toEqual({ status: 401, code: 'credential_invalid' });
    expect(await sanctionsOf(projectId)).toBe(0);
  });

  it('applies no batch and imports no events by a key that was revoked', async ({ skip }) => {
    skip(!here, 'PostgreSQL is not installed here');
    const projectId = await newProject();
    const items = Array.from({ length: 50 }, (_, index) => ({ ...mute, externalUserId: `u_${index}` }));
    const event = {
      event_name: 'kill-enemy',
      event_type: 'single',
      user_id: 'u_1',
      session_id: 's',
      meta_data: { amount: 1 },
    };
    for (const [path, sent] of [
      [`${sanctionsPath(projectId)}/batch`, { batchId: 'b', items }],
      ['/api/v1/events/batch', { events: [event] }],
      [`/api/projects/${projectId}/game-events`, { events: [event] }],
    ] as const) {
      const { id, credential } = await newKey(projectId);
      const revoke = () => daemon.admin.call(apiKeyRoutes.revoke, { params: { id } });
      const body = JSON.stringify(sent);
      expect(await outlived({ path, credential, body }, revoke), path).toEqual({
        status: 401,
        code: 'credential_invalid',
      });
    }
    expect(await sanctionsOf(projectId)).toBe(0);
  });

  it.each([
    ['who has logged out', 401, 'credential_invalid'],
    ['whose account was disabled', 401, 'credential_invalid'],
    ['who was removed from the project', 403, 'no_access_to_project'],
    ['who may only look on by now', 403, 'insufficient_role'],
    ['whose project was deleted', 403, 'no_access_to_project'],
  ])('imposes no sanction for a person %s', async (what, status, code) => {
    if (!here) return;
    const projectId = await newProject();
    const { client, credential, email, permissionId } = await newPerson(projectId, 'moderator');
    const params = { projectId };
    const takeAway: Readonly<Record<string, () => Promise<unknown>>> = {
      'who has logged out': () => client.call(accountRoutes.logout, {}),
      'whose account was disabled': () => askDaemon(daemon.dataDir, setUserDisabled, { email, disabled: true }),
      'who was removed from the project': () =>
        daemon.admin.call(projectUserRoutes.remove, { params, body: { permissionId } }),
      'who may only look on by now': () =>
        daemon.admin.call(projectUserRoutes.changeRole, { params, body: { permissionId, role: 'viewer' } }),
      'whose project was deleted': () => daemon.admin.call(projectRoutes.remove, { params }),
    };
    const begun = { path: sanctionsPath(projectId), credential, body: muteBody };
    expect(await outlived(begun, takeAway[what] ?? Promise.reject)).toEqual({ status, code });
    if (what !== 'whose project was deleted') expect(await sanctionsOf(projectId)).toBe(0);
  });

  it.each(['ban', 'mute', 'note', 'kick'] as const)('does not %s for a moderator who was kicked', async (act) => {
    if (!here) return;
    const projectId = await newProject();
    const [moderator, victim] = ['mod', 'victim'];
    const token = await roomTokenOf(projectId, 'arena', moderator, true);
    const victims = await roomTokenOf(projectId, 'arena', victim);
    for (const own of [token, victims])
      expect((await postOffer(daemon.url, 'whip', 'arena', own, deadOffer('whip'))).status).toBe(201);
    const kick = () =>
      daemon.client.call(roomRoutes.kick, { params: { projectId, roomId: 'arena', externalUserId: moderator } });
    const details = { ban: { duration: 600 }, mute: { duration: 600 }, note: { text: 'rude' } };
    const sent = { externalUserId: victim, ...(act === 'kick' ? {} : details[act]) };
    const begun = {
      path: `/rooms/arena/moderation/${act}`,
      credential: `Authorization: Bearer ${token}`,
      body: JSON.stringify(sent),
    };
    expect(await outlived(begun, kick)).toEqual({ status: 401, code: 'room_token_invalid' });
    expect(await sanctionsOf(projectId)).toBe(0);
  });

  it.each(['whip', 'whep'] as const)(
    'does not bring somebody back into a room who was kicked, by %s',
    async (protocol) => {
      if (!here) return;
      const projectId = await newProject();
      const token = await roomTokenOf(projectId, 'arena', 'eve');
      expect((await postOffer(daemon.url, protocol, 'arena', token, deadOffer(protocol))).status).toBe(201);
      const kick = () =>
        daemon.client.call(roomRoutes.kick, { params: { projectId, roomId: 'arena', externalUserId: 'eve' } });
      const begun = {
        path: `/rooms/arena/${protocol}`,
        credential: `Authorization: Bearer ${token}`,
        type: 'application/sdp',
        body: deadOffer(protocol),
      };
      expect(await outlived(begun, kick)).toEqual({ status: 401, code: 'room_token_invalid' });
      expect((await daemon.client.call(roomRoutes.get, { params: { projectId, roomId: 'arena' } })).peers).toEqual([]);
    },
  );

  // SQLite has one writer, which waits for nobody.
  if (kind === 'PostgreSQL')
    it('imposes no sanction by a key that was revoked while it waited for a lock of the database', async ({ skip }) => {
      skip(!here, 'PostgreSQL is not installed here');
      const projectId = await newProject();
      const { id, credential } = await newKey(projectId);
      const other = new pg.Client({ connectionString: server?.url });
      await other.connect();
      await other.query('BEGIN');
      await other.query('LOCK TABLE "Sanction" IN EXCLUSIVE MODE'); // readers go on
      const begun = { path: sanctionsPath(projectId), credential, body: muteBody };
      const answered = outlived(begun, async () => {});
      await sleep(3 * judgedMs);
      await daemon.admin.call(apiKeyRoutes.revoke, { params: { id } });
      await other.query('ROLLBACK');
      await other.end();
      expect(await answered).toEqual({ status: 401, code: 'credential_invalid' });
      expect(await sanctionsOf(projectId)).toBe(0);
    });

  it.each(['erased', 'moved to another id'])('reports nothing for a person who was %s', async (what) => {
    if (!here) return;
    const projectId = await newProject();
    const params = { projectId };
    const person = { externalUserId: 'p', displayName: 'P' };
    const { id } = await daemon.client.call(participantRoutes.create, { params, body: person });
    const token = await roomTokenOf(projectId, 'arena', 'p');
    const victims = await roomTokenOf(projectId, 'arena', 'other');
    for (const own of [token, victims])
      expect((await postOffer(daemon.url, 'whip', 'arena', own, deadOffer('whip'))).status).toBe(201);
    const takeAway = () =>
      what === 'erased'
        ? daemon.admin.call(participantRoutes.remove, { params: { projectId, id } })
        : daemon.admin.call(personMoveRoutes.move, { params: { projectId, user: id }, body: { externalUserId: 'q' } });
    const begun = {
      path: '/rooms/arena/reports',
      credential: `Authorization: Bearer ${token}`,
      body: JSON.stringify({ externalUserId: 'other', category: 'other' }),
    };
    expect(await outlived(begun, takeAway)).toEqual({ status: 401, code: 'room_token_invalid' });
  });

  it('counts no event for a player who was erased', async () => {
    if (!here) return;
    const projectId = await newProject();
    const params = { projectId, userId: 'p' };
    await daemon.client.call(participantRoutes.create, { params, body: { externalUserId: 'p' } });
    const { token } = await daemon.client.call(playerRoutes.createToken, { params });
    const event = { event_name: 'kill-enemy', event_type: 'single', session_id: 's', meta_data: { amount: 1 } };
    const begun = { path: '/api/v1/events', credential: `Authorization: Bearer ${token}`, body: JSON.stringify(event) };
    const takeAway = () => daemon.admin.call(personRoutes.erase, { params: { projectId, user: 'p' } });
    expect(await outlived(begun, takeAway)).toEqual({ status: 403, code: 'player_token_invalid' });
    const { challenges } = await daemon.client.call(playerRoutes.get, { params });
    expect(challenges).toEqual([]);
  });
});

it.each([
  { kind: 'SQLite', here: true },
  { kind: 'PostgreSQL', here: hasPostgresql },
])('a request that waited for its turn to write is asked again, on $kind', async ({ kind, here }) => {
  if (!here) return;
  const { database, close } = kind === 'SQLite' ? await openSqlite() : await openPostgresql();
  const tenant = (id: string) => ({ id, name: id, createdAt: new Date() });
  let isAllowed = true;
  const confirm = async () => {
    if (!isAllowed) throw new DomainError('credential_invalid');
  };
  const create = (id: string) =>
    database.transaction(async (tx) => {
      await database.takeTurn(tx, 'a lock');
      await tx.tenant.create({ data: tenant(id) });
    });
  const write = (id: string) => writingFor('tenant', () => create(id), confirm);
  await write('before');
  let waiting: Promise<unknown> = Promise.resolve();
  await database.transaction(async (tx) => {
    await database.takeTurn(tx, 'a lock');
    await tx.tenant.create({ data: tenant('first') });
    waiting = write('late').catch((error: unknown) => error);
    await sleep(judgedMs);
    isAllowed = false;
  });
  expect(await waiting).toMatchObject({ code: 'credential_invalid' });
  expect((await database.read.tenant.findMany()).map(({ id }) => id).toSorted()).toEqual(['before', 'first']);
  await close();
});
