/** The first words reach the transcript whole, however a session begins: nobody has to wait for its bot. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EarshotClient } from '../../src/client/earshot-client.js';
import { accessOf } from '../../src/client/room/room-access.js';
import { RoomPublisher } from '../../src/client/voice/publisher.js';
import { speechFrames } from '../../src/client/voice/speech-frames.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { markedVoice } from '../support/marked-voices.js';
import { hasPostgresql, startPostgresql } from '../support/postgresql.js';
import { signIn } from '../support/room-client.js';
import { clip, loudPart, recording, speechForTests } from '../support/speech-clips.js';
import { startVoiceRecogniser, type VoiceRecogniser } from '../support/voice-recogniser.js';

const speech = await speechForTests();
const patienceMs = 40_000;
/** The beginning of a word lasts longer. */
const missingMaxMs = 80;

describe.skipIf(speech === null)('the first words', { timeout: 90_000 }, () => {
  if (speech === null) return;
  let daemon: DaemonProcess;
  let recogniser: VoiceRecogniser;
  let client: EarshotClient;
  let projectId: string;
  let sentence: Int16Array;
  /** Length of the sentence where a bot has been listening for long. */
  let wholeMs = Number.NaN;
  const told: string[] = [];
  const signInAgain = async () => {
    ({ client, projectId } = await signIn(daemon.url));
  };
  beforeAll(async () => {
    recogniser = await startVoiceRecogniser();
    daemon = new DaemonProcess(recogniser.settings);
    await daemon.start();
    await signInAgain();
    await client.call(settingsRoutes.put, { params: { projectId }, body: { tokenProvider: 'embedded' } });
    const whole = await clip(speech, 'goforward');
    sentence = whole.subarray(loudPart(whole).startMs * 16); // begins at once
    const { id } = await open('before');
    const isListening = async () =>
      expect((await client.call(sessionRoutes.get, { params: { projectId, id } })).bot.state).toBe('listening');
    await eventually(isListening, patienceMs);
    const speaker = await enter('before');
    await say(speaker, 9);
    wholeMs = await heardMs(id, 9);
    await speaker.leave();
  }, 60_000);
  afterAll(async () => {
    await daemon.dispose();
    recogniser.close();
  });

  const enter = async (roomId: string): Promise<RoomPublisher> => {
    const body = { roomId, userId: `u-${randomUUID()}` };
    const access = accessOf(await client.call(tokenRoutes.generateForProject, { params: { projectId }, body }));
    const publisher = new RoomPublisher(access, { report: (line) => void told.push(line) });
    await publisher.join();
    return publisher;
  };
  const say = (publisher: RoomPublisher, voice: number) =>
    publisher.play(speechFrames(recording(markedVoice(sentence, voice)), 800));
  const heardMs = (id: string, voice: number): Promise<number> =>
    eventually(async () => {
      const messages = await client.call(sessionRoutes.messages, { params: { projectId, id } });
      const [found, ...more] = messages.filter(({ content }) => content === `voice ${voice}`);
      expect(more).toEqual([]);
      expect(found).toBeDefined();
      return (found?.endMs ?? 0) - (found?.startMs ?? 0);
    }, patienceMs);
  const expectWhole = async (id: string, voice: number) =>
    expect(wholeMs - (await heardMs(id, voice))).toBeLessThan(missingMaxMs);
  const open = (externalRoomId: string, idleTimeout = 0) =>
    client.call(sessionRoutes.create, { params: { projectId }, body: { title: 'first', externalRoomId, idleTimeout } });

  it('are heard when a session is created in a room that is full of people', async () => {
    const speaker = await enter('created');
    const { id } = await open('created');
    await say(speaker, 0);
    await expectWhole(id, 0);
    await speaker.leave();
  });

  it('are heard when it is started there again', async () => {
    const { id } = await open('started');
    const speaker = await enter('started');
    const path = { params: { projectId, id } };
    await client.call(sessionRoutes.stop, path);
    await client.call(sessionRoutes.start, path);
    await say(speaker, 1);
    await expectWhole(id, 1);
    await speaker.leave();
  });

  it('are heard when a gathering starts that opens a session', async () => {
    const speaker = await enter('gathered');
    const body = { name: 'Raid', roomId: 'gathered', autoStartSession: true };
    const { id } = await client.call(gatheringRoutes.create, { params: { projectId }, body });
    const started = await client.call(gatheringRoutes.start, { params: { projectId, id }, body: {} });
    await say(speaker, 2);
    await expectWhole(started.sessionId ?? '', 2);
    await speaker.leave();
  });

  it('are heard when people come back to a room whose session had ended because nobody was there', async () => {
    const { id } = await open('idle', 1);
    const state = async () => (await client.call(sessionRoutes.get, { params: { projectId, id } })).status;
    await eventually(async () => expect(await state()).toBe('ended'), patienceMs);
    const speaker = await enter('idle');
    await say(speaker, 3);
    await expectWhole(id, 3);
    await speaker.leave();
  });

  it('are heard after a restart, and after a crash, of whoever comes back', async () => {
    const { id } = await open('restarted');
    const speaker = await enter('restarted');
    for (const [voice, signal] of [
      [4, 'SIGTERM'],
      [5, 'SIGKILL'],
    ] as const) {
      told.length = 0;
      await daemon.end(signal);
      await daemon.start();
      await eventually(() => expect(told).toContain('In the room again.'), patienceMs);
      await say(speaker, voice);
      await signInAgain();
      await expectWhole(id, voice);
    }
    await speaker.leave();
  });

  it.skipIf(!hasPostgresql)('are heard after another daemon has taken the rooms over', async () => {
    const server = await startPostgresql();
    const settings = { ...recogniser.settings, DATABASE_URL: server.url, EARSHOT_MASTER_KEY: 'cd'.repeat(32) };
    const [first, next] = [new DaemonProcess(settings), new DaemonProcess(settings)];
    try {
      await first.start();
      await next.start();
      ({ client, projectId } = await signIn(next.url));
      await client.call(settingsRoutes.put, { params: { projectId }, body: { tokenProvider: 'embedded' } });
      const { id } = await open('taken');
      await (await enter('taken')).leave();
      await first.end('SIGKILL');
      const speaker = await eventually(() => enter('taken'), patienceMs);
      await say(speaker, 6);
      await expectWhole(id, 6);
      await speaker.leave();
    } finally {
      for (const one of [first, next]) await one.dispose();
      await server.stop();
    }
  });
});
