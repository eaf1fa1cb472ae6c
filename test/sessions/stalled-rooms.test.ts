/**
 * A room in which something stands still for seconds in the middle of a sentence: the daemon, its room process, or the client.
 * All that was said is written down, each sentence as one, and nothing is missed.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { accessOf } from '../../src/client/room/room-access.js';
import { RoomPublisher } from '../../src/client/voice/publisher.js';
import { speechFrames } from '../../src/client/voice/speech-frames.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { markedVoice } from '../support/marked-voices.js';
import { signIn } from '../support/room-client.js';
import { roomProcess } from '../support/room-process.js';
import { clip, joined, loudPart, recording, speechForTests } from '../support/speech-clips.js';
import { startVoiceRecogniser, type VoiceRecogniser } from '../support/voice-recogniser.js';

const speech = await speechForTests();
const patienceMs = 40_000;
const lengthWithinMs = 400;
const voices = [0, 1, 2];
const pauseSeconds = 1;

describe.skipIf(speech === null)('a sentence in a room', { timeout: 120_000 }, () => {
  if (speech === null) return;
  let daemon: DaemonProcess;
  let recogniser: VoiceRecogniser;
  let client: EarshotClient;
  let projectId: string;
  beforeAll(async () => {
    recogniser = await startVoiceRecogniser();
    daemon = new DaemonProcess(recogniser.settings);
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
