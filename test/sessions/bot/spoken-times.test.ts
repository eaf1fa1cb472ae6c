/**
 * What holds for a speaker whatever happens on the way: every word is heard once, within its message and as long as it was
 * spoken, no message of a stream overlaps another, and reports have the sound at the times of the transcript. Clients pause
 * and stall with their timestamps standing still or not, begin anew within a connection, and run over the ends of their numbers;
 * networks hold packets up for seconds, shake, swap and repeat them.
 */
import { Encoder } from '@evan/opus';
import { describe, expect, it } from 'vitest';
import { chanceOf } from '../../../daemon/commands/simulator/chance.js';
import { type RecognizedUtterance, SessionBot } from '../../../daemon/modules/sessions/bot/bot.js';
import { EvidenceBuffer, evidenceMemory } from '../../../daemon/modules/sessions/bot/evidence-buffer.js';
import type { BotPacket } from '../../../daemon/modules/sessions/bot/speaker-packet.js';
import { frameMs, frameSamples, type VoiceDetector } from '../../../daemon/modules/sessions/bot/voice-activity.js';
import { mixSounds, packSound } from '../../../daemon/modules/sessions/evidence-sound.js';
import { RecognitionQueue } from '../../../daemon/modules/sessions/recognisers/recognition-queue.js';
import { sampleRate, type Transcriber, unstated } from '../../../daemon/modules/sessions/recognisers/transcriber.js';
import { readWav } from '../../../src/client/voice/wav-file.js';
import { scale } from '../../support/scale.js';
import { OpenTap } from '../../support/spoken-packets.js';

const origin = new Date('2026-01-01T00:00:00Z');
const originMs = origin.getTime();
const wordsSpoken = 12;
const timesWithinMs = 200;
const lengthWithinMs = 100;
const loudLevel = 1_500;

const isLoud = (frame: Int16Array): boolean => frame.some((sample) => Math.abs(sample) > loudLevel);
const newDetector = (): VoiceDetector => ({ isSpeech: isLoud, close: () => {} });
const hertzOf = (word: number): number => 300 + 100 * word;

/** The loud pieces of sound, each with the word that it is by its tone. */
function wordsIn(pcm: Int16Array): { word: number; startMs: number; endMs: number }[] {
  const found: { word: number; startMs: number; endMs: number }[] = [];
  for (let at = 0; at + frameSamples <= pcm.length; at += frameSamples) {
    const frame = pcm.subarray(at, at + frameSamples);
    if (!isLoud(frame)) continue;
    const atMs = (at / sampleRate) * 1_000;
    const last = found.at(-1);
    if (last !== undefined && atMs - last.endMs < 300) last.endMs = atMs + frameMs;
    else found.push({ word: 0, startMs: atMs, endMs: atMs + frameMs });
  }
  for (const piece of found) {
    const sound = pcm.subarray((piece.startMs / 1_000) * sampleRate, (piece.endMs / 1_000) * sampleRate);
    const powers = Array.from({ length: wordsSpoken }, (_, word) => powerAt(sound, hertzOf(word)));
    piece.word = powers.indexOf(Math.max(...powers));
  }
  return found;
}

function powerAt(pcm: Int16Array, hertz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hertz) / sampleRate);
  let power = 0;
  for (let from = 0; from + frameSamples <= pcm.length; from += frameSamples) {
    let [before, last] = [0, 0];
    for (let index = from; index < from + frameSamples; index++)
      [before, last] = [last, (pcm[index] ?? 0) + coefficient * last - before];
    power += before * before + last * last - coefficient * before * last;
  }
  return power;
}

/** Writes which words it hears. */
const hearing: Transcriber = {
  name: 'hearing',
  concurrency: 1,
  probe: async () => ({ ok: true }),
  start: async () => {},
  stop: async () => {},
  transcribe: async (pcm) => {
    const words = wordsIn(pcm).map(({ word, startMs, endMs }) => ({ text: `${word}`, startMs, endMs, confidence: 1 }));
    return { ...unstated, quality: 'good', language: null, text: words.map(({ text }) => text).join(' '), words };
  },
};

type Way = 'a good network' | 'a network that stalls';

interface Spoken {
  readonly packets: BotPacket[];
  /** When each word began, and how long it was without the stalls in it. */
  readonly words: { startMs: number; lengthMs: number }[];
  readonly stalls: { fromMs: number; untilMs: number }[];
}

/** A client that speaks all words, and what arrives of it. */
function spoken(seed: number, way: Way): Spoken {
  const random = chanceOf(seed);
  const between = (low: number, high: number) => low + random() * (high - low);
  const framesOf = (lowMs: number, highMs: number) => Math.round(between(lowMs, highMs) / frameMs);
  let nowMs = originMs + 1_000;
  let encoder: Encoder;
  let [sequence, timestamp] = [0, 0];
  const begin = () => {
    encoder = new Encoder({ channels: 1, sample_rate: sampleRate, application: 'voip' });
    encoder.bitrate = 32_000;
    // One time in two so that the numbers run over soon.
    const isNearEnd = random() < 0.5;
    sequence = isNearEnd ? 0x1_0000 - framesOf(200, 2_000) : Math.floor(between(0, 0xffff));
    timestamp = isNearEnd ? 0x1_0000_0000 - framesOf(200, 2_000) * 960 : Math.floor(between(0, 0xffff_ffff));
  };
  begin();
  const sent: BotPacket[] = [];
  const send = (pcm: Int16Array) => {
    nowMs += frameMs;
    sent.push({
      ...{ externalUserId: 'u', publicationId: 'p', audible: true, arrivedAtMs: nowMs },
      ...{ sequence: sequence & 0xffff, timestamp: timestamp >>> 0, payload: Buffer.from(encoder.encode(pcm)) },
    });
    sequence += 1;
    timestamp += 960;
  };
  const beSilent = (frames: number) => {
    for (let frame = 0; frame < frames; frame++) send(new Int16Array(frameSamples));
  };
  const words: Spoken['words'] = [];
  const tailMs = way === 'a good network' ? [160, 300] : [620, 900]; // else nothing would tell two words from one
  for (let word = 0; word < wordsSpoken; word++) {
    const turn = Math.floor(random() * 4);
    if (turn === 0) beSilent(framesOf(700, 3_000));
    else {
      const pauseMs = between(800, 12_000);
      nowMs += pauseMs;
      if (turn === 2) timestamp += Math.round(pauseMs * 48);
      if (turn === 3) begin();
      if (random() < 0.5) beSilent(framesOf(20, 200));
    }
    const frames = framesOf(400, 3_000);
    const stallAt = random() < 0.4 ? framesOf(100, frames * frameMs - 100) : -1;
    words.push({ startMs: nowMs, lengthMs: frames * frameMs });
    const turnPerSample = (2 * Math.PI * hertzOf(word)) / sampleRate;
    for (let frame = 0; frame < frames; frame++) {
      if (frame === stallAt) nowMs += between(1_200, 8_000);
      const at = frame * frameSamples;
      send(Int16Array.from({ length: frameSamples }, (_, index) => 8_000 * Math.sin(turnPerSample * (at + index))));
    }
    beSilent(framesOf(tailMs[0] ?? 0, tailMs[1] ?? 0));
  }
  const stalls: Spoken['stalls'] = [];
  if (way === 'a network that stalls')
    for (let fromMs = originMs + between(0, 8_000); fromMs < nowMs; fromMs += between(5_000, 20_000)) {
      stalls.push({ fromMs, untilMs: fromMs + between(1_200, 8_000) });
      fromMs += 8_000;
    }
  let lastMs = 0;
  let lateAt = Number.NEGATIVE_INFINITY;
  const packets = sent.flatMap((packet, index) => {
    const heldUp = stalls.find(({ fromMs, untilMs }) => fromMs <= packet.arrivedAtMs && packet.arrivedAtMs < untilMs);
    lastMs = Math.max(lastMs, (heldUp?.untilMs ?? packet.arrivedAtMs) + between(0, 40));
    const arrived = { ...packet, arrivedAtMs: lastMs };
    // Single ones: two beside each other are a client that begins anew.
    const isMuchTooLate = random() < 0.003 && index - lateAt > 400;
    if (isMuchTooLate) lateAt = index;
    const isTwice = random() < 0.02;
    return [
      arrived,
      ...(isTwice ? [arrived] : []),
      ...(isMuchTooLate ? [{ ...arrived, arrivedAtMs: lastMs + 3_000 }] : []),
    ];
  });
  for (let index = 1; index < packets.length; index++) {
    const [one, other] = [packets[index - 1], packets[index]];
    if (one === undefined || other === undefined || random() > 0.03 || other.arrivedAtMs - one.arrivedAtMs > 60)
      continue;
    [packets[index - 1], packets[index]] = [
      { ...other, arrivedAtMs: one.arrivedAtMs },
      { ...one, arrivedAtMs: other.arrivedAtMs },
    ];
    index += 1;
  }
  return { packets: packets.toSorted((a, b) => a.arrivedAtMs - b.arrivedAtMs), words, stalls };
}

const isNear = ({ startMs, lengthMs }: Spoken['words'][number], { fromMs, untilMs }: Spoken['stalls'][number]) =>
  fromMs < startMs + lengthMs + 10_000 && untilMs > startMs - 10_000;

const ways: Way[] = ['a good network', 'a network that stalls'];
const seeds = Array.from({ length: scale(12, 200) }, (_, index) => index + 1);
const cases = ways.flatMap((way) => seeds.map((seed) => [way, seed] as const));

describe('a speaker', () => {
  it.each(cases)('is written down once, in order and in time, over %s (seed %d)', async (way, seed) => {
    const { packets, words, stalls } = spoken(seed, way);
    const [tap, heard, errors]: [OpenTap, RecognizedUtterance[], string[]] = [new OpenTap(), [], []];
    const bot = new SessionBot({
      ...{ tenantId: 'tenant', sessionId: 'session', tap, newDetector, cipher: () => null, origin, now: () => origin },
      evidence: new EvidenceBuffer(evidenceMemory(0), 'tenant'),
      queue: new RecognitionQueue(hearing),
      sink: { utterance: async (utterance) => void heard.push(utterance) },
      log: { error: (_, sentence) => void errors.push(sentence) },
    });
    bot.start();
    tap.say(packets);
    await bot.stop();
    expect(errors).toEqual([]);
    expect(heard.map(({ content }) => content)).toEqual(words.map((_, word) => `${word}`));
    let endedMs = Number.NEGATIVE_INFINITY;
    for (const [word, { startMs, endMs, asr }] of heard.entries()) {
      const said = words[word] ?? { startMs: 0, lengthMs: 0 };
      const isHeldUp = stalls.some((stall) => isNear(said, stall));
      const lateMs = originMs + startMs - said.startMs;
      expect([word, lateMs]).toEqual([word, expect.toSatisfy((ms: number) => ms > -timesWithinMs)]);
      expect([word, lateMs]).toEqual([
        word,
        expect.toSatisfy((ms: number) => ms < (isHeldUp ? 16_000 : timesWithinMs)),
      ]);
      expect(Math.abs(endMs - startMs - said.lengthMs)).toBeLessThan(lengthWithinMs);
      expect(startMs).toBeGreaterThanOrEqual(endedMs);
      endedMs = endMs;
      const [only, ...more] = asr?.words ?? [];
      expect(more).toEqual([]);
      expect(only?.startMs).toBeGreaterThanOrEqual(startMs);
      expect(only?.endMs).toBeLessThanOrEqual(endMs);
      expect((only?.endMs ?? 0) - (only?.startMs ?? 0)).toBeGreaterThan(said.lengthMs - lengthWithinMs);
    }
    const seconds = words.reduce((sum, { lengthMs }) => sum + lengthMs, 0) / 1_000;
    expect(Math.abs(bot.status().counters.speechSeconds - seconds)).toBeLessThan(0.1 * wordsSpoken);
  });

  it.each(cases)(
    'is kept for reports whole, with the times of the transcript, over %s (seed %d)',
    async (way, seed) => {
      const { packets, words, stalls } = spoken(seed, way);
      const buffer = new EvidenceBuffer(evidenceMemory(100_000_000), 'tenant');
      buffer.keep(300);
      for (const packet of packets) buffer.push(packet, null);
      const [sound, ...more] = buffer.held(new Date(packets.at(-1)?.arrivedAtMs ?? 0)).map(packSound);
      if (sound === undefined) throw new Error('No sound is held.');
      expect(more).toEqual([]);
      const { length, at } = readWav(new Uint8Array(await mixSounds([sound])));
      const pcm = Int16Array.from({ length }, (_, index) => Math.round(at(index) * 32_767));
      const found = wordsIn(pcm);
      expect(new Set(found.map(({ word }) => word))).toEqual(new Set(words.keys()));
      expect(found.map(({ word }) => word)).toEqual(found.map(({ word }) => word).toSorted((a, b) => a - b));
      const seconds = (pieces: readonly number[]) => pieces.reduce((sum, ms) => sum + ms, 0) / 1_000;
      const heard = seconds(found.map(({ startMs, endMs }) => endMs - startMs));
      expect(Math.abs(heard - seconds(words.map(({ lengthMs }) => lengthMs)))).toBeLessThan(0.1 * wordsSpoken);
      for (const [word, said] of words.entries()) {
        const beganMs = sound.startedAt.getTime() + (found.find((piece) => piece.word === word)?.startMs ?? 0);
        if (stalls.some((stall) => isNear(said, stall))) continue;
        expect([word, Math.abs(beganMs - said.startMs)]).toEqual([
          word,
          expect.toSatisfy((ms: number) => ms < timesWithinMs),
        ]);
      }
    },
  );
});
