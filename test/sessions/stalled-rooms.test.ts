/**
 * A room in which something stands still for seconds in the middle of a sentence: the daemon, its room process, or the client.
 * All that was said is written down, each sentence as one, and nothing is missed.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiClient } from '../../src/client/api-client.js';
import { accessOf } from '../../src/client/room/room-access.js';
import { RoomPublisher } from '../../src/client/voice/publisher.js';
import { speechFrames } from '../../src/client/voice/speech-frames.js';
import { readWav } from '../../src/client/voice/wav-file.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { markedVoice, voiceIn } from '../support/marked-voices.js';
import { signIn } from '../support/room-client.js';
import { roomProcess } from '../support/room-process.js';
import { clip, joined, loudPart, recording, speechForTests } from '../support/speech-clips.js';

const speech = await speechForTests();
const patienceMs = 40_000;
const lengthWithinMs = 400;
const voices = [0, 1, 2];
const pauseSeconds = 1;

describe.skipIf(speech === null)('a sentence in a room', { timeout: 120_000 }, () => {
  if (speech === null) return;
  let daemon: DaemonProcess;
  let recogniser: Server;
  let client: ApiClient;
  let projectId: string;
  beforeAll(async () => {
    // Says whose voice it hears.
    recogniser = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      response.setHeader('content-type', 'application/json');
      if (request.method !== 'POST') return void response.end(JSON.stringify({ data: [] }));
      const { length, at } = readWav(body.subarray(body.indexOf('RIFF')));
      const pcm = Int16Array.from({ length }, (_, index) => Math.round(at(index) * 32_767));
      response.end(JSON.stringify({ text: `voice ${voiceIn(pcm)}` }));
    });
    await once(recogniser.listen(0, '127.0.0.1'), 'listening');
    const { port } = recogniser.address() as AddressInfo;
    daemon = new DaemonProcess({
      EARSHOT_TRANSCRIBER: 'openai',
      EARSHOT_OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    });
    await daemon.start();
    ({ client, projectId } = await signIn(daemon.url));
    await client.call(settingsRoutes.put, { params: { projectId }, body: { tokenProvider: 'embedded' } });
  });
  afterAll(async () => {
    await daemon.end('SIGTERM');
    await daemon.dispose();
    recogniser.close();
  });

  const stopped = (pid: number, ms: number): void => {
    process.kill(pid, 'SIGSTOP');
    setTimeout(() => process.kill(pid, 'SIGCONT'), ms);
  };
  const standStill = {
    'the daemon': (ms: number) => stopped(daemon.pid ?? Number.NaN, ms),
    'the room process': (ms: number) => stopped(roomProcess(daemon.pid), ms),
    'the client': (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  };

  it.each([
    ['the daemon', 1_500],
    ['the daemon', 6_000],
    ['the room process', 1_500],
    ['the room process', 3_500],
    ['the client', 1_500],
    ['the client', 6_000],
  ] as const)('is written down as one while %s stands still for %d ms in it', async (who, ms) => {
    const params = { projectId };
    const roomId = randomUUID();
    const { id } = await client.call(sessionRoutes.create, { params, body: { title: who, externalRoomId: roomId } });
    const path = { params: { projectId, id } };
    const spoken = await clip(speech, 'cards/001');
    const sentences = voices.map((voice) => markedVoice(spoken, voice));
    const loud = loudPart(spoken);
    const token = await client.call(tokenRoutes.generateForProject, { params, body: { roomId, userId: 'u' } });
    const publisher = new RoomPublisher(accessOf(token));
    await publisher.join();
    const stallAtMs = spoken.length / 16 + pauseSeconds * 1_000 + (loud.startMs + loud.endMs) / 2;
    let isStalled = false;
    const frames = speechFrames(recording(joined(...sentences.flatMap((pcm) => [pcm, pauseSeconds]))), 500);
    await publisher.play(frames, {
      onProgress: (spokenMs) => {
        if (isStalled || spokenMs < stallAtMs) return;
        isStalled = true;
        standStill[who](ms);
      },
    });
    await publisher.leave();
    const messages = await eventually(async () => {
      const all = await client.call(sessionRoutes.messages, path);
      const found = all.filter(({ origin }) => origin === 'speech');
      expect(found).toHaveLength(voices.length);
      return found;
    }, patienceMs);
    expect(messages.map(({ content }) => content)).toEqual(voices.map((voice) => `voice ${voice}`));
    let endedMs = 0;
    for (const { startMs, endMs } of messages) {
      expect(startMs).toBeGreaterThanOrEqual(endedMs);
      endedMs = endMs ?? 0;
      expect(Math.abs(endedMs - (startMs ?? 0) - (loud.endMs - loud.startMs))).toBeLessThan(lengthWithinMs);
    }
    await eventually(async () => {
      const { bot } = await client.call(sessionRoutes.get, path);
      expect(bot.counters).toMatchObject({ missed: 0, packets: publisher.packets });
    }, patienceMs);
  });
});
