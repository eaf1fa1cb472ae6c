/** What a bad network does to the bot: packets lost, overtaken and sent by clocks that run fast, twenty people at once. */
import { Encoder } from '@evan/opus';
import { beforeAll, describe, expect, it } from 'vitest';
import { lossy } from '../../../bench/lossy-packets.mjs';
import { chanceOf } from '../../../daemon/commands/simulator/chance.js';
import { type RecognizedUtterance, SessionBot } from '../../../daemon/modules/sessions/bot/bot.js';
import { EvidenceBuffer, evidenceMemory } from '../../../daemon/modules/sessions/bot/evidence-buffer.js';
import { OpusDecoder } from '../../../daemon/modules/sessions/bot/opus.js';
import type { BotPacket } from '../../../daemon/modules/sessions/bot/speaker-packet.js';
import {
  frameSamples,
  loadVoiceActivity,
  type VoiceDetector,
} from '../../../daemon/modules/sessions/bot/voice-activity.js';
import { RecognitionQueue } from '../../../daemon/modules/sessions/recognisers/recognition-queue.js';
import { type Transcriber, unstated } from '../../../daemon/modules/sessions/recognisers/transcriber.js';
import { markedVoice, voiceIn, voicesMax } from '../../support/marked-voices.js';
import { scale, torture } from '../../support/scale.js';
import { clip, joined, loudPart, speechForTests } from '../../support/speech-clips.js';
import { interleaved, OpenTap, spokenPackets } from '../../support/spoken-packets.js';

const speech = await speechForTests();
const origin = new Date('2026-01-01T00:00:00Z');
const originMs = origin.getTime();
const timesWithinMs = 300;
const shares = torture ? [0.01, 0.02, 0.05, 0.1, 0.15, 0.2] : [0.2];

/** Says whose voice it hears. */
const telling: Transcriber = {
  name: 'telling',
  concurrency: 1,
  probe: async () => ({ ok: true }),
  start: async () => {},
  stop: async () => {},
  transcribe: async (pcm) => ({ ...unstated, text: `voice ${voiceIn(pcm)}`, quality: 'good', language: null }),
};

/** Sound that glides, so that continuing it is not enough to know what was lost. */
const glide = Int16Array.from({ length: 100 * frameSamples }, (_, index) => {
  const phase = 2 * Math.PI * (180 * (index / 16_000) + 8 * Math.sin(index / 1_600));
  return 6_000 * Math.sin(phase) + 2_000 * Math.sin(5 * phase);
});

/** Correlation, -1 to 1, of the sound of each fifth frame with what is recovered where it is lost. */
async function likeness(fec: boolean): Promise<number> {
  const encoder = new Encoder({ channels: 1, sample_rate: 16_000, application: 'voip' });
  encoder.bitrate = 32_000;
  encoder.inband_fec = fec;
  encoder.packet_loss = fec ? 20 : 0;
  const [whole, losing] = await Promise.all([OpusDecoder.create(), OpusDecoder.create()]);
  let [product, spoken, recovered] = [0, 0, 0];
  let lost: Int16Array | null = null;
  for (let index = 0; index < 100; index++) {
    const frame = encoder.encode(glide.slice(index * frameSamples, (index + 1) * frameSamples)).slice();
    const heard = whole.decode(frame);
    if (index % 5 === 2) {
      lost = heard;
      continue;
    }
    const found = lost === null ? null : losing.recover(frameSamples, frame);
    for (const [at, sample] of found?.entries() ?? []) {
      product += sample * (lost?.[at] ?? 0);
      spoken += (lost?.[at] ?? 0) ** 2;
      recovered += sample ** 2;
    }
    lost = null;
    losing.decode(frame);
  }
  whole.close();
  losing.close();
  return product / Math.sqrt(spoken * recovered);
}

describe('an Opus decoder', () => {
  it('takes what was lost from the frame after it, and continues the sound before where that has nothing', async () => {
    const [fromNext, continued] = [await likeness(true), await likeness(false)];
    expect(fromNext).toBeGreaterThan(0.8);
    expect(continued).toBeGreaterThan(0.1);
    expect(fromNext).toBeGreaterThan(continued + 0.1);
  });

  it('recovers no more than 120 ms, nothing from what is not Opus, and goes on after both', async () => {
    const decoder = await OpusDecoder.create();
    const [frame] = spokenPackets(glide, { externalUserId: 'u', startedAtMs: 0 }).map(({ payload }) => payload);
    if (frame === undefined) throw new Error('There is no frame.');
    expect(decoder.recover(6 * frameSamples, frame)).toHaveLength(6 * frameSamples);
    expect(decoder.recover(7 * frameSamples, frame)).toBeNull();
    expect(decoder.recover(frameSamples + 1, frame)).toBeNull();
    expect(decoder.recover(frameSamples, new Uint8Array(0))).toBeNull();
    expect(decoder.recover(frameSamples, Uint8Array.of(0xff, 0xff, 0xff))).toBeNull();
    expect(decoder.decode(frame)).toHaveLength(frameSamples);
    decoder.close();
  });
});

describe.skipIf(speech === null)('a bot on a bad network', () => {
  if (speech === null) return;
  let newDetector: () => VoiceDetector;
  let tenOfClubs: Int16Array;
  beforeAll(async () => {
    [newDetector, tenOfClubs] = await Promise.all([loadVoiceActivity(), clip(speech, 'cards/001')]);
  });

  async function heard(packets: readonly BotPacket[]): Promise<RecognizedUtterance[]> {
    const [tap, transcripts, errors]: [OpenTap, RecognizedUtterance[], string[]] = [new OpenTap(), [], []];
    const bot = new SessionBot({
      ...{ tenantId: 'tenant', sessionId: 'session', tap, newDetector, cipher: () => null, origin, now: () => origin },
      evidence: new EvidenceBuffer(evidenceMemory(0), 'tenant'),
      queue: new RecognitionQueue(telling),
      sink: { utterance: async (transcript) => void transcripts.push(transcript) },
      log: { error: (_, sentence) => void errors.push(sentence) },
    });
    bot.start();
    tap.say(packets);
    await bot.stop(); // hears all packets first
    expect(errors).toEqual([]);
    return transcripts;
  }

  /** Two sentences after pauses of their own, and when they are loud. */
  function turns(voice: number, random: () => number) {
    const pcm = markedVoice(tenOfClubs, voice);
    const loud = loudPart(pcm);
    const firstAt = 0.5 + Math.round(random() * 100) / 50;
    const secondAt = firstAt + pcm.length / 16_000 + 1.5 + Math.round(random() * 100) / 50;
    const said = joined(firstAt, pcm, secondAt - firstAt - pcm.length / 16_000, pcm, 1);
    const times = [firstAt, secondAt].map((at) => [at * 1_000 + loud.startMs, at * 1_000 + loud.endMs] as const);
    return { said, times };
  }

  const seeds = Array.from({ length: scale(1, 5) }, (_, index) => index + 1);
  it.each(shares.flatMap((share) => seeds.map((seed) => [share, seed] as const)))(
    'tells twenty people apart who speak at once, in time, with %d of the packets lost (seed %d)',
    async (share, seed) => {
      const random = chanceOf(seed);
      const all = Array.from({ length: voicesMax }, (_, voice) => turns(voice, random));
      const arriving = all.map(({ said }, voice) =>
        lossy(
          spokenPackets(said, { externalUserId: `u${voice}`, startedAtMs: originMs }),
          share,
          chanceOf(seed * 100 + voice),
        ),
      );
      const transcripts = await heard(interleaved(...arriving));
      for (const [voice, { times }] of all.entries()) {
        const own = transcripts.filter(({ externalUserId }) => externalUserId === `u${voice}`);
        expect(own.map(({ content }) => content)).toEqual(times.map(() => `voice ${voice}`));
        for (const [index, [startMs, endMs]] of times.entries()) {
          expect(Math.abs((own[index]?.startMs ?? 0) - startMs)).toBeLessThan(timesWithinMs);
          expect(Math.abs((own[index]?.endMs ?? 0) - endMs)).toBeLessThan(timesWithinMs);
        }
      }
      expect(transcripts).toHaveLength(2 * voicesMax);
    },
    60_000,
  );

  it.each([3_000, -3_000])(
    'keeps the times of a sender whose clock is off by %d in a million',
    async (perMillion) => {
      const minutes = scale(2, 30);
      const [pause, loud] = [20, loudPart(tenOfClubs)];
      const turn = pause + tenOfClubs.length / 16_000;
      const count = Math.floor((minutes * 60) / turn);
      const packets = spokenPackets(joined(...Array.from({ length: count }, () => [pause, tenOfClubs]).flat(), 1), {
        externalUserId: 'u1',
        startedAtMs: 0,
      }).map((packet) => ({ ...packet, arrivedAtMs: originMs + packet.arrivedAtMs * (1 + perMillion / 1_000_000) }));
      const transcripts = await heard(packets);
      expect(transcripts).toHaveLength(count);
      for (const [index, { startMs }] of transcripts.entries()) {
        const saidMs = ((index * turn + pause) * 1_000 + loud.startMs) * (1 + perMillion / 1_000_000);
        expect(Math.abs(startMs - saidMs)).toBeLessThan(timesWithinMs);
      }
    },
    60_000,
  );
});
