/** Text while somebody speaks, in real time, by the recogniser that needs no download. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type BotOptions,
  type RecognizedUtterance,
  SessionBot,
  type SpokenSoFar,
} from '../../../daemon/modules/sessions/bot/bot.js';
import { EvidenceBuffer, evidenceMemory } from '../../../daemon/modules/sessions/bot/evidence-buffer.js';
import {
  frameMs,
  frameSamples,
  loadVoiceActivity,
  type VoiceDetector,
} from '../../../daemon/modules/sessions/bot/voice-activity.js';
import { PocketsphinxTranscriber } from '../../../daemon/modules/sessions/recognisers/pocketsphinx.js';
import { PocketsphinxDecoder } from '../../../daemon/modules/sessions/recognisers/pocketsphinx-decoder.js';
import { RecognitionQueue } from '../../../daemon/modules/sessions/recognisers/recognition-queue.js';
import { Redecoder } from '../../../daemon/modules/sessions/recognisers/redecoder.js';
import {
  type LiveOptions,
  sampleRate,
  type Transcriber,
  unstated,
} from '../../../daemon/modules/sessions/recognisers/transcriber.js';
import { eventually } from '../../support/eventually.js';
import { clip, joined, speechForTests } from '../../support/speech-clips.js';
import { OpenTap, spokenPackets } from '../../support/spoken-packets.js';

const speech = await speechForTests();
/** Takes every sound for speech. */
const loud = (): VoiceDetector => ({
  isSpeech: (frame) => frame.some((sample) => Math.abs(sample) > 1_000),
  close: () => {},
});

type Shown = SpokenSoFar & { readonly atMs: number };

async function reading(
  transcriber: Transcriber,
  isWanted = true,
  detector: (() => VoiceDetector) | null = null,
  more: Partial<BotOptions> = {},
) {
  const [shown, stored]: [Shown[], RecognizedUtterance[]] = [[], []];
  const tap = new OpenTap();
  const newDetector = detector ?? (await loadVoiceActivity());
  const origin = new Date();
  const bot = new SessionBot({
    ...{ tenantId: 'tenant', sessionId: 'session', tap, newDetector, origin, cipher: () => null },
    evidence: new EvidenceBuffer(evidenceMemory(0), 'tenant'),
    queue: new RecognitionQueue(transcriber),
    sink: { utterance: async (utterance) => void stored.push(utterance) },
    readAlong: { isWanted: () => isWanted, show: (soFar) => void shown.push({ ...soFar, atMs: Date.now() }) },
    now: () => new Date(),
    log: { error: () => {} },
    ...more,
  });
  bot.start();
  /** Speaks as fast as people do. */
  const say = async (externalUserId: string, pcm: Int16Array) => {
    const startedAtMs = Date.now();
    for (const packet of spokenPackets(pcm, { externalUserId, startedAtMs })) {
      await sleep(packet.arrivedAtMs - Date.now());
      tap.say([packet]);
    }
  };
  return { shown, stored, say, origin, stop: () => bot.stop() };
}

/** Of half of them, and of 99 in 100. */
const most = (delaysMs: readonly number[]): string => {
  const sorted = delaysMs.toSorted((a, b) => a - b);
  const [half, nearlyAll] = [0.5, 0.99].map((share) =>
    Math.round(sorted[Math.floor(sorted.length * share)] ?? Infinity),
  );
  return `${half} ms (half), ${nearlyAll} ms (99 %)`;
};

/** How long each 20 ms of sound waits until a text is there that takes it into account. */
function soundDelays(transcriber: PocketsphinxTranscriber) {
  const delaysMs: number[] = [];
  let waiting: number[] = []; // when each 20 ms of the current utterance were said
  const { listen } = transcriber;
  const { transcribe } = PocketsphinxDecoder.prototype;
  vi.spyOn(transcriber, 'listen').mockImplementation((options) => {
    const live = listen.call(transcriber, options);
    waiting = [];
    const push = (pcm: Int16Array) => {
      const frames = pcm.length / frameSamples;
      waiting.push(...Array.from({ length: frames }, (_, index) => Date.now() - (frames - 1 - index) * frameMs));
      live?.push(pcm);
    };
    return live === null ? null : { push, end: () => live.end(), close: () => live.close() };
  });
  vi.spyOn(PocketsphinxDecoder.prototype, 'transcribe').mockImplementation(async function (
    this: PocketsphinxDecoder,
    pcm,
    signal,
  ) {
    const heard = Reflect.get(this, 'kind') === 'live' ? waiting.splice(0) : [];
    const decoded = await transcribe.call(this, pcm, signal);
    delaysMs.push(...heard.map((saidAtMs) => Date.now() - saidAtMs));
    return decoded;
  });
  return delaysMs;
}

describe.skipIf(speech === null)('what somebody is saying', () => {
  if (speech === null) return;
  const transcriber = new PocketsphinxTranscriber({ speechDirs: [speech.speechDir], decoders: 1 });
  beforeAll(() => transcriber.start());
  afterAll(() => transcriber.stop());

  it('is shown while they speak, a few times per second, and followed by the message of the same time', async () => {
    const { shown, stored, say, origin, stop } = await reading(transcriber);
    // The first utterance starts the process; on a busy machine that takes longer than the utterance.
    let said = 0;
    for (; said < 6 && shown.length === 0; said++) await say('u1', joined(0.2, await clip(speech, 'cards/001'), 0.8));
    await eventually(() => expect(stored).toHaveLength(said), 40_000);
    shown.length = 0;
    stored.length = 0;
    const soundMs = soundDelays(transcriber);
    const sentence = await clip(speech, 'librivox/sense_and_sensibility_01_austen_64kb-0870');
    await say('u1', joined(0.5, await clip(speech, 'goforward'), 1.2, sentence, 1));
    await eventually(() => expect(stored.length).toBeGreaterThan(1), 40_000);
    await stop();
    for (const [index, { atMs, startMs }] of shown.entries())
      if (shown[index - 1]?.startMs === startMs) expect(atMs - (shown[index - 1]?.atMs ?? 0)).toBeGreaterThan(150);
    const delaysMs = stored.flatMap(({ startMs, asr }, index) =>
      (asr?.words ?? []).flatMap(({ text, endMs }) => {
        const formerEndMs = stored[index - 1]?.endMs ?? 0;
        const own = shown.filter((one) => one.startMs <= startMs && one.startMs >= formerEndMs);
        const heard = own.find(({ content }) => content.split(' ').includes(text));
        return heard === undefined ? [] : [heard.atMs - origin.getTime() - (endMs ?? 0)];
      }),
    );
    expect(delaysMs.length).toBeGreaterThan(4);
    vi.restoreAllMocks();
    process.stdout.write(`${delaysMs.length} words were shown within ${most(delaysMs)}\n`);
    process.stdout.write(`sound was in the text after ${most(soundMs)}, of ${soundMs.length / 50} s\n`);
  }, 120_000);

  it('is not recognised before its end while nobody reads along', async () => {
    const { shown, stored, say, stop } = await reading(transcriber, false);
    await say('u1', joined(0.2, await clip(speech, 'cards/001'), 0.8));
    await eventually(() => expect(stored).toHaveLength(1), 20_000);
    await stop();
    expect(shown).toEqual([]);
  }, 40_000);
});

describe('what is shown', () => {
  const hum = Int16Array.from({ length: 0.8 * sampleRate }, (_, at) => Math.round(9_000 * Math.sin(at / 12)));

  /** Says a word for each 100 ms of sound; in the end, `final`. */
  const recogniser = (final: string) => {
    const calls: string[] = [];
    const transcriber: Transcriber = {
      ...{ name: 'counting', concurrency: 1, probe: async () => ({ ok: true }) },
      ...{ start: async () => {}, stop: async () => {} },
      transcribe: async () => ({ text: final, quality: 'good', language: null, ...unstated }),
      listen: ({ onText }) => {
        let samples = 0;
        return {
          push: (pcm) => {
            samples += pcm.length;
            onText(
              Array(Math.floor(samples / 1_600))
                .fill('word')
                .join(' '),
            );
          },
          end: () => void calls.push('end'),
          close: () => void calls.push('close'),
        };
      },
    };
    return { transcriber, calls };
  };

  it('is withdrawn where no message follows', async () => {
    const { transcriber, calls } = recogniser('');
    const { shown, stored, say, stop } = await reading(transcriber, true, loud);
    await say('u1', joined(0.1, hum, 0.8));
    await eventually(() => expect(shown.at(-1)?.content).toBe(''));
    await stop();
    expect(shown[0]?.content).toMatch(/^word/);
    expect(stored).toEqual([]);
    expect(calls).toEqual(['end', 'close']);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['was erased', async () => null],
    ['could not be stored', () => Promise.reject(new Error('disk full'))],
  ])('is withdrawn where the message %s', async (_, utterance) => {
    const { shown, say, stop } = await reading(recogniser('words').transcriber, true, loud, { sink: { utterance } });
    await say('u1', joined(0.1, hum, 0.8));
    await eventually(() => expect(shown.at(-1)?.content).toBe(''));
    await stop();
    expect(shown[0]?.content).toMatch(/^word/);
  });

  it('is heard with what is known of the speaker', async () => {
    const { transcriber } = recogniser('words');
    const known: unknown[] = [];
    const listen = (options: LiveOptions) => {
      void options.hints?.().then((hints) => known.push(hints));
      return transcriber.listen?.(options) ?? null;
    };
    const hints = async (speaker: string) => ({ language: 'de', vocabulary: [speaker] });
    const { stored, say, stop } = await reading({ ...transcriber, listen }, true, loud, { hints });
    await say('u1', joined(0.1, hum, 0.8));
    await eventually(() => expect(stored).toHaveLength(1));
    await stop();
    expect(known[0]).toEqual({ language: 'de', vocabulary: ['u1'] });
  });

  it('ends with the message, however late a text comes', async () => {
    const { transcriber } = recogniser('words');
    const { shown, stored, say, stop } = await reading(transcriber, true, loud);
    await say('u1', joined(0.1, hum, 0.8));
    await eventually(() => expect(stored).toHaveLength(1));
    const count = shown.length;
    await sleep(400);
    await stop();
    expect(shown.map(({ content }) => content)).not.toContain('');
    expect(shown).toHaveLength(count);
  });
});

describe('a recogniser of whole pieces', () => {
  const second = new Int16Array(sampleRate);
  const follow = (decode: ConstructorParameters<typeof Redecoder>[0], mayWork = () => true) => {
    const texts: string[] = [];
    const live = new Redecoder(decode).listen({ onText: (text) => void texts.push(text), mayWork });
    if (live === null) throw new Error('it does not follow');
    return { live, texts };
  };

  it('decodes only the last seconds again, and keeps the words before', async () => {
    const lengths: number[] = [];
    const { live, texts } = follow(async (pcm) => {
      const seconds = pcm.length / sampleRate;
      lengths.push(seconds);
      const words = Array.from({ length: Math.floor(seconds) }, (_, index) => ({
        ...{ text: 'word', confidence: null, startMs: index * 1_000, endMs: index * 1_000 + 1_000 },
      }));
      return { text: words.map(({ text }) => text).join(' '), words };
    });
    for (let said = 1; said <= 12; said++) {
      live.push(second);
      await eventually(() => expect(texts.at(-1)).toBe(Array(said).fill('word').join(' ')));
    }
    expect(Math.max(...lengths)).toBeLessThanOrEqual(4);
  });

  it('keeps words sooner where steps take long', async () => {
    const lengths: number[] = [];
    const { live, texts } = follow(async (pcm) => {
      const seconds = pcm.length / sampleRate;
      lengths.push(seconds);
      await sleep(200);
      const startMs = seconds * 1_000 - 1_400;
      return { text: 'word', words: [{ text: 'word', confidence: null, startMs, endMs: startMs + 300 }] };
    });
    for (let said = 1; said <= 4; said++) {
      live.push(second);
      await eventually(() => expect(texts).toHaveLength(said));
    }
    expect(Math.max(...lengths)).toBeLessThan(3);
  });

  it('does nothing while finished utterances wait, nor after the end', async () => {
    let isFree = false;
    let steps = 0;
    const decode = async () => {
      steps++;
      return { text: `step ${steps}`, words: [] };
    };
    const { live, texts } = follow(decode, () => isFree);
    live.push(second);
    await sleep(50);
    expect(steps).toBe(0);
    isFree = true;
    live.push(second);
    await eventually(() => expect(texts).toEqual(['step 1']));
    live.end();
    live.push(second);
    await sleep(50);
    expect(texts).toEqual(['step 1']);
  });

  it('that fails says nothing more of this utterance, and follows the next', async () => {
    let fails = true;
    const redecoder = new Redecoder(async () => {
      if (fails) throw new Error('gone');
      return { text: 'back', words: [] };
    });
    const texts: string[] = [];
    const options = { onText: (text: string) => void texts.push(text), mayWork: () => true };
    redecoder.listen(options)?.push(second);
    await sleep(20);
    fails = false;
    redecoder.listen(options)?.push(second);
    await eventually(() => expect(texts).toEqual(['back']));
  });
});
