/**
 * Whisper's real weights, as install.sh makes them: a first start fetches the multilingual ones from a mirror, a room of three
 * languages is written by them, and a server of another author that has the same weights writes the same.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wordErrors } from '../../../bench/word-errors.mjs';
import { noisy } from '../../../bench/worse-sound.mjs';
import { OpenAiTranscriber } from '../../../daemon/modules/sessions/recognisers/openai.js';
import { SherpaTranscriber } from '../../../daemon/modules/sessions/recognisers/sherpa.js';
import type { Transcriber } from '../../../daemon/modules/sessions/recognisers/transcriber.js';
import { fetchPackages } from '../../../daemon/modules/sessions/speech-install/debian-packages.js';
import { readWav } from '../../../src/client/voice/wav-file.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { settingsRoutes } from '../../../src/contract/projects/settings.js';
import { ruleRoutes } from '../../../src/contract/rules/rules.js';
import { sessionRoutes } from '../../../src/contract/sessions/sessions.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import { moonshineClips, type SpokenClip } from '../../support/moonshine.js';
import { earshotd } from '../../support/program.js';
import { clip, speechForTests } from '../../support/speech-clips.js';
import { debianClips, speakInto, writtenIn } from '../../support/spoken-rooms.js';

const installed = fileURLToPath(new URL('.installed/', import.meta.url));
const python = join(installed, 'venv/bin/python');
const archive = join(installed, 'mirror/sherpa-onnx-whisper-base.tar.bz2');
/** A busy machine takes ten times as long as a quiet one. */
const patienceMs = 540_000;
const run = promisify(execFile);
const speech = await speechForTests();
if (speech === null) throw new Error("These suites want Debian's recorded speech.");
const clips: SpokenClip[] = [...(await debianClips(speech)), ...((await moonshineClips()) ?? [])];

/** A person who says German words one by one. */
const german = {
  sounds: ['tv_bicycle', 'tv_train', 'tv_car', 'tv_tree', 'umbrella'],
  words: 'Fahrrad Zug Auto Baum Schirm',
};

/** A sentence of a synthetic voice, with a word that a rule names. */
const japanese = { words: '私は日本から来ました。日本語で話しましょう。', named: '日本' };

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** A recording that is made once. */
async function madeClip(name: string, words: string, make: (folder: string, out: string) => Promise<unknown>) {
  const file = join(installed, `${name}.wav`);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    const work = await mkdtemp(join(installed, `.${name}-`));
    await make(work, join(work, 'out.wav'));
    await rename(join(work, 'out.wav'), file);
    await rm(work, { recursive: true });
  }
  return { name, words, recording: readWav(await readFile(file)) };
}

const germanClip = (): Promise<SpokenClip> =>
  madeClip('german', german.words, async (work, out) => {
    await fetchPackages(['ktuberling-data'], { archiveDir: join(work, 'archives'), into: work });
    const sounds = join(work, 'usr/share/ktuberling/sounds/de');
    await run(python, [program('german.py'), sounds, out, ...german.sounds]);
  });
const japaneseClip = (): Promise<SpokenClip> =>
  madeClip('japanese', japanese.words, (_, out) => run(python, [program('japanese.py'), japanese.words, out]));

/** Share of wrong words of all recordings. */
function wrongShare(pairs: readonly { readonly said: string; readonly written: string }[]): number {
  const counted = pairs.map(({ said, written }) => wordErrors(said, written));
  const sum = (key: 'errors' | 'words') => counted.reduce((total, one) => total + one[key], 0);
  return sum('errors') / sum('words');
}

async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-whisper-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a first start of somebody who speaks German', () => {
  let mirror: Server;
  let address: string;
  let daemon: TestDaemon;
  const speechDir = () => join(folder, 'speech');
  const asked: string[] = [];
  beforeAll(async () => {
    mirror = createServer(({ url = '' }, response) => {
      asked.push(url);
      if (basename(url) === basename(archive)) createReadStream(archive).pipe(response);
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await eventually(() => expect(mirror.address()).not.toBeNull());
    address = `http://127.0.0.1:${Object(mirror.address()).port}`;
  });
  afterAll(async () => {
    await daemon?.stop();
    mirror.close();
  });

  it(
    'fetches the multilingual model from the mirror, and holds it to its checksum',
    async () => {
      const env = {
        ...{ EARSHOT_SPEECH_LANGUAGE: 'de', EARSHOT_SPEECH_MIRROR: address },
        ...{ EARSHOT_SPEECH_DIR: speechDir() },
      };
      const install = (...args: string[]) =>
        earshotd(join(folder, 'data'), ['speech', 'install', '--if-wanted', ...args], { env });
      const refused = await install(); // it is not the authors' archive, so that English is all that there is
      expect(refused.stdout).toMatch(
        /no model that knows de could be fetched, so English alone .*by --sha256, the cat/,
      );
      const own = await install('--sha256', await checksumOf(archive));
      expect(own).toMatchObject({ code: 0, stdout: expect.stringContaining('speech: sherpa is ready') });
      // A machine that is too slow for it asks for a smaller one, which this mirror has not, and keeps what it has.
      expect(asked.filter((url) => url === `/${basename(archive)}`)).toHaveLength(2);
      expect(await install()).toMatchObject({ code: 0, stdout: expect.stringContaining('knows de is there') });
    },
    patienceMs,
  );

  it(
    'has a room of three languages written, and mutes who says a Japanese word',
    async () => {
      const settings = { EARSHOT_TRANSCRIBER: 'auto', EARSHOT_SPEECH_DIR: speechDir() };
      daemon = await startDaemon({ settings });
      const params = { projectId: daemon.projectId };
      await daemon.client.call(settingsRoutes.put, { params, body: { tokenProvider: 'embedded' } });
      const definition = {
        ...{ format: 1 as const, mode: 'enforce' as const, when: { all: [{ words: { any: [japanese.named] } }] } },
        steps: [[{ sanction: { type: 'mute' as const, duration: 600 } }]],
      };
      await daemon.client.call(ruleRoutes.create, { params, body: { name: 'Japanese', definition } });
      // Base takes the beginning of beckett for music.
      const short = clips.filter(({ name, recording: { rate, length } }) => name !== 'beckett' && length < 12 * rate);
      const long = short.toSorted((one, other) => other.recording.length - one.recording.length).slice(0, 2);
      const people = [...long, await germanClip(), await japaneseClip()];
      const said = await speakInto(
        ...([daemon, 'languages', people.map(({ recording }) => recording), ['en', 'en', 'de', 'ja']] as const),
      );
      const written = await writtenIn(daemon, said);
      const pairs = people.map(({ words }, index) => ({ said: words, written: written.get(`u${index}`) ?? '' }));
      const wrong = {
        ...{ en: wrongShare(pairs.slice(0, 2)), de: wrongShare(pairs.slice(2, 3)) },
        ja: wrongShare(pairs.slice(3)),
      };
      process.stdout.write(`wrong words in a room with base: ${JSON.stringify(wrong)}\n`);
      expect(wrong.en, JSON.stringify(pairs)).toBeLessThanOrEqual(0.04);
      expect(wrong.de, JSON.stringify(pairs)).toBeLessThanOrEqual(0.4); // two words that are written as one count as two
      expect(wrong.ja, JSON.stringify(pairs)).toBeLessThanOrEqual(0.1);
      const messages = await daemon.client.call(sessionRoutes.messages, { params: { ...params, id: said.id } });
      const languages = messages
        .filter(({ origin }) => origin === 'speech')
        .map((one) => [one.externalUserId, one.language]);
      expect(new Set(languages.map(String))).toEqual(new Set(['u0,en', 'u1,en', 'u2,de', 'u3,ja']));
      await eventually(async () => {
        const { sanctions } = await daemon.client.call(sanctionRoutes.list, { params, query: { activeOnly: true } });
        expect(sanctions.map(({ type, externalUserId }) => [type, externalUserId])).toEqual([['mute', 'u3']]);
      });
    },
    patienceMs,
  );
});

describe('recordings, one by one', () => {
  // `five five` (004) becomes a loop, which the queue takes out.
  const debian = clips.filter(
    ({ name, recording: { rate, length } }) => name !== '004' && rate === 16_000 && length < 8 * rate,
  );
  const pcmOf = ({ length, at }: SpokenClip['recording']) =>
    Int16Array.from({ length }, (_, index) => Math.round(Math.max(-1, Math.min(1, at(index))) * 32_767));
  const signal = () => AbortSignal.timeout(patienceMs);

  /** Share of wrong words of the recordings, each changed in this way. */
  async function wrongBy(transcriber: Transcriber, changed = (sound: SpokenClip['recording']) => sound) {
    const pairs: { said: string; written: string }[] = [];
    for (const { words, recording } of debian) {
      const { text } = await transcriber.transcribe(pcmOf(changed(recording)), { signal: signal(), language: 'en' });
      pairs.push({ said: words, written: text });
    }
    return wrongShare(pairs);
  }

  let server: ChildProcess;
  let baseUrl: string;
  beforeAll(async () => {
    const port = await freePort();
    const args = [
      '-m',
      'faster_whisper_server',
      join(installed, 'ct2/tiny.en'),
      '--host',
      '127.0.0.1',
      '--port',
      `${port}`,
    ];
    server = spawn(python, args, { stdio: 'ignore', env: { PATH: process.env.PATH, HF_HUB_OFFLINE: '1' } });
    baseUrl = `http://127.0.0.1:${port}/v1`;
    await eventually(() => fetch(`http://127.0.0.1:${port}/docs`), patienceMs);
  }, patienceMs);
  afterAll(() => void server.kill());

  it(
    'are written alike by sherpa-onnx and by faster-whisper-server, with noise too',
    async () => {
      const modelDir = join(installed, 'models/sherpa-onnx-whisper-tiny.en');
      const own = new SherpaTranscriber({ modelDir, threads: 1 });
      await own.start();
      const other = new OpenAiTranscriber({ baseUrl, apiKey: null, model: 'tiny.en', requestsMax: 1 });
      expect(await other.probe()).toEqual({ ok: true });
      const shares = {
        ...{ own: await wrongBy(own), other: await wrongBy(other) },
        noisy: await wrongBy(own, (sound) => noisy(sound, 10)),
      };
      await own.stop();
      process.stdout.write(`wrong words with tiny.en: ${JSON.stringify(shares)}\n`);
      expect(Math.max(shares.own, shares.other)).toBeLessThan(0.1);
      expect(Math.abs(shares.own - shares.other)).toBeLessThan(0.05);
      expect(shares.noisy).toBeLessThan(0.2);
    },
    patienceMs,
  );

  it(
    'carry a confidence of each word, and of silence, where the service states them',
    async () => {
      const other = new OpenAiTranscriber({ baseUrl, apiKey: null, model: 'tiny.en', requestsMax: 1 });
      const heard = await other.transcribe(await clip(speech, 'goforward'), { signal: signal(), language: 'en' });
      expect(heard.text.toLowerCase()).toContain('go forward');
      expect(heard.confidence).toBeGreaterThan(0.3);
      expect(heard.noSpeechProbability).toBeLessThan(0.6);
    },
    patienceMs,
  );
});
