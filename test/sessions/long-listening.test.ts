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
import { scale } from '../support/scale.js';
import { clip, joined, recording, speechForTests } from '../support/speech-clips.js';

const patienceMs = 45_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const monthDays = 30;
/** Days from one line to the next. */
const stepDays = scale(10, 1);
const speech = await speechForTests();

describeDaemonsOnEachDatabase('a month', (start) => {
  let recogniser: Server;
  let daemon: TestDaemon;
  let aheadMs = 0;
  beforeAll(async () => {
    recogniser = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(request.method === 'GET' ? '{"data": []}' : '{"text": "go forward"}');
    });
    await once(recogniser.listen(0, '127.0.0.1'), 'listening');
    const { port } = recogniser.address() as AddressInfo;
    daemon = await start({
      now: () => new Date(Date.now() + aheadMs),
      settings: { EARSHOT_TRANSCRIBER: 'openai', EARSHOT_OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` },
    });
  });
  afterAll(async () => {
    await daemon.stop();
    recogniser.close();
  });

  const ofDays = scale(120_000, 600_000);
  it.skipIf(speech === null)(
    'of listening stores what is said on each day, and after steps of the clock',
    { timeout: ofDays },
    async () => {
      if (speech === null) return;
      const { client, projectId } = daemon;
      const params = { projectId };
      await client.call(settingsRoutes.put, { params, body: { tokenProvider: 'embedded' as const } });
      const body = { title: 'month', externalRoomId: 'r', idleTimeout: 0 };
      const { id } = await client.call(sessionRoutes.create, { params, body });
      const path = { params: { projectId, id } };
      const bot = async () => (await client.call(sessionRoutes.get, path)).bot;
      await eventually(async () => expect((await bot()).state).toBe('listening'), patienceMs);
      const sound = recording(joined(0.5, await clip(speech, 'goforward')));
      const lines = async () => {
        const transcript = await client.call(sessionRoutes.messages, {
          ...path,
          query: { order: 'stored', limit: 200 },
        });
        return transcript.filter(({ origin }) => origin === 'speech');
      };
      /** Returns the line that somebody says now. */
      const said = async () => {
        const before = (await lines()).length;
        const ann = new RoomPublisher(await requestAccess(client, projectId, { roomId: 'r', userId: 'ann' }));
        await ann.join();
        await ann.play(speechFrames(sound, 1_500));
        const line = await eventually(async () => {
          const stored = (await lines())[before];
          if (stored === undefined) throw new Error('not stored yet');
          return stored;
        }, patienceMs);
        await ann.leave();
        expect((await bot()).counters).toMatchObject({ failed: 0 });
        return { startMs: line.startMs ?? Number.NaN, endMs: line.endMs ?? Number.NaN };
      };
      const first = await said();
      for (let day = stepDays; day <= monthDays; day += stepDays) {
        aheadMs = day * dayMs;
        const { startMs, endMs } = await said();
        expect(startMs - first.startMs).toBeGreaterThan(day * dayMs);
        expect(startMs - first.startMs).toBeLessThan(day * dayMs + hourMs);
        expect(endMs).toBeGreaterThan(startMs);
      }
      const last = monthDays * dayMs;
      for (const stepMs of [-hourMs, hourMs, hourMs, -hourMs]) {
        aheadMs += stepMs;
        const { startMs, endMs } = await said();
        expect(Math.abs(startMs - first.startMs - aheadMs)).toBeLessThan(hourMs / 2);
        expect(endMs).toBeGreaterThan(startMs);
      }
      expect(aheadMs).toBe(last);
      expect((await bot()).state).toBe('listening');
    },
  );

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
