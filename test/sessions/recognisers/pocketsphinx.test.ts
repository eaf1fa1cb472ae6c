import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PocketsphinxTranscriber } from '../../../daemon/modules/sessions/recognisers/pocketsphinx.js';
import { RecognitionQueue } from '../../../daemon/modules/sessions/recognisers/recognition-queue.js';
import { selectTranscriber } from '../../../daemon/modules/sessions/recognisers/select.js';
import { eventually } from '../../support/eventually.js';
import { clip, joined, speechForTests } from '../../support/speech-clips.js';

const speech = await speechForTests();
const soon = () => ({ signal: AbortSignal.timeout(15_000) });

/** Ids of our own running decoders, found by the private folder on their command lines. */
async function decoderPids(folder = `earshot-speech-${process.pid}-`): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      const ours = command.split('\0')[0]?.endsWith('/pocketsphinx_batch') && command.includes(folder);
      return ours ? Number(pid) : null;
    }),
  );
  return found.filter((pid) => pid !== null);
}

const scratchFolders = async (prefix = `earshot-speech-${process.pid}-`) =>
  (await readdir('/dev/shm')).filter((name) => name.startsWith(prefix));

describe.skipIf(speech === null)('pocketsphinx from the data folder', () => {
  if (speech === null) return;
  const transcriber = new PocketsphinxTranscriber({ speechDirs: [speech.speechDir], decoders: 1 });
  beforeAll(() => transcriber.start());
  afterAll(() => transcriber.stop());

  it.each([
    ['goforward', 'go forward ten meters'],
    ['cards/001', 'ten of clubs'],
  ])('recognises %s', async (name, text) => {
    const heard = await transcriber.transcribe(await clip(speech, name), soon());
    expect(heard).toMatchObject({ text, quality: 'basic', language: 'en', noSpeechProbability: null });
    expect(heard.words.map((word) => word.text).join(' ')).toBe(text);
    for (const { startMs, endMs, confidence } of heard.words) {
      expect(endMs).toBeGreaterThan(startMs ?? Infinity);
      expect(confidence).toBeGreaterThan(0);
      expect(confidence).toBeLessThanOrEqual(1);
    }
    expect(heard.confidence).toBeGreaterThan(0.4);
    expect(heard.alternatives.length).toBeGreaterThan(0);
    expect(heard.alternatives.map((other) => other.text)).not.toContain(text);
  });

  it('hears nothing in silence', async () => {
    expect(await transcriber.transcribe(joined(1), soon())).toMatchObject({
      ...{ text: '', words: [], alternatives: [], confidence: null },
    });
  });

  it('rejects the segment on which the decoder dies, and starts it again for the next', async () => {
    const cut = transcriber.transcribe(
      await clip(speech, 'librivox/sense_and_sensibility_01_austen_64kb-0870'),
      soon(),
    );
    const dead = expect(cut).rejects.toThrow('pocketsphinx');
    await sleep(150);
    const [pid] = await decoderPids();
    expect(pid).toBeDefined();
    process.kill(pid ?? 0, 'SIGKILL');
    await dead;
    expect((await transcriber.transcribe(await clip(speech, 'goforward'), soon())).text).toBe('go forward ten meters');
  });

  it('recognises a segment whose decoder is killed under it all the same, once it went through the queue', async () => {
    const queue = new RecognitionQueue(transcriber);
    const pcm = await clip(speech, 'librivox/sense_and_sensibility_01_austen_64kb-0880');
    const outcome = queue.submit({ tenantId: 't', sessionId: 's', speaker: 'a', pcm });
    await sleep(100);
    const pids = await decoderPids();
    expect(pids).toHaveLength(1);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    expect(await outcome).toMatchObject({ status: 'recognised' });
  });

  it('gives up a segment when told to, and goes on with the next', async () => {
    const pcm = await clip(speech, 'librivox/sense_and_sensibility_01_austen_64kb-0870');
    await expect(transcriber.transcribe(pcm, { signal: AbortSignal.timeout(100) })).rejects.toThrow();
    expect((await transcriber.transcribe(await clip(speech, 'cards/001'), soon())).text).toBe('ten of clubs');
  });

  it('leaves neither process nor sound behind', async () => {
    const own = new PocketsphinxTranscriber({ speechDirs: [speech.speechDir], decoders: 2 });
    const before = { pids: await decoderPids(), folders: await scratchFolders() };
    const long = await clip(speech, 'librivox/sense_and_sensibility_01_austen_64kb-0870');
    await own.start();
    const cut = expect(own.transcribe(long, soon())).rejects.toThrow('stopped');
    await eventually(async () => expect(await decoderPids()).toHaveLength(before.pids.length + 2));
    await own.stop();
    await cut;
    const state = async () => ({ pids: await decoderPids(), folders: await scratchFolders() });
    await eventually(async () => expect(await state()).toEqual(before));
    await expect(own.transcribe(joined(1), soon())).rejects.toThrow('no decoder');
  });

  it('ends with a daemon that is killed, and the next one removes the sound it left', async () => {
    const program = createRequire(import.meta.url).resolve('#dist/daemon/modules/sessions/recognisers/pocketsphinx.js');
    const script = `
      const { PocketsphinxTranscriber } = await import(${JSON.stringify(program)});
      const transcriber = new PocketsphinxTranscriber({ speechDirs: [${JSON.stringify(speech.speechDir)}], decoders: 1 });
      await transcriber.start();
      console.log('started');
      await transcriber.transcribe(new Int16Array(160_000).fill(99), { signal: AbortSignal.timeout(60_000) });`;
    const daemon = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void daemon.kill('SIGKILL'));
    await once(daemon.stdout, 'data');
    const left = `earshot-speech-${daemon.pid}-`;
    await eventually(async () => expect(await decoderPids(left)).toHaveLength(1));
    daemon.kill('SIGKILL');
    await eventually(async () => expect(await decoderPids(left)).toEqual([]));
    expect(await scratchFolders(left)).toHaveLength(1);
    expect(await transcriber.probe()).toEqual({ ok: true });
    expect(await scratchFolders(left)).toEqual([]);
  });

  it('is what `auto` chooses when nothing else is configured', async () => {
    const selection = await selectTranscriber({ ...nothingConfigured, speechDirs: [speech.speechDir] });
    expect(selection.transcriber?.name).toBe('pocketsphinx');
  });
});

const nothingConfigured = {
  choice: 'auto' as const,
  openai: { baseUrl: null, apiKey: null, model: 'whisper-1' },
  sherpaModelDir: null,
};

describe('without a recogniser', () => {
  it('says what is missing and how to mend it', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'earshot-test-'));
    const selection = await selectTranscriber({ ...nothingConfigured, choice: 'sherpa', speechDirs: [dataDir] });
    await rm(dataDir, { recursive: true });
    expect(selection).toMatchObject({
      transcriber: null,
      reason: expect.stringMatching(/^The model folder .* is missing\.$/),
      remedy: expect.stringContaining('earshotd speech install NAME'),
    });
  });

  it('says so when it is switched off', async () => {
    const selection = await selectTranscriber({ ...nothingConfigured, choice: 'off', speechDirs: [] });
    expect(selection).toMatchObject({ transcriber: null, reason: 'Speech recognition is switched off.' });
  });
});
