/**
 * sherpa-onnx in its own process, with a small model of each family: real inputs, outputs and metadata, random weights.
 * What they write is noise, so only the weights differ from a user's machine.
 */
import { cp, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SherpaTranscriber } from '../../../daemon/modules/sessions/recognisers/sherpa.js';
import { detectSherpaModel } from '../../../daemon/modules/sessions/recognisers/sherpa-model.js';
import type { Transcription } from '../../../daemon/modules/sessions/recognisers/transcriber.js';
import { programFile } from '../../../daemon/platform/package.js';

const models = fileURLToPath(new URL('.installed/models/', import.meta.url));
const families = [
  ...['whisper-tiny', 'zipformer', 'moonshine', 'sense-voice', 'parakeet-tdt', 'nemo-ctc'],
  'zipformer-streaming',
];
const pcm = Int16Array.from({ length: 2 * 16_000 }, (_, index) =>
  Math.round(6_000 * Math.sin(index / 9) * Math.sin(index / 2_000)),
);
const soon = () => ({ signal: AbortSignal.timeout(30_000) });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-sherpa-'));
});
afterAll(() => rm(folder, { recursive: true }));

const copyOf = async (family: string, name: string): Promise<string> => {
  const copy = join(folder, name);
  await cp(join(models, family), copy, { recursive: true });
  return copy;
};
/** `faults` lists the processes that ended by themselves. */
const recogniser = (modelDir: string, program?: string) => {
  const faults: (number | null)[] = [];
  const sherpa = new SherpaTranscriber({ modelDir, threads: 1 }, ({ pid }) => faults.push(pid), program);
  return { sherpa, faults };
};
const reasonOf = async (modelDir: string): Promise<string> => {
  const probe = await recogniser(modelDir).sherpa.probe();
  return probe.ok ? 'it works' : probe.reason;
};

describe.each([
  ['whisper-tiny', 'whisper', { language: 'de', times: false, confidence: false }],
  ['zipformer', 'transducer', { language: null, times: true, confidence: true }],
  ['moonshine', 'moonshine', { language: null, times: false, confidence: false }],
  ['sense-voice', 'senseVoice', { language: 'en', times: true, confidence: false }],
  ['parakeet-tdt', 'transducer', { language: null, times: true, confidence: true }],
  ['nemo-ctc', 'nemoCtc', { language: null, times: true, confidence: false }],
  ['zipformer-streaming', 'streamingTransducer', { language: null, times: true, confidence: true }],
])('%s', (family, key, has) => {
  it('is detected, loaded, decodes the same each time, and leaves no process', async () => {
    const modelDir = join(models, family);
    expect(Object.keys((await detectSherpaModel(modelDir)) ?? {})).toContain(key);
    const { sherpa, faults } = recogniser(modelDir);
    expect(await sherpa.probe()).toEqual({ ok: true });
    await sherpa.start();
    const first = await sherpa.transcribe(pcm, soon());
    expect(await sherpa.transcribe(pcm, soon())).toEqual(first);
    await sherpa.stop();
    expect(faults).toEqual([]);
    expect(first).toMatchObject({ quality: 'good', language: has.language, noSpeechProbability: null });
    expect(first.text.length).toBeGreaterThan(0);
    checkWords(first, has);
  });

  it('says which file is damaged', async () => {
    const modelDir = await copyOf(family, `${family}-damaged`);
    const config = await detectSherpaModel(modelDir);
    const [file = ''] = Object.values(Object(config?.[key])).map(String);
    await truncate(file, 300);
    expect(await reasonOf(modelDir)).toMatch(/does not work: sherpa-onnx: .*(protobuf|parsing|INVALID)/is);
  });
});

describe('what is known beforehand', () => {
  it.each([
    ['whisper-tiny', 'de-AT', 'de'],
    ['whisper-tiny', 'en', 'en'],
    ['sense-voice', 'ja', null],
    ['moonshine', 'de', null],
  ])('%s expects %s', async (family, language, heardAs) => {
    const { sherpa, faults } = recogniser(join(models, family));
    await sherpa.start();
    const found = await sherpa.transcribe(pcm, { ...soon(), language });
    if (heardAs !== null) expect(found.language).toBe(heardAs);
    expect((await sherpa.transcribe(pcm, soon())).text.length).toBeGreaterThan(0);
    await sherpa.stop();
    expect(faults).toEqual([]);
  });

  it.each(['whisper-tiny', 'sense-voice'])('a language that %s does not know is left out', async (family) => {
    const { sherpa, faults } = recogniser(join(models, family));
    await sherpa.start();
    const plain = await sherpa.transcribe(pcm, soon());
    for (const language of ['fr', 'gsw', 'x1']) {
      expect(await sherpa.transcribe(pcm, { ...soon(), language })).toEqual(plain);
    }
    await sherpa.stop();
    expect(faults).toEqual([]);
  });

  it('a transducer favours the vocabulary; others leave it out', async () => {
    const { sherpa, faults } = recogniser(join(models, 'zipformer'));
    await sherpa.start();
    const plain = await sherpa.transcribe(pcm, soon());
    const favoured = await sherpa.transcribe(pcm, { ...soon(), vocabulary: ['Mid', 'unspeakable'] });
    expect([plain.text, favoured.text].map((text) => text.includes('mid'))).toEqual([false, true]);
    expect((await sherpa.transcribe(pcm, { ...soon(), vocabulary: ['unspeakable'] })).text).not.toContain('mid');
    await sherpa.stop();
    expect(faults).toEqual([]);
    const other = recogniser(join(models, 'moonshine'));
    await other.sherpa.start();
    const before = await other.sherpa.transcribe(pcm, soon());
    expect(await other.sherpa.transcribe(pcm, { ...soon(), vocabulary: ['healer'] })).toEqual(before);
    await other.sherpa.stop();
  });
});

/** Every word of the text once, in order, where the model tells them apart. */
function checkWords(
  { text, words, confidence }: Transcription,
  has: { readonly times: boolean; readonly confidence: boolean },
): void {
  expect(words.map((word) => word.text).join(' ')).toBe(text);
  const starts = words.map(({ startMs }) => startMs);
  expect(starts.every((startMs) => (startMs !== null) === has.times)).toBe(true);
  if (has.times) expect(starts).toEqual([...starts].sort((a, b) => (a ?? 0) - (b ?? 0)));
  expect(confidence !== null).toBe(has.confidence);
  for (const word of words) {
    expect(word.confidence !== null).toBe(has.confidence);
    if (word.confidence !== null) expect(word.confidence).toBeLessThanOrEqual(1);
  }
}

describe('a model that cannot be used', () => {
  it('of another kind under the expected names', async () => {
    const modelDir = await copyOf('nemo-ctc', 'looks-like-sense-voice');
    expect(await reasonOf(modelDir)).toContain("'lfr_window_size' does not exist in the metadata");
  });

  it.each(['zipformer', 'zipformer-streaming'])('of the family %s whose parts do not fit together', async (family) => {
    const modelDir = await copyOf(family, `${family}-joined`);
    const joiner = (await readdir(modelDir)).find((name) => name.startsWith('joiner')) ?? '';
    await cp(join(models, 'nemo-ctc', 'model.onnx'), join(modelDir, joiner));
    expect(await reasonOf(modelDir)).toMatch(/does not work: sherpa-onnx: .*Invalid rank for input/s);
  });

  it.each(families)('a %s with a part of another model', async (family) => {
    const modelDir = await copyOf(family, `${family}-wrong-shape`);
    const config = await detectSherpaModel(modelDir);
    const files = Object.values(config ?? {}).flatMap((part) => (typeof part === 'string' ? [] : Object.values(part)));
    await cp(join(models, 'zipformer', 'decoder-epoch-99-avg-1.onnx'), files[0] ?? '');
    expect(await reasonOf(modelDir)).toMatch(/does not work: sherpa-onnx: /);
  });

  it.each(families)('a %s without tokens, or with none in their file', async (family) => {
    const modelDir = await copyOf(family, `${family}-tokenless`);
    await writeFile(join(modelDir, 'tokens.txt'), 'no tokens at all\n');
    expect(await reasonOf(modelDir)).toMatch(/does not work: sherpa-onnx: .*no tokens at all/);
    await rm(join(modelDir, 'tokens.txt'));
    expect(await reasonOf(modelDir)).toContain('holds no known sherpa-onnx model');
  });

  it.each(families)('a %s for which there is no memory', async (family) => {
    const program = join(folder, 'little-memory.mjs');
    const own = pathToFileURL(programFile('modules/sessions/recognisers/sherpa-process')).href;
    await writeFile(
      program,
      `import { execFileSync } from 'node:child_process';
       import { readFileSync } from 'node:fs';
       import { createRequire } from 'node:module';
       createRequire(${JSON.stringify(own)})('sherpa-onnx-node'); // is there, and it is the model that does not fit
       const kilobytes = Number(/VmSize:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
       execFileSync('prlimit', ['--pid', String(process.pid), '--as=' + (kilobytes + 8_000) * 1024]);
       await import(${JSON.stringify(own)});`,
    );
    const { sherpa } = recogniser(join(models, family), program);
    // How much of it a process without memory can still write is chance.
    await expect(sherpa.start()).rejects.toThrow(
      /^sherpa-onnx: (.*(alloc|memory|resource|libgcc_s|terminate called)|the process ended)/is,
    );
    await sherpa.stop();
  });
});

describe.each(['zipformer', 'whisper-tiny'])('an utterance that %s follows', (family) => {
  it('has text while it is spoken, and the same at its end as without', async () => {
    const { sherpa, faults } = recogniser(join(models, family));
    await sherpa.start();
    const plain = await sherpa.transcribe(pcm, soon());
    const texts: string[] = [];
    let hinted = 0;
    const live = sherpa.listen({
      onText: (text) => texts.push(text),
      mayWork: () => true,
      hints: async () => ({ language: hinted++ % 2 === 0 ? 'de' : 'en' }),
    });
    for (let offset = 0; offset < pcm.length; offset += 320) {
      live?.push(pcm.subarray(offset, offset + 320));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    live?.end();
    expect(await sherpa.transcribe(pcm, { ...soon(), live })).toEqual(plain);
    expect(texts.length).toBeGreaterThan(1);
    expect(hinted).toBeGreaterThanOrEqual(texts.length);
    await sherpa.stop();
    expect(faults).toEqual([]);
  });
});

describe('an utterance that a streaming model hears', () => {
  const hearing = async (sherpa: SherpaTranscriber, mayWork = () => true) => {
    const texts: string[] = [];
    const live = sherpa.listen({ onText: (text) => texts.push(text), mayWork });
    const speak = async (sound: Int16Array) => {
      for (let offset = 0; offset < sound.length; offset += 320) {
        live?.push(sound.subarray(offset, offset + 320));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    return { texts, live, speak };
  };

  it('grows word by word, many at a time, and ends as without', async () => {
    const { sherpa, faults } = recogniser(join(models, 'zipformer-streaming'));
    await sherpa.start();
    const plain = await sherpa.transcribe(pcm, soon());
    const several = await Promise.all([1, 2, 3].map(() => hearing(sherpa)));
    await Promise.all(several.map(({ speak }) => speak(pcm.subarray(0, -1_000))));
    for (const { live, texts } of several) {
      live?.end();
      expect(await sherpa.transcribe(pcm, { ...soon(), live })).toEqual(plain);
      live?.close();
      const grown = [...new Set(texts)].filter((text) => text !== '');
      expect(grown.length).toBeGreaterThan(2);
      expect(grown.every((text) => plain.text.startsWith(text))).toBe(true);
      expect(grown).toEqual(grown.toSorted((a, b) => a.length - b.length));
    }
    await sherpa.stop();
    expect(faults).toEqual([]);
  });

  it('is decoded whole where its process died, and while finished ones wait nothing is', async () => {
    const { sherpa, faults } = recogniser(join(models, 'zipformer-streaming'));
    await sherpa.start();
    const plain = await sherpa.transcribe(pcm, soon());
    const held = await hearing(sherpa, () => false);
    await held.speak(pcm.subarray(0, 16_000));
    expect(held.texts).toEqual([]);
    expect(await sherpa.transcribe(pcm, { ...soon(), live: held.live })).toEqual(plain);
    const lost = await hearing(sherpa);
    await lost.speak(pcm.subarray(0, 16_000));
    expect(lost.texts.at(-1)).not.toBe('');
    await expect(sherpa.transcribe(pcm, { signal: AbortSignal.timeout(0) })).rejects.toThrow('given up');
    const cancel = new AbortController();
    const other = sherpa.transcribe(new Int16Array(20 * 16_000), { signal: cancel.signal });
    await new Promise(setImmediate);
    cancel.abort(); // ends the process
    await expect(other).rejects.toThrow('given up');
    await lost.speak(pcm.subarray(16_000));
    lost.live?.end();
    expect(await sherpa.transcribe(pcm, { ...soon(), live: lost.live })).toEqual(plain);
    await sherpa.stop();
    expect(faults).toEqual([]);
  });
});

describe('a segment', () => {
  it.each(families)('of %s that is given up ends its process; the next one gets a new one', async (family) => {
    const { sherpa } = recogniser(join(models, family));
    await sherpa.start();
    const before = await sherpa.transcribe(pcm, soon());
    const cancel = new AbortController();
    const long = sherpa.transcribe(new Int16Array(20 * 16_000), { signal: cancel.signal });
    await new Promise(setImmediate); // it is being decoded by then
    cancel.abort();
    await expect(long).rejects.toThrow('sherpa-onnx: given up');
    expect(await sherpa.transcribe(pcm, soon())).toEqual(before);
    await sherpa.stop();
  });

  it('of no sound at all is answered, not the end of the process', async () => {
    for (const family of families) {
      const { sherpa, faults } = recogniser(join(models, family));
      await sherpa.start();
      await sherpa.transcribe(new Int16Array(16_000), soon());
      await sherpa.stop();
      expect([family, faults]).toEqual([family, []]);
    }
  });
});
