/** A tenant that is disabled: whatever its people, games and services hold open closes, on every daemon. */
import mqtt from 'mqtt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { ErrorBody } from '../../src/contract/errors.js';
import { gameplayRoutes } from '../../src/contract/gameplay/gameplay.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { ingestRoutes } from '../../src/contract/ingest/ingest.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { statementRoutes } from '../../src/contract/moderation/statements.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { scopeNames } from '../../src/contract/scopes.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { sign } from '../../src/signing/signing.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { inSqlite } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { earshotd } from '../support/program.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { Listener, Speaker } from '../support/room-peers.js';
import { openStream } from '../support/stream.js';
import { withoutVoice } from '../support/two-daemons.js';

const password = 'a password of length';
const admin = { email: 'two@example.com', password };
const tenant = 'Studio Two';
/** More than enough to see that nothing comes. */
const quietMs = 3_000;
const masterKey = 'ab'.repeat(32);

/** Status and code. */
const refusalOf = async (response: Response): Promise<string> =>
  `${response.status} ${ErrorBody.parse(await response.json()).code}`;

/** One daemon on SQLite; two that share a PostgreSQL, of which one is told and the other holds the clients. */
const installations = [
  { name: 'one daemon', here: true, shared: false },
  { name: 'another daemon on the same database', here: hasPostgresql, shared: true },
];

describe.each(installations)('earshotd tenants disable, on $name', ({ here, shared }) => {
  let server: PostgresqlServer | null = null;
  let told: DaemonProcess;
  let daemon: DaemonProcess;
  let mqttUrl: string;
  let receiver: Receiver;

  beforeEach(async () => {
    if (!here) return;
    receiver = await startReceiver();
    server = shared ? await startPostgresql() : null;
    const settings = {
      EARSHOT_OUTBOUND_ALLOW: '127.0.0.1/32',
      EARSHOT_MASTER_KEY: masterKey,
      ...(server === null ? inSqlite : { DATABASE_URL: server.url }),
    };
    told = new DaemonProcess({ ...settings, ...(shared ? withoutVoice : {}) });
    let addresses = await told.start();
    daemon = told;
    if (shared) {
      daemon = new DaemonProcess(settings);
      addresses = await daemon.start();
    }
    mqttUrl = addresses.mqtt;
  }, 120_000);
  afterEach(async () => {
    if (!here) return;
    await daemon.dispose();
    if (shared) await told.dispose();
    await server?.stop();
    await receiver.stop();
  });

  const operate = async (args: string[], input = '') => {
    const env = { EARSHOT_MASTER_KEY: masterKey, ...(server === null ? inSqlite : { DATABASE_URL: server.url }) };
    const ended = await earshotd(told.dataDir, args, { input, env });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
  };
  const login = async () => {
    const anonymous = new EarshotClient({ baseUrl: daemon.url });
    const { accessToken } = await anonymous.call(accountRoutes.loginCredentials, { body: admin });
    return {
      token: accessToken,
      client: new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: accessToken } }),
    };
  };
  const enterRoom = (kind: 'whip' | 'whep', token: string) => async (offer: string) => {
    const response = await fetch(`${daemon.url}/rooms/arena/${kind}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/sdp' },
      body: offer,
    });
    if (response.status !== 201) throw new Error(await refusalOf(response));
    return response.text();
  };
  const connectMqtt = async (options: { username?: string; password?: string }) => {
    const client = await mqtt.connectAsync(mqttUrl, { ...options, reconnectPeriod: 0 });
    return { client, closed: new Promise<void>((resolve) => client.once('close', () => resolve())) };
  };

  it.skipIf(!here)(
    'closes everything that is open, refuses all that comes, and loses nothing',
    async () => {
      await operate(['tenants', 'create', tenant, '--admin-email', admin.email], password);
      const { token: userToken, client: owner } = await login();
      const [project] = await owner.call(projectRoutes.list, {});
      if (project === undefined) throw new Error('The tenant has no project.');
      const params = { projectId: project.id };
      const { key } = await owner.call(apiKeyRoutes.create, { body: { name: 'game', scopes: [...scopeNames] } });
      const game = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
      await owner.call(settingsRoutes.syncSecret, { params });
      const secret = (await owner.call(settingsRoutes.secret, { params })).secret;
      await game.call(webhookRoutes.create, {
        params,
        body: {
          url: receiver.url,
          secret: 'a secret of some length',
          events: ['participant.created', 'sanction.updated'],
        },
      });
      const { token: playerToken } = await game.call(gameplayRoutes.generateAccessToken, {
        body: { user_id: 'ann' },
      });
      const player = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: playerToken } });
      const { topic } = await player.call(gameplayRoutes.challengesTopic, {});
      await game.call(sessionRoutes.create, { params, body: { title: 'S', externalRoomId: 'arena' } });
      const roomToken = async (userId: string) =>
        (await game.call(tokenRoutes.generateForProject, { params, body: { roomId: 'arena', userId } })).token;
      const ingest = async () => {
        const timestamp = new Date().toISOString();
        const body = JSON.stringify({
          type: 'server.started',
          resourceId: 'server:1',
          source: 'fleet:server',
          timestamp,
          data: {},
        });
        const headers = {
          'Content-Type': 'application/json',
          'X-Timestamp': timestamp,
          'X-Project-Id': project.billingProjectId,
          'X-Signature': sign(secret, timestamp, body),
        };
        const response = await fetch(`${daemon.url}${ingestRoutes.ingest.path}`, { method: 'POST', headers, body });
        return response.status === 201 ? 'stored' : refusalOf(response);
      };

      // Everything is open at once.
      const streams = await Promise.all([
        openStream(`${daemon.url}/api/projects/${project.id}/events/stream`, { 'X-API-Key': key }),
        openStream(`${daemon.url}/api/events/stream`, { Authorization: `Bearer ${userToken}` }),
      ]);
      const tokens = { ann: await roomToken('ann'), ben: await roomToken('ben') };
      const roomStream = await openStream(`${daemon.url}/rooms/arena/events`, {
        Authorization: `Bearer ${tokens.ann}`,
      });
      const [ann, ben] = [new Speaker('ann'), new Listener('ben', 2)];
      await ann.join(enterRoom('whip', tokens.ann));
      await ben.join(enterRoom('whep', tokens.ben));
      const stopTalking = ann.talkOn();
      const operator = await connectMqtt({ username: project.id, password: key });
      const playing = await connectMqtt({ username: 'ann', password: playerToken });
      const listening = await connectMqtt({});
      await listening.client.subscribeAsync(topic);
      await eventually(async () => {
        const [room] = await game.call(roomRoutes.list, { params });
        expect(room?.peers.map(({ bot, externalUserId }) => bot || externalUserId).sort()).toEqual(
          ['ann', 'ben', true].sort(),
        );
        expect(ben.heard.length).toBeGreaterThan(0);
      });
      expect(await ingest()).toBe('stored');
      // A sanction that ends is due while nothing may happen.
      const { id: sanctionId } = await game.call(sanctionRoutes.create, {
        params,
        body: { type: 'mute', externalUserId: 'cem', duration: 3 },
      });
      const { url: page } = await game.call(statementRoutes.get, { params: { ...params, id: sanctionId } });
      const code = page?.split('/').at(-1) ?? '';
      const anonymous = new EarshotClient({ baseUrl: daemon.url });
      await receiver.waitFor(2);

      await operate(['tenants', 'disable', tenant]);
      const since = performance.now();
      await Promise.all([...streams, roomStream].map(({ ended }) => ended));
      await Promise.all([operator, playing, listening].map(({ closed }) => closed));
      await ben.settled();
      console.info(
        `everything open was closed after ${(performance.now() - since).toFixed(0)} ms, with the silence that shows it`,
      );
      const heard = ben.heard.length;
      const [came, spoken] = [receiver.received.length, ann.spoken];

      const credentials = { status: 401, code: 'credential_invalid' };
      // Another daemon may remember who somebody is, and whose a project is, for longer than it keeps their streams open.
      const soon = (call: () => Promise<unknown>, refusal: object) =>
        eventually(() => expect(call()).rejects.toMatchObject(refusal), 5_000);
      await soon(() => game.call(projectRoutes.list, {}), credentials);
      await expect(owner.call(accountRoutes.me, {})).rejects.toMatchObject(credentials);
      await expect(login()).rejects.toMatchObject({ code: 'login_failed' });
      await soon(() => player.call(gameplayRoutes.challengesTopic, {}), { code: 'player_token_invalid' });
      expect(await ingest()).toBe('401 signature_invalid');
      for (const kind of ['whip', 'whep'] as const)
        await expect(new Speaker('ann').join(enterRoom(kind, tokens.ann))).rejects.toThrow('401 room_token_invalid');
      const refused = await fetch(`${daemon.url}/rooms/arena/events`, {
        headers: { Authorization: `Bearer ${tokens.ann}` },
      });
      expect(await refusalOf(refused)).toBe('401 room_token_invalid');
      const gone = { code: 'standing_code_invalid' };
      await soon(() => anonymous.call(statementRoutes.read, { params: { code } }), gone);
      const appeal = { params: { code }, body: { statement: 'It was not me.' } };
      await expect(anonymous.call(statementRoutes.appeal, appeal)).rejects.toMatchObject(gone);
      await expect(connectMqtt({ username: project.id, password: key })).rejects.toThrow();
      await expect(connectMqtt({ username: 'ann', password: playerToken })).rejects.toThrow();
      const stranger = await connectMqtt({});
      await expect(stranger.client.subscribeAsync(topic)).rejects.toThrow();
      await stranger.client.endAsync(true);
      await new Promise((resolve) => setTimeout(resolve, quietMs));
      expect(ann.spoken).toBeGreaterThan(spoken);
      expect(ben.heard.length).toBe(heard);
      expect(receiver.received.length).toBe(came);
      await stopTalking();
      ann.close();
      ben.close();

      await operate(['tenants', 'enable', tenant]);
      // The bot is back by itself, the sanction's end is told now, and what comes is delivered.
      await eventually(async () => {
        const [room] = await game.call(roomRoutes.list, { params });
        expect(room?.peers).toMatchObject([{ bot: true }]);
      });
      await eventually(() =>
        expect(receiver.received.map(({ body }) => JSON.parse(body))).toContainEqual(
          expect.objectContaining({ type: 'sanction.updated', resourceId: `sanction:${sanctionId}` }),
        ),
      );
      const again = new Speaker('ann');
      await again.join(enterRoom('whip', tokens.ann));
      again.close();
      await (await connectMqtt({ username: 'ann', password: playerToken })).client.endAsync(true);
      expect(await ingest()).toBe('stored');
      await login();
    },
    120_000,
  );
});
