/** Every cause that a bot may name, each by a scene in which it is true. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../daemon/platform/database/database.js';
import { requestAccess } from '../../../src/client/room/request-access.js';
import { RoomPublisher } from '../../../src/client/voice/publisher.js';
import { speechFrames } from '../../../src/client/voice/speech-frames.js';
import { projectRoutes } from '../../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../../src/contract/projects/settings.js';
import type { Bot, botCauses } from '../../../src/contract/sessions/bots.js';
import { sessionRoutes } from '../../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { onPostgresql } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { answering, roomToken } from '../../support/room-client.js';
import { Speaker } from '../../support/room-peers.js';
import { roomProcess } from '../../support/room-process.js';
import { clip, joined, recording, speechForTests } from '../../support/speech-clips.js';
import { tone } from '../../support/tone.js';
import { writeBeside } from '../../support/write-beside.js';

type Cause = (typeof botCauses)[number];

const speech = await speechForTests();
const patienceMs = 45_000;
const peers: { close(): void }[] = [];
let recogniser: Server;
let daemon: TestDaemon;
let mediaPort: number;
beforeAll(async () => {
  // A recogniser that is there and fails: nothing else of it is wanted here.
  recogniser = createServer((request, response) => {
    request.resume();
    response.writeHead(request.method === 'GET' ? 200 : 422, { 'content-type': 'application/json' });
    response.end('{"data": []}');
  });
  await once(recogniser.listen(0, '127.0.0.1'), 'listening');
  const { port } = recogniser.address() as AddressInfo;
  const free = createSocket('udp4').bind(0, '127.0.0.1');
  await once(free, 'listening');
  mediaPort = free.address().port;
  await new Promise<void>((resolve) => free.close(resolve));
  daemon = await startDaemon({
    settings: {
      EARSHOT_TRANSCRIBER: 'openai',
      EARSHOT_OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      EARSHOT_MEDIA_PORT: String(mediaPort),
    },
  });
});
afterAll(async () => {
  for (const peer of peers) peer.close();
  await daemon.stop();
  recogniser.close();
});

/** A session whose bot listens, or is in another state, in a project of its own. */
async function scene(idleTimeout = 0, of: TestDaemon = daemon, state: Bot['state'] = 'listening') {
  const { client, admin, url } = of;
  const { id: projectId } = await admin.call(projectRoutes.create, { body: { name: `scene ${Math.random()}` } });
  const params = { projectId };
  const embedded = { tokenProvider: 'embedded' as const };
  await client.call(settingsRoutes.put, { params, body: embedded });
  const body = { title: 'scene', externalRoomId: 'r', idleTimeout };
  const { id } = await client.call(sessionRoutes.create, { params, body });
  const path = { params: { projectId, id } };
  const bot = async () => (await client.call(sessionRoutes.get, path)).bot;
  const told = (cause: Cause, state: string) =>
    eventually(async () => expect(await bot()).toMatchObject({ cause, state }), patienceMs);
  await eventually(async () => expect((await bot()).state).toBe(state), patienceMs);
  const enter = async (person: string): Promise<Speaker> => {
    const speaker = new Speaker(person);
    peers.push(speaker);
    await speaker.join(answering(url, 'whip', 'r', await roomToken(client, projectId, 'r', person)));
    return speaker;
  };
  const access = (userId: string) => requestAccess(client, projectId, { roomId: 'r', userId });
  return { client, params, path, projectId, bot, told, enter, access };
}

/** Takes the port of the rooms as soon as their process has let go of it. */
async function takeMediaPort(): Promise<Socket> {
  for (;;) {
    process.kill(roomProcess(), 'SIGKILL');
    for (let tries = 0; tries < 100; tries += 1) {
      const socket = createSocket('udp4');
      const bound = await new Promise((resolve) => {
        socket.once('error', () => resolve(false));
        socket.bind(mediaPort, '127.0.0.1', () => resolve(true));
      });
      if (bound) return socket;
      await sleep(2);
    }
    await eventually(() => roomProcess());
  }
}

const scenes: Readonly<Record<Cause, () => Promise<void>>> = {
  async room_empty() {
    await (await scene()).told('room_empty', 'listening');
  },
  async no_speech() {
    const { told, enter } = await scene();
    await enter('ann');
    await told('no_speech', 'listening');
  },
  async idle_timeout() {
    const { client, path, told, bot, enter } = await scene(1);
    await told('idle_timeout', 'stopped');
    expect((await bot()).cause).toBe('idle_timeout');
    // It comes back with its people.
    await enter('ann');
    await eventually(
      async () =>
        expect(await client.call(sessionRoutes.get, path)).toMatchObject({
          status: 'active',
          bot: { state: 'listening' },
        }),
      patienceMs,
    );
  },
  async stopped_by_user() {
    const { client, path, told } = await scene();
    await client.call(sessionRoutes.stop, path);
    await told('stopped_by_user', 'stopped');
    const past = await client.call(sessionRoutes.botPast, { ...path, query: {} });
    const causes = past.map(({ cause }) => cause);
    expect(causes[0]).toBe('stopped_by_user');
    expect(past.map(({ state }) => state)).toContain('listening');
    expect(past.map(({ since }) => since)).toEqual(
      past
        .map(({ since }) => since)
        .sort()
        .reverse(),
    );
    const [newest] = await client.call(sessionRoutes.botPast, { ...path, query: { limit: 1 } });
    expect(newest).toEqual(past[0]);
  },
  async room_restarted() {
    const { told, enter } = await scene();
    await enter('ann');
    await told('no_speech', 'listening');
    process.kill(roomProcess(), 'SIGKILL');
    await told('room_restarted', 'listening');
    await eventually(() => enter('ben'));
    await told('no_speech', 'listening');
  },
  async room_unreachable() {
    const { told } = await scene();
    const taken = await takeMediaPort();
    await told('room_unreachable', 'listening');
    await new Promise<void>((resolve) => taken.close(resolve));
    await told('room_empty', 'listening');
  },
  async no_voice_daemon() {
    const without = await startDaemon({ settings: { EARSHOT_ROLES: 'http,delivery,jobs,broker' } });
    await (await scene(0, without, 'idle')).told('no_voice_daemon', 'joining');
    await without.stop();
  },
  async recogniser_unavailable() {
    const without = await startDaemon();
    await (await scene(0, without)).told('recogniser_unavailable', 'listening');
    await without.stop();
  },
  async recogniser_failing() {
    if (speech === null) return;
    const { told, access } = await scene();
    const sound = recording(joined(0.5, await clip(speech, 'goforward')));
    const speakers = await Promise.all(['ann', 'ben', 'eve'].map(async (one) => new RoomPublisher(await access(one))));
    for (const speaker of speakers) peers.push({ close: () => void speaker.leave() });
    await Promise.all(speakers.map((speaker) => speaker.join()));
    await Promise.all(speakers.map((speaker) => speaker.play(speechFrames(sound, 1_500))));
    await told('recogniser_failing', 'listening');
    const metrics = await (await fetch(`${daemon.url}/metrics`)).text();
    expect(metrics).toMatch(/^earshot_recognition_delay_seconds_count\{.*outcome="failed".*\} [1-9]/m);
  },
  async recogniser_too_slow() {
    if (speech === null) return;
    const hanging = createServer((request, response) => {
      request.resume();
      if (request.method === 'GET') response.end('{"data": []}');
    });
    await once(hanging.listen(0, '127.0.0.1'), 'listening');
    const { port } = hanging.address() as AddressInfo;
    const slow = await startDaemon({
      settings: {
        ...{ EARSHOT_TRANSCRIBER: 'openai', EARSHOT_OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
        ...{ EARSHOT_RECOGNITION_SECONDS: '1', EARSHOT_RECOGNITION_FACTOR: '0' },
      },
    });
    const { told, access } = await scene(0, slow);
    const speaker = new RoomPublisher(await access('ann'));
    await speaker.join();
    await speaker.play(speechFrames(recording(joined(0.5, await clip(speech, 'goforward'))), 1_500));
    await told('recogniser_too_slow', 'listening');
    await speaker.leave();
    await slow.stop();
    hanging.close();
    hanging.closeAllConnections();
  },
  async lines_not_stored() {
    if (speech === null) return;
    const { told, access, bot, path } = await scene();
    const { databaseUrl } = daemon;
    const refusal = `refuse_${path.params.projectId.replaceAll('-', '')}`;
    // No call does this: a disk that is full for one table, or a value that it does not hold.
    const refused = (row: string) => `${row}"projectId" = '${path.params.projectId}' AND ${row}"type" = 'user'`;
    await writeBeside(
      databaseUrl,
      onPostgresql
        ? `ALTER TABLE "Message" ADD CONSTRAINT ${refusal} CHECK (NOT (${refused('')}))`
        : `CREATE TRIGGER ${refusal} BEFORE INSERT ON "Message" WHEN ${refused('NEW.')} BEGIN SELECT RAISE(ABORT, 'refused'); END`,
    );
    const sound = recording(joined(0.5, await clip(speech, 'goforward')));
    const says = async (name: string) => {
      const speaker = new RoomPublisher(await access(name));
      peers.push({ close: () => void speaker.leave() });
      await speaker.join();
      await speaker.play(speechFrames(sound, 1_500));
    };
    await says('ann');
    await told('lines_not_stored', 'listening');
    expect((await bot()).counters).toMatchObject({ utterances: 0, failed: 1 });
    const ready = async () => (await fetch(`${daemon.url}/health/ready`)).json();
    const problem = "what is said in one session could not be stored; the daemon's log says why";
    expect(await ready()).toMatchObject({ warnings: [{ part: 'transcripts', problem }] });
    await writeBeside(
      databaseUrl,
      onPostgresql ? `ALTER TABLE "Message" DROP CONSTRAINT ${refusal}` : `DROP TRIGGER ${refusal}`,
    );
    await says('ben');
    await eventually(async () => expect((await bot()).cause).not.toBe('lines_not_stored'), patienceMs);
    expect(await ready()).not.toMatchObject({ warnings: [{ part: 'transcripts' }] });
  },
  async e2ee_password_missing() {
    const { client, params, told, projectId } = await scene();
    const body = { mode: 'manual' as const, password: 'open sesame' };
    await client.call(settingsRoutes.e2eEncryption, { params, body });
    // No call does this: a row that was edited by hand, or moved without its password.
    const database = await Database.connect(daemon.databaseUrl);
    const row = { where: { projectId }, data: { e2eEncryptionPassword: null } };
    await database.transaction((tx) => tx.projectSettings.update(row));
    await database.close();
    await told('e2ee_password_missing', 'failed');
  },
  async e2ee_password_wrong() {
    const { client, params, told, access } = await scene();
    const body = { mode: 'manual' as const, password: 'open sesame' };
    await client.call(settingsRoutes.e2eEncryption, { params, body });
    const ann = new RoomPublisher({ ...(await access('ann')), encryption: { password: 'open barley', keyIndex: 0 } });
    peers.push({ close: () => void ann.leave() });
    await ann.join();
    await ann.play(speechFrames(tone(2), 0));
    await told('e2ee_password_wrong', 'listening');
  },
  async provider_unsupported() {
    const { client, params, path, told } = await scene();
    const tokenProviderSettings = { url: 'https://rooms.example/token' };
    await client.call(settingsRoutes.put, { params, body: { tokenProvider: 'url', tokenProviderSettings } });
    await told('provider_unsupported', 'failed');
    await client.call(settingsRoutes.put, { params, body: { tokenProvider: 'embedded' } });
    await told('room_empty', 'listening');
    await client.call(sessionRoutes.stop, path);
    await told('stopped_by_user', 'stopped');
  },
  async settings_removed() {
    const { client, params, path, told } = await scene();
    await client.call(settingsRoutes.remove, { params });
    await told('settings_removed', 'failed');
    await client.call(sessionRoutes.stop, path);
    await told('settings_removed', 'stopped');
  },
};

/** These end the process of all rooms. */
const disturbing: readonly string[] = ['room_restarted', 'room_unreachable'] satisfies readonly Cause[];
const isDisturbing = ([cause]: readonly [string, unknown]) => disturbing.includes(cause);
const all = Object.entries(scenes);

describe('the cause that a bot names', { timeout: 120_000 }, () => {
  it.concurrent.each(all.filter((one) => !isDisturbing(one)))('%s', (_, play) => play());
  it.each(all.filter(isDisturbing))('%s', (_, play) => play());
});
