/** A bot that has listened for longer than 32 bits of milliseconds last. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requestAccess } from '../../src/client/room/request-access.js';
import { RoomPublisher } from '../../src/client/voice/publisher.js';
import { speechFrames } from '../../src/client/voice/speech-frames.js';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';
import { clip, joined, recording, speechForTests } from '../support/speech-clips.js';

const patienceMs = 45_000;
const monthMs = 30 * 86_400_000;
const speech = await speechForTests();

describeDaemonsOnEachDatabase('a month', (start) => {
  let recogniser: Server;
  let daemon: TestDaemon;
  let ahead = 0;
  beforeAll(async () => {
    recogniser = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(request.method === 'GET' ? '{"data": []}' : '{"text": "go forward"}');
    });
    await once(recogniser.listen(0, '127.0.0.1'), 'listening');
    const { port } = recogniser.address() as AddressInfo;
    daemon = await start({
      now: () => new Date(Date.now() - monthMs + ahead),
      settings: { EARSHOT_TRANSCRIBER: 'openai', EARSHOT_OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
    });
  });
  afterAll(async () => {
    await daemon.stop();
    recogniser.close();
  });

  it.skipIf(speech === null)('of listening later, what is said is still stored', { timeout: 120_000 }, async () => {
    if (speech === null) return;
    const { client, projectId } = daemon;
    const params = { projectId };
    await client.call(settingsRoutes.put, { params, body: { tokenProvider: 'embedded' as const } });
    const body = { title: 'month', externalRoomId: 'r', idleTimeout: 0 };
    const { id } = await client.call(sessionRoutes.create, { params, body });
    const path = { params: { projectId, id } };
    const bot = async () => (await client.call(sessionRoutes.get, path)).bot;
    await eventually(async () => expect((await bot()).state).toBe('listening'), patienceMs);
    ahead = monthMs;
    await eventually(async () => expect((await bot()).state).toBe('listening'), patienceMs);
    const ann = new RoomPublisher(await requestAccess(client, projectId, { roomId: 'r', userId: 'ann' }));
    await ann.join();
    await ann.play(speechFrames(recording(joined(0.5, await clip(speech, 'goforward'))), 1_500));
    const line = await eventually(async () => {
      const transcript = await client.call(sessionRoutes.messages, { ...path, query: {} });
      const found = transcript.find(({ origin }) => origin === 'speech');
      if (found === undefined) throw new Error('not stored yet');
      return found;
    }, patienceMs);
    await ann.leave();
    expect(line.startMs).toBeGreaterThan(monthMs - 60_000);
    expect(line.endMs).toBeGreaterThan(line.startMs ?? Infinity);
    expect((await bot()).counters).toMatchObject({ failed: 0 });
  });

  it('a sanction lasts for a lifetime, alone and in a batch', async () => {
    const { client, projectId } = daemon;
    const params = { projectId };
    const endAt = '2200-01-01T00:00:00.000Z';
    const one = { type: 'mute' as const, externalUserId: 'eve', endAt };
    const sanction = await client.call(sanctionRoutes.create, { params, body: one });
    expect(sanction).toMatchObject({ endAt, isActive: true });
    expect(sanction.duration).toBeGreaterThan(2 ** 31);
    const stored = await client.call(sanctionRoutes.get, { params: { projectId, id: sanction.id } });
    expect(stored.duration).toBe(sanction.duration);
    const items = [
      { ...one, externalUserId: 'mal' },
      { type: 'warn' as const, externalUserId: 'bea' },
    ];
    const { lines } = await client.call(sanctionBatchRoutes.apply, { params, body: { items } });
    expect(lines.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
  });
});
