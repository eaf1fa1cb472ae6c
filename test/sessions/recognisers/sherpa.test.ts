import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installedSherpaModel, SherpaTranscriber } from '../../../daemon/modules/sessions/recognisers/sherpa.js';
import { detectSherpaModel, sherpaModelFrom } from '../../../daemon/modules/sessions/recognisers/sherpa-model.js';
import { transcriberSettings } from '../../../daemon/modules/sessions/speech-settings.js';
import { loadSettings } from '../../../daemon/platform/config/load.js';
import { ignoreFaults } from '../../../daemon/platform/processes/watched-process.js';
import { eventually } from '../../support/eventually.js';

describe('sherpaModelFrom', () => {
  it.each([
    [
      'Whisper, with its name in front, quantised preferred',
      [
        'tiny.en-encoder.onnx',
        'tiny.en-encoder.int8.onnx',
        'tiny.en-decoder.int8.onnx',
        'tiny.en-tokens.txt',
        'test_wavs',
      ],
      {
        tokens: '/m/tiny.en-tokens.txt',
        whisper: { encoder: '/m/tiny.en-encoder.int8.onnx', decoder: '/m/tiny.en-decoder.int8.onnx' },
      },
    ],
    [
      'a transducer, with what its training left in the names',
      ['encoder-epoch-99-avg-1.onnx', 'decoder-epoch-99-avg-1.onnx', 'joiner-epoch-99-avg-1.int8.onnx', 'tokens.txt'],
      {
        tokens: '/m/tokens.txt',
        transducer: {
          encoder: '/m/encoder-epoch-99-avg-1.onnx',
          decoder: '/m/decoder-epoch-99-avg-1.onnx',
          joiner: '/m/joiner-epoch-99-avg-1.int8.onnx',
        },
      },
    ],
    [
      'Moonshine',
      ['preprocess.onnx', 'encode.int8.onnx', 'uncached_decode.int8.onnx', 'cached_decode.int8.onnx', 'tokens.txt'],
      {
        tokens: '/m/tokens.txt',
        moonshine: {
          preprocessor: '/m/preprocess.onnx',
          encoder: '/m/encode.int8.onnx',
          uncachedDecoder: '/m/uncached_decode.int8.onnx',
          cachedDecoder: '/m/cached_decode.int8.onnx',
        },
      },
    ],
    [
      'SenseVoice',
      ['model.int8.onnx', 'tokens.txt'],
      { tokens: '/m/tokens.txt', senseVoice: { model: '/m/model.int8.onnx' } },
    ],
    ['nothing without tokens', ['encoder.onnx', 'decoder.onnx'], null],
    ['nothing with half a model', ['encoder.onnx', 'tokens.txt'], null],
    ['nothing in an empty folder', [], null],
  ])('finds %s', (_, names, expected) => {
    expect(sherpaModelFrom(names, '/m')).toEqual(expected);
  });

  it('takes a lone model for CTC where the folder says so', () => {
    expect(sherpaModelFrom(['model.onnx', 'tokens.txt'], '/sherpa-onnx-nemo-ctc-en')).toMatchObject({
      nemoCtc: { model: '/sherpa-onnx-nemo-ctc-en/model.onnx' },
    });
  });
});

describe('SherpaTranscriber', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'earshot-test-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const folderWith = async (names: string[]) => {
    const folder = join(dataDir, 'speech', 'models', 'a-model');
    await mkdir(folder, { recursive: true });
    for (const name of names) await writeFile(join(folder, name), 'not a model');
    return folder;
  };

  it('names the folder that is missing', async () => {
    const probe = await new SherpaTranscriber({ modelDir: join(dataDir, 'gone'), threads: 1 }).probe();
    expect(probe).toMatchObject({ ok: false, reason: `The model folder ${join(dataDir, 'gone')} is missing.` });
    expect(await installedSherpaModel([join(dataDir, 'speech')])).toBeNull();
  });

  it('is the model that the operator names, if it is installed', async () => {
    const speechDir = join(dataDir, 'speech');
    for (const name of ['a-model', 'sherpa-onnx-whisper-base', 'moonshine-base']) {
      await mkdir(join(speechDir, 'models', name), { recursive: true });
      for (const file of ['encoder.onnx', 'decoder.onnx', 'tokens.txt'])
        await writeFile(join(speechDir, 'models', name, file), '');
    }
    const used = async (EARSHOT_SPEECH_INSTALL: string) => {
      const { settings } = loadSettings({ environment: { EARSHOT_SPEECH_INSTALL, EARSHOT_SPEECH_DIR: speechDir } });
      const { speechDirs, wantedModel } = transcriberSettings(settings, dataDir);
      return basename((await installedSherpaModel(speechDirs, wantedModel)) ?? '');
    };
    expect(await used('whisper-base')).toBe('sherpa-onnx-whisper-base');
    expect(await used('moonshine-base')).toBe('moonshine-base');
    expect(await used('parakeet-v3')).toBe('a-model'); // not there yet
    expect(await used('0')).toBe('a-model');
  });

  it.each([
    [
      'moonshine-base',
      'English alone, 10.07 % of English words wrong by its authors; other languages: `earshotd speech',
    ],
    [
      'sherpa-onnx-whisper-base',
      'about 100 languages, accuracy not stated; `earshotd speech recommend` compares models',
    ],
    ['my-model', 'not of the list; `earshotd speech recommend` compares models'],
  ])('tells operators what %s is worth, and how to find a better one', (folder, worth) => {
    const { label } = new SherpaTranscriber({ modelDir: join(dataDir, folder), threads: 1 });
    expect(label).toContain(`sherpa (${folder}: ${worth}`);
  });

  it('survives a damaged model and passes on what the library says of it', async () => {
    const modelDir = await folderWith(['encoder.onnx', 'decoder.onnx', 'tokens.txt']);
    expect(await installedSherpaModel([join(dataDir, 'speech')])).toBe(modelDir);
    const probe = await new SherpaTranscriber({ modelDir, threads: 1 }).probe();
    expect(probe).toMatchObject({ ok: false, reason: expect.stringMatching(/does not work: sherpa-onnx: \S+/) });
    expect(probe).not.toMatchObject({ reason: expect.stringContaining('given up') });
  });

  it('has text of a streaming model while it is spoken, and sends only the rest at the end', async () => {
    const program = join(dataDir, 'streams.mjs');
    await writeFile(
      program,
      `let heard = 0, forgotten = 0;
       process.on('message', ({ pcm, isLast, forget }) => {
         if (forget !== undefined) return void forgotten++;
         heard += pcm.length;
         process.send(isLast ? { text: 'all ' + heard + ' forgotten ' + forgotten } : { soFar: ' ' + heard });
       });
       process.send('ready');`,
    );
    const modelDir = await folderWith(['decoder.onnx', 'joiner.onnx', 'tokens.txt']);
    // An entry of metadata: key and value, with their lengths.
    await writeFile(join(modelDir, 'encoder.onnx'), 'weights\n\x10decode_chunk_len\x12\x0232');
    expect(await detectSherpaModel(modelDir)).toMatchObject({ chunkFrames: '32', streamingTransducer: {} });
    const sherpa = new SherpaTranscriber({ modelDir, threads: 1 }, ignoreFaults, program);
    await sherpa.start();
    const texts: string[] = [];
    const live = sherpa.listen({ onText: (text) => texts.push(text), mayWork: () => true });
    live?.push(new Int16Array(500)); // too little for a step
    live?.push(new Int16Array(1_000));
    await eventually(() => expect(texts).toEqual(['1500']));
    const broken = sherpa.listen({ onText: () => {}, mayWork: () => true });
    broken?.close();
    live?.end();
    live?.push(new Int16Array(2_000));
    const soon = { signal: AbortSignal.timeout(20_000) };
    expect(await sherpa.transcribe(new Int16Array(1_600), { ...soon, live })).toMatchObject({
      text: 'all 1600 forgotten 0',
    });
    live?.close();
    expect(await sherpa.transcribe(new Int16Array(400), { ...soon, live })).toMatchObject({
      text: 'all 2000 forgotten 1',
    });
    await sherpa.stop();
  });

  it('starts a process that has died between two segments anew, and loses no segment', async () => {
    const program = join(dataDir, 'dies-once.mjs');
    await writeFile(
      program,
      `import { existsSync, writeFileSync } from 'node:fs';
       const mark = ${JSON.stringify(join(dataDir, 'died'))};
       process.on('message', () => process.send({
         text: ' heard you now ', language: '<|en|>', tokens: [' he', 'ard', ' you', ' now'],
         timestamps: [0.1, 0.2, 0.5, Infinity], logProbabilities: [0, Math.log(0.5), Math.log(0.25), NaN],
       }));
       process.send('ready', () => {
         if (existsSync(mark)) return;
         writeFileSync(mark, '');
         process.kill(process.pid, 'SIGKILL');
       });`,
    );
    const modelDir = await folderWith(['model.int8.onnx', 'tokens.txt']);
    const sherpa = new SherpaTranscriber({ modelDir, threads: 1 }, ignoreFaults, program);
    await sherpa.start();
    await eventually(() => expect(existsSync(join(dataDir, 'died'))).toBe(true));
    await sleep(200); // the end of a process is told a moment later
    const heard = await sherpa.transcribe(new Int16Array(16_000), { signal: AbortSignal.timeout(20_000) });
    expect(heard).toMatchObject({ text: 'heard you now', quality: 'good', language: 'en', confidence: 0.375 });
    expect(heard.words).toEqual([
      { text: 'heard', startMs: 100, endMs: 500, confidence: 0.5 },
      { text: 'you', startMs: 500, endMs: null, confidence: 0.25 },
      { text: 'now', startMs: null, endMs: null, confidence: null },
    ]);
    await sherpa.stop();
  });
});
