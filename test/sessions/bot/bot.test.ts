import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BotOptions, type RecognizedUtterance, SessionBot } from '../../../daemon/modules/sessions/bot/bot.js';
import { EvidenceBuffer, evidenceMemory } from '../../../daemon/modules/sessions/bot/evidence-buffer.js';
import type { BotPacket } from '../../../daemon/modules/sessions/bot/speaker-packet.js';
import {
  frameSamples,
  loadVoiceActivity,
  type VoiceDetector,
} from '../../../daemon/modules/sessions/bot/voice-activity.js';
import { PocketsphinxTranscriber } from '../../../daemon/modules/sessions/recognisers/pocketsphinx.js';
import {
  RecognitionQueue,
  waitingPerSessionMax,
} from '../../../daemon/modules/sessions/recognisers/recognition-queue.js';
import type {
  TranscribeOptions,
  Transcriber,
  Transcription,
} from '../../../daemon/modules/sessions/recognisers/transcriber.js';
import { confidenceLabel } from '../../../src/client/confidence-label.js';
import type { Bot as BotView } from '../../../src/contract/sessions/bots.js';
import { AsrReport } from '../../../src/contract/sessions/sessions.js';
import { FrameCipher } from '../../../src/media/frame-cipher.js';
import { eventually } from '../../support/eventually.js';
import { sealFrame } from '../../support/sealed-frames.js';
import { clip, joined, loudPart, speechForTests } from '../../support/speech-clips.js';
import { interleaved, OpenTap, spokenPackets } from '../../support/spoken-packets.js';

const speech = await speechForTests();
const origin = new Date('2026-01-01T00:00:00Z');
const originMs = origin.getTime();
let newDetector: () => VoiceDetector;

beforeAll(async () => {
  newDetector = await loadVoiceActivity();
});

interface Listening {
  bot: SessionBot;
  tap: OpenTap;
  transcripts: RecognizedUtterance[];
  statuses: BotView[];
  errors: string[];
  /** Time of the bot's clock. */
  clock: { nowMs: number };
}

const listening: Listening[] = [];
afterEach(async () => {
  for (const { bot } of listening.splice(0)) await bot.stop();
});

function listen(options: Partial<BotOptions> & Pick<BotOptions, 'queue'>): Listening {
  const clock = { nowMs: originMs };
  const [tap, transcripts, statuses, errors] = [
    new OpenTap(),
    [] as RecognizedUtterance[],
    [] as BotView[],
    [] as string[],
  ];
  const bot = new SessionBot({
    tenantId: 'tenant',
    sessionId: 'session',
    tap,
    evidence: new EvidenceBuffer(evidenceMemory(0), 'tenant'),
    sink: { utterance: async (transcript) => void transcripts.push(transcript) },
    newDetector,
    cipher: () => null,
    origin,
    now: () => new Date(clock.nowMs),
    log: { error: (_, sentence) => void errors.push(sentence) },
    onStatus: (status) => void statuses.push(status),
    ...options,
  });
  bot.start();
  const started = { bot, tap, transcripts, statuses, errors, clock };
  listening.push(started);
  return started;
}

const pieces = (transcripts: RecognizedUtterance[]) =>
  transcripts.map(({ externalUserId, status, content }) => ({ externalUserId, status, content }));

describe.skipIf(speech === null)('a bot that hears recorded speech', () => {
  if (speech === null) return;
  const transcriber = new PocketsphinxTranscriber({ speechDirs: [speech.speechDir], decoders: 1 });
  let goForward: Int16Array;
  let tenOfClubs: Int16Array;
  beforeAll(async () => {
    await transcriber.start();
    [goForward, tenOfClubs] = await Promise.all([clip(speech, 'goforward'), clip(speech, 'cards/001')]);
    return () => transcriber.stop();
  });

  it('hands over one utterance each, with its words and times', async () => {
    const { tap, transcripts, bot } = listen({ queue: new RecognitionQueue(transcriber) });
    const goAt = 1;
    const tenAt = goAt + goForward.length / 16_000 + 2;
    tap.say(spokenPackets(joined(goAt, goForward, 2, tenOfClubs, 1), { externalUserId: 'u1', startedAtMs: originMs }));
    await eventually(() => expect(transcripts).toHaveLength(2));
    expect(pieces(transcripts)).toEqual([
      { externalUserId: 'u1', status: 'recognised', content: 'go forward ten meters' },
      { externalUserId: 'u1', status: 'recognised', content: 'ten of clubs' },
    ]);
    for (const [transcript, pcm, atSeconds] of [
      [transcripts[0], goForward, goAt],
      [transcripts[1], tenOfClubs, tenAt],
    ] as const) {
      const loud = loudPart(pcm);
      expect(Math.abs((transcript?.startMs ?? 0) - (atSeconds * 1000 + loud.startMs))).toBeLessThan(300);
      expect(Math.abs((transcript?.endMs ?? 0) - (atSeconds * 1000 + loud.endMs))).toBeLessThan(300);
      expect(transcript?.spokenAt.getTime()).toBe(originMs + (transcript?.startMs ?? 0));
      const { words = [], signal, ...asr } = transcript?.asr ?? {};
      expect(asr).toMatchObject({ engine: 'pocketsphinx', quality: 'basic', noSpeechProbability: null });
      expect(words.map(({ text }) => text).join(' ')).toBe(transcript?.content);
      for (const { startMs, endMs } of words) {
        expect(startMs).toBeGreaterThan((transcript?.startMs ?? 0) - 250);
        expect(endMs).toBeLessThan((transcript?.endMs ?? 0) + 250);
      }
      expect(signal).toMatchObject({ clippedShare: 0, overlapShare: 0 });
      expect(signal?.levelDbfs).toBeGreaterThan(-40);
      expect(signal?.levelDbfs).toBeLessThan(-6);
    }
    expect(bot.status()).toMatchObject({
      state: 'listening',
      cause: null,
      counters: { peers: 1, utterances: 2, dropped: 0, failed: 0 },
    });
  });

  it('keeps two people apart who speak at the same time', async () => {
    const { tap, transcripts } = listen({ queue: new RecognitionQueue(transcriber) });
    const one = spokenPackets(joined(0.5, goForward, 1), { externalUserId: 'u1', startedAtMs: originMs });
    const two = spokenPackets(joined(0.6, tenOfClubs, 1), {
      externalUserId: 'u2',
      startedAtMs: originMs,
      sequence: 7,
      timestamp: 1,
    });
    tap.say(interleaved(one, two));
    await eventually(() => expect(transcripts).toHaveLength(2));
    expect(pieces(transcripts)).toEqual(
      expect.arrayContaining([
        { externalUserId: 'u1', status: 'recognised', content: 'go forward ten meters' },
        { externalUserId: 'u2', status: 'recognised', content: 'ten of clubs' },
      ]),
    );
  });

  it('tells the echo of another from somebody who speaks at the same time', async () => {
    const { tap, transcripts } = listen({ queue: new RecognitionQueue(transcriber) });
    const delayed = 0.24; // out of a loudspeaker and into a microphone, quieter, with noise of the room
    const quieter = Int16Array.from(goForward, (sample, index) => sample * 0.3 + 40 * Math.sin(index * index));
    const say = (pcm: Int16Array, externalUserId: string) =>
      spokenPackets(pcm, { externalUserId, startedAtMs: originMs, sequence: 7, timestamp: 1 });
    tap.say(
      interleaved(
        say(joined(0.5, goForward, 1), 'speaker'),
        say(joined(0.5 + delayed, quieter, 1), 'loudspeaker'),
        say(joined(0.7, tenOfClubs, 1.5), 'other'),
      ),
    );
    await eventually(() => expect(transcripts).toHaveLength(3));
    const echoes = transcripts.map(({ externalUserId, asr }) => [externalUserId, asr?.signal?.echo ?? 0] as const);
    const echoOf = new Map(echoes);
    expect(echoOf.get('loudspeaker')).toBeGreaterThan(0.9);
    for (const user of ['speaker', 'other']) expect([user, echoOf.get(user) ?? 1][1]).toBeLessThan(0.7);
    const line = transcripts.find(({ externalUserId }) => externalUserId === 'loudspeaker');
    expect(confidenceLabel({ asr: { ...AsrReport.parse(line?.asr), confidence: 0.41 } })).toBe('41 % (echo)');
  });

  it('understands through disorder, repetition and a lost packet, and keeps the times', async () => {
    const { tap, transcripts } = listen({ queue: new RecognitionQueue(transcriber) });
    const packets = spokenPackets(joined(0.5, tenOfClubs, 1), { externalUserId: 'u1', startedAtMs: originMs });
    const shaken = packets.flatMap((packet, index) => {
      if (index === 3) return []; // in the silence before, so that no word is lost
      if (index % 10 === 4) return [packets[index + 1] ?? packet, packet];
      return index % 10 === 5 ? [] : [packet, packet];
    });
    tap.say(shaken);
    await eventually(() => expect(transcripts).toHaveLength(1));
    expect(transcripts[0]?.content).toBe('ten of clubs');
    expect(Math.abs((transcripts[0]?.startMs ?? 0) - (500 + loudPart(tenOfClubs).startMs))).toBeLessThan(300);
  });

  it('ends an utterance when no packets come any more, and goes on after the pause', async () => {
    const { tap, transcripts, clock } = listen({ queue: new RecognitionQueue(transcriber) });
    const all = spokenPackets(joined(tenOfClubs, 5, goForward, 1), { externalUserId: 'u1', startedAtMs: originMs });
    const pauseFrom = Math.floor(tenOfClubs.length / frameSamples);
    tap.say(all.slice(0, pauseFrom));
    clock.nowMs = originMs + tenOfClubs.length / 16 + 1_000;
    await eventually(() => expect(transcripts).toHaveLength(1));
    tap.say(all.slice(pauseFrom + 240));
    await eventually(() => expect(transcripts).toHaveLength(2));
    expect(transcripts.map(({ content }) => content)).toEqual(['ten of clubs', 'go forward ten meters']);
    const expectedStart = tenOfClubs.length / 16 + 5_000 + loudPart(goForward).startMs;
    expect(Math.abs((transcripts[1]?.startMs ?? 0) - expectedStart)).toBeLessThan(300);
  });

  it('hands over exactly one utterance when the decoder is killed in the middle of it', async () => {
    const { tap, transcripts } = listen({ queue: new RecognitionQueue(transcriber) });
    const long = await clip(speech, 'librivox/sense_and_sensibility_01_austen_64kb-0880');
    tap.say(spokenPackets(joined(long, 1), { externalUserId: 'u1', startedAtMs: originMs }));
    await sleep(100);
    const own = execFileSync('pgrep', ['-f', `earshot-speech-${process.pid}-`], { encoding: 'utf8' })
      .trim()
      .split('\n');
    for (const pid of own) process.kill(Number(pid), 'SIGKILL');
    await eventually(() => expect(transcripts).toHaveLength(1));
    await sleep(500);
    expect(transcripts).toHaveLength(1);
    expect(transcripts[0]).toMatchObject({ status: 'recognised', content: expect.stringContaining('not') });
  });

  it('opens frames that are encrypted end to end', async () => {
    const cipher = new FrameCipher();
    await cipher.addPassword('open sesame');
    const { tap, transcripts } = listen({ queue: new RecognitionQueue(transcriber), cipher: () => cipher });
    tap.say(
      await sealed(
        spokenPackets(joined(tenOfClubs, 1), { externalUserId: 'u1', startedAtMs: originMs }),
        'open sesame',
      ),
    );
    await eventually(() => expect(transcripts).toHaveLength(1));
    expect(transcripts[0]?.content).toBe('ten of clubs');
  });

  it('says that the password is wrong when none opens', async () => {
    const cipher = new FrameCipher();
    await cipher.addPassword('open barley');
    const { tap, bot, transcripts } = listen({ queue: new RecognitionQueue(transcriber), cipher: () => cipher });
    tap.say(await sealed(spokenPackets(tenOfClubs, { externalUserId: 'u1', startedAtMs: originMs }), 'open sesame'));
    await eventually(() => expect(bot.status().cause).toBe('e2ee_password_wrong'));
    expect(transcripts).toEqual([]);
  });

  it('marks what was said under shadow_mute', async () => {
    const { tap, transcripts } = listen({ queue: new RecognitionQueue(transcriber) });
    const begun = { externalUserId: 'u1', startedAtMs: originMs };
    const packets = spokenPackets(joined(tenOfClubs, 1, tenOfClubs, 1), begun);
    tap.say(packets.map((packet, index) => ({ ...packet, audible: index > 20 })));
    await eventually(() => expect(transcripts).toHaveLength(2));
    expect(transcripts.map(({ shadowMuted }) => shadowMuted)).toEqual([true, false]);
  });

  it('recognises speech once there is a recogniser', async () => {
    const { tap, bot, transcripts } = listen({ queue: null });
    const say = (externalUserId: string) =>
      tap.say(spokenPackets(joined(tenOfClubs, 1), { externalUserId, startedAtMs: originMs }));
    say('early');
    await eventually(() => expect(bot.status().counters.peers).toBe(1));
    bot.recogniseWith(new RecognitionQueue(transcriber));
    say('late');
    await eventually(() => expect(transcripts).toHaveLength(1));
    expect(transcripts).toMatchObject([{ externalUserId: 'late', content: 'ten of clubs' }]);
  });

  it('hears out whoever falls silent in the middle of a stream, and knows them again', async () => {
    const { tap, clock, transcripts, bot } = listen({ queue: new RecognitionQueue(transcriber) });
    const spoken = (startedAtMs: number) => spokenPackets(tenOfClubs, { externalUserId: 'u1', startedAtMs });
    tap.say(spoken(originMs));
    await eventually(() => expect(bot.status().counters.packets).toBeGreaterThan(0));
    clock.nowMs += 120_000;
    await eventually(() => expect(transcripts).toHaveLength(1));
    tap.say(spoken(clock.nowMs));
    clock.nowMs += 120_000;
    await eventually(() => expect(transcripts).toHaveLength(2));
    expect(transcripts.map(({ content }) => content)).toEqual(['ten of clubs', 'ten of clubs']);
    expect(bot.status().counters.peers).toBe(1);
  });

  it('hears out the longest silent when more speak than it can follow', async () => {
    const { tap, transcripts, bot } = listen({ queue: new RecognitionQueue(transcriber) });
    tap.say(spokenPackets(tenOfClubs, { externalUserId: 'first', startedAtMs: originMs }));
    const others = Array.from({ length: 200 }, (_, index) =>
      spokenPackets(joined(0.04), { externalUserId: `u${index}`, startedAtMs: originMs + 10_000 }),
    );
    tap.say(others.flat());
    await eventually(() => expect(transcripts).toHaveLength(1));
    expect(transcripts).toMatchObject([{ externalUserId: 'first', content: 'ten of clubs' }]);
    expect(bot.status().counters.peers).toBe(201);
  });

  it('hears out, on stop, whoever is in the middle of a sentence', async () => {
    const { tap, bot, transcripts, statuses } = listen({ queue: new RecognitionQueue(transcriber) });
    const packets = spokenPackets(goForward, { externalUserId: 'u1', startedAtMs: originMs });
    tap.say(packets.slice(0, Math.floor(loudPart(goForward).endMs / 20)));
    await bot.stop('stopped_by_user');
    expect(transcripts.map(({ content }) => content)).toEqual(['go forward ten meters']);
    expect(statuses.slice(-2).map(({ state, cause }) => ({ state, cause }))).toEqual([
      { state: 'leaving', cause: 'stopped_by_user' },
      { state: 'stopped', cause: 'stopped_by_user' },
    ]);
  });
});

async function sealed(packets: BotPacket[], password: string): Promise<BotPacket[]> {
  return Promise.all(
    packets.map(async (packet) => ({ ...packet, payload: await sealFrame(packet.payload, password) })),
  );
}

/** Stands for a recogniser that is stuck, or one that is broken. */
class BadTranscriber implements Transcriber {
  readonly name = 'bad';
  readonly concurrency = 1;
  constructor(private readonly kind: 'stuck' | 'broken') {}
  probe = async () => ({ ok: true }) as const;
  start = async () => {};
  stop = async () => {};
  transcribe(_: Int16Array, { signal }: TranscribeOptions): Promise<Transcription> {
    if (this.kind === 'broken') return Promise.reject(new Error('broken'));
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('given up'))));
  }
}

describe.skipIf(speech === null)('a bot in trouble', () => {
  if (speech === null) return;
  let utterance: BotPacket[] = [];
  beforeAll(async () => {
    utterance = spokenPackets(joined(await clip(speech, 'cards/001'), 1), {
      externalUserId: 'u0',
      startedAtMs: originMs,
    });
  });
  const by = (externalUserId: string) =>
    utterance.map((packet) => ({ ...packet, externalUserId, publicationId: externalUserId }));

  it('tells of every utterance that does not fit into the queue, with its times', async () => {
    const { tap, transcripts, bot } = listen({ queue: new RecognitionQueue(new BadTranscriber('stuck')) });
    const overflow = 2;
    const speakers = Array.from({ length: 1 + waitingPerSessionMax + overflow }, (_, index) => `u${index}`);
    for (const speaker of speakers) tap.say(by(speaker)); // the first is in work, 64 wait
    await eventually(() => expect(transcripts).toHaveLength(overflow));
    const times = { startMs: expect.any(Number), endMs: expect.any(Number) };
    expect(transcripts).toMatchObject([
      { externalUserId: 'u65', status: 'dropped', content: '', asr: null, ...times },
      { externalUserId: 'u66', status: 'dropped', content: '', asr: null, ...times },
    ]);
    expect(transcripts[0]?.endMs).toBeGreaterThan(transcripts[0]?.startMs ?? 0);
    expect(bot.status().counters).toMatchObject({ peers: 67, dropped: 2, utterances: 0 });
  });

  it('waits for the recogniser on stop, not for long, then hands over the rest as dropped', async () => {
    const { tap, transcripts, bot } = listen({ queue: new RecognitionQueue(new BadTranscriber('stuck')) });
    for (const speaker of ['u1', 'u2', 'u3']) tap.say(by(speaker));
    const before = performance.now();
    await bot.stop();
    const tookMs = performance.now() - before;
    expect(tookMs).toBeGreaterThan(3_400);
    expect(tookMs).toBeLessThan(4_500);
    expect(transcripts.map(({ status }) => status)).toEqual(['dropped', 'dropped', 'dropped']);
  });

  it('says that the recogniser is failing after three failures in a row', async () => {
    const { tap, transcripts, bot } = listen({ queue: new RecognitionQueue(new BadTranscriber('broken')) });
    for (const speaker of ['u1', 'u2']) tap.say(by(speaker));
    await eventually(() => expect(transcripts).toHaveLength(2));
    await eventually(() => expect(bot.status().cause).toBeNull());
    tap.say(by('u3'));
    await eventually(() => expect(bot.status().cause).toBe('recogniser_failing'));
    expect(transcripts).toMatchObject([{ status: 'failed' }, { status: 'failed' }, { status: 'failed' }]);
    expect(bot.status().counters).toMatchObject({ failed: 3, utterances: 0 });
  });

  it('goes on when an utterance cannot be stored, and says so', async () => {
    const sink = { utterance: () => Promise.reject(new Error('disk full')) };
    const { tap, errors, bot } = listen({ queue: new RecognitionQueue(new BadTranscriber('broken')), sink });
    tap.say(by('u1'));
    await eventually(() => expect(errors).toEqual(['utterance could not be stored']));
    expect(bot.status().state).toBe('listening');
  });

  it('leaves out a stream that cannot be read, and goes on with the others', async () => {
    let detectors = 0;
    const { tap, bot, transcripts, errors } = listen({
      queue: new RecognitionQueue(new BadTranscriber('broken')),
      newDetector: () => {
        detectors += 1;
        if (detectors > 1) return newDetector();
        return { isSpeech: () => assert.fail('not this one'), close: () => {} };
      },
    });
    for (const speaker of ['u1', 'u2', 'u1']) tap.say(by(speaker));
    await eventually(() => expect(transcripts).toMatchObject([{ externalUserId: 'u2' }]));
    expect(errors).toEqual(['a stream cannot be heard, and is left out from now on']);
    expect(bot.status().state).toBe('listening');
  });

  it('does not stumble over what is not Opus', async () => {
    const { tap, bot } = listen({ queue: new RecognitionQueue(new BadTranscriber('broken')) });
    tap.say(utterance.map((packet, index) => ({ ...packet, payload: new Uint8Array(index % 4).fill(255) })));
    await eventually(() => expect(bot.status().counters.packets).toBe(utterance.length));
    expect(bot.status()).toMatchObject({ state: 'listening', counters: { speechSeconds: 0 } });
  });
});

describe('a bot without', () => {
  it('people says so, and says when somebody is there who does not speak', async () => {
    const { bot } = listen({ queue: new RecognitionQueue(new BadTranscriber('stuck')) });
    expect(bot.status()).toMatchObject({ state: 'listening', cause: 'room_empty' });
    bot.joined('u1');
    await eventually(() => expect(bot.status().cause).toBe('no_speech'));
    bot.left('u1');
    await eventually(() => expect(bot.status().cause).toBe('room_empty'));
    expect(bot.status().counters.peers).toBe(1);
  });

  it('a recogniser counts packets and says what is missing', async () => {
    const { bot, tap } = listen({ queue: null });
    tap.say(spokenPackets(joined(1), { externalUserId: 'u1', startedAtMs: originMs }));
    await eventually(() => expect(bot.status().counters).toMatchObject({ packets: 50, peers: 1 }));
    expect(bot.status()).toMatchObject({ state: 'listening', cause: 'recogniser_unavailable' });
  });

  it('a room for a moment waits for it, says so after five seconds, and goes on when it is back', async () => {
    const { bot, clock } = listen({ queue: new RecognitionQueue(new BadTranscriber('stuck')) });
    const says = (cause: string) => eventually(() => expect(bot.status().cause).toBe(cause));
    bot.joined('u1');
    await says('no_speech');
    bot.roomLost();
    bot.left('u1', 'restarted');
    await says('room_restarted');
    clock.nowMs += 5_000;
    await says('room_unreachable');
    bot.roomBack();
    await says('room_restarted');
    bot.joined('u1');
    await says('no_speech');
  });

  it('a room has failed', async () => {
    const { bot, tap, errors } = listen({ queue: null });
    tap.close();
    await eventually(() => expect(bot.status()).toMatchObject({ state: 'failed', cause: 'room_unreachable' }));
    expect(errors).toEqual(['bot lost its room']);
  });
});
