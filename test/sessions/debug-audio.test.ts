import { mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestAccess } from '../../src/client/room/request-access.js';
import { RoomPublisher } from '../../src/client/voice/publisher.js';
import { speechFrames } from '../../src/client/voice/speech-frames.js';
import { readWav } from '../../src/client/voice/wav-file.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { clip, joined, lendSpeech, recording, speechForTests } from '../support/speech-clips.js';

const speech = await speechForTests();
const patienceMs = 40_000;
const dayMs = 24 * 3_600_000;

describe.skipIf(speech === null)('debug audio', { timeout: 90_000 }, () => {
  let aheadMs = 0;
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startDaemon({
      now: () => new Date(Date.now() + aheadMs),
      settings: { EARSHOT_TRANSCRIBER: 'pocketsphinx' },
      prepare: (dataDir) => lendSpeech(speech, dataDir),
    });
  });
  afterAll(() => daemon.stop());

  const params = () => ({ projectId: daemon.projectId });
  const files = () => readdirSync(join(daemon.dataDir, 'audio'));
  const turn = (enabled: boolean) =>
    daemon.client.call(settingsRoutes.debugAudio, { params: params(), body: { enabled } });

  it('is kept where the project asks for it, until it is turned off or a day old', async () => {
    if (speech === null) return;
    const body = { title: 'Demo', externalRoomId: 'demo' };
    const { id } = await daemon.client.call(sessionRoutes.create, { params: params(), body });
    const path = { ...params(), id };
    await eventually(async () => {
      expect((await daemon.client.call(sessionRoutes.get, { params: path })).bot.state).toBe('listening');
    }, patienceMs);
    const spoken = async () =>
      (await daemon.client.call(sessionRoutes.messages, { params: path })).filter(({ origin }) => origin === 'speech');
    const ann = new RoomPublisher(
      await requestAccess(daemon.client, daemon.projectId, { roomId: 'demo', userId: 'ann' }),
    );
    await ann.join();
    const sentence = recording(joined(0.5, await clip(speech, 'goforward')));
    await ann.play(speechFrames(sentence, 1_500));
    await eventually(async () => expect(await spoken()).not.toEqual([]), patienceMs);
    expect((await spoken()).map(({ hasDebugAudio }) => hasDebugAudio)).not.toContain(true);
    expect(files()).toEqual([]);

    await turn(true);
    await ann.play(speechFrames(sentence, 1_500));
    const kept = await eventually(async () => {
      const found = (await spoken()).find(({ hasDebugAudio }) => hasDebugAudio);
      if (found === undefined) throw new Error('No message has debug audio.');
      return found;
    }, patienceMs);
    await ann.leave();
    const audio = async () => {
      const where = { params: { ...path, messageId: kept.id } };
      const answer = await daemon.client.fetch(sessionRoutes.debugAudio, where);
      const day = kept.timestamp.slice(0, 10);
      expect(answer.headers.get('content-disposition')).toBe(`attachment; filename=demo-${day}.wav`);
      return readWav(new Uint8Array(await answer.arrayBuffer()));
    };
    const heard = await audio();
    expect(heard.length / heard.rate).toBeGreaterThan(0.5);

    await turn(false);
    await expect(audio()).rejects.toMatchObject({ code: 'debug_audio_not_found' });
    const person = await daemon.client.call(personRoutes.get, { params: { ...params(), user: 'ann' } });
    expect(person.lastWords?.map(({ hasDebugAudio }) => hasDebugAudio)).not.toContain(true);
    expect((await spoken()).map(({ hasDebugAudio }) => hasDebugAudio)).not.toContain(true);
    await turn(true);
    await audio();
    const [folder, elsewhere] = [join(daemon.dataDir, 'audio'), join(daemon.dataDir, 'elsewhere')];
    renameSync(folder, elsewhere);
    await expect(audio()).rejects.toMatchObject({ code: 'debug_audio_not_found' });
    renameSync(elsewhere, folder);
    aheadMs = dayMs;
    await expect(audio()).rejects.toMatchObject({ code: 'debug_audio_not_found' });
    await daemon.client.call(sessionRoutes.stop, { params: path });
    expect(files()).not.toEqual([]);
    await daemon.restart();
    await eventually(() => expect(files()).toEqual([]), patienceMs);
  });
});

it('a recording that is gone when the daemon starts does not keep it from starting', async () => {
  const daemon = await startDaemon({
    prepare: (dataDir) => {
      mkdirSync(join(dataDir, 'audio'), { mode: 0o700 });
      symlinkSync('nowhere', join(dataDir, 'audio', 'gone.wav')); // listed, and not there: as one removed in between
    },
  });
  expect((await fetch(`${daemon.url}/health/live`)).status).toBe(200);
  await daemon.stop();
});
