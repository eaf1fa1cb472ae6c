// Recordings as the bot hears them: sent as Opus, cut into utterances, and written by a recogniser, one after the other.
import { chanceOf } from '#dist/daemon/commands/simulator/chance.js';
import { OpusDecoder } from '#dist/daemon/modules/sessions/bot/opus.js';
import { SpeakerStream } from '#dist/daemon/modules/sessions/bot/speaker.js';
import { frameMs } from '#dist/daemon/modules/sessions/bot/voice-activity.js';
import { spokenText } from '#dist/daemon/modules/sessions/recognisers/spoken-text.js';
import { sampleRate } from '#dist/daemon/modules/sessions/recognisers/transcriber.js';
import { speechFrames } from '#dist/src/voice.js';
import { lossy } from './lossy-packets.mjs';
import { quantile } from './statistics.mjs';
import { wordErrors } from './word-errors.mjs';
import { besides, noisy, quiet } from './worse-sound.mjs';

/** Lets the bot notice that somebody has finished. */
const silenceMs = 1_000;
const ticksPerFrame = frameMs * 48;
const patienceMs = 240_000;

export const plain = { title: 'As they are', sound: (recording) => recording, loss: 0 };
/** How recordings are made worse; `sound` is given the next one, too. */
export const conditions = [
  plain,
  { ...plain, title: 'White noise, 10 dB', sound: (recording) => noisy(recording, 10) },
  { ...plain, title: '-35 dBFS', sound: (recording) => quiet(recording, -35) },
  { ...plain, title: 'Another voice, 10 dB', sound: (recording, other) => besides(recording, other, 10) },
  { ...plain, title: '5 % of packets lost', loss: 0.05 },
  { ...plain, title: '10 % of packets lost', loss: 0.1 },
  { ...plain, title: '20 % of packets lost', loss: 0.2 },
];

/** Utterances of a recording, each with its end, and how much later the bot has all of it. */
export async function utterancesOf(clips, place, newDetector, { sound, loss } = plain) {
  const { recording } = clips[place];
  const worse = sound(recording, clips[(place + 1) % clips.length].recording);
  const sent = [...speechFrames(worse, silenceMs)].map(({ opus }, index) => ({
    ...{ externalUserId: 'speaker', publicationId: 'speaker', audible: true, arrivedAtMs: (index + 1) * frameMs },
    ...{ sequence: index & 0xffff, timestamp: (index * ticksPerFrame) >>> 0, payload: opus },
  }));
  const packets = loss === 0 ? sent : lossy(sent, loss, chanceOf(recording.length));
  const stream = new SpeakerStream(packets[0], newDetector(), await OpusDecoder.create(), () => null, {});
  const at =
    (packet) =>
    ({ pcm, endMs }) => ({ pcm, endMs, waitedMs: packet.arrivedAtMs - endMs });
  const heard = packets.flatMap((packet) => stream.onPacket(packet).map(at(packet)));
  const rest = stream.flush().map(at(packets.at(-1)));
  stream.close();
  return [...heard, ...rest];
}

/** Clips with their utterances in a condition. */
export async function heardClips(clips, newDetector, condition) {
  const heard = [];
  for (const [place, { words }] of clips.entries())
    heard.push({ words, utterances: await utterancesOf(clips, place, newDetector, condition) });
  return heard;
}

/** What nobody said is taken out, as the bot does it. */
export async function written(transcriber, pcm, language) {
  const heard = await transcriber.transcribe(pcm, { signal: AbortSignal.timeout(patienceMs), language });
  return { ...heard, text: spokenText(heard.text, (pcm.length / sampleRate) * 1_000) };
}

/** Wrong words, time and delays of a started recogniser. */
export async function measured(transcriber, clips, language) {
  let [errors, words, workMs, soundMs] = [0, 0, 0, 0];
  const delays = [];
  for (const clip of clips) {
    const texts = [];
    for (const { pcm, waitedMs } of clip.utterances) {
      const began = performance.now();
      const { text } = await written(transcriber, pcm, language);
      const tookMs = performance.now() - began;
      texts.push(text);
      workMs += tookMs;
      soundMs += (pcm.length / sampleRate) * 1_000;
      delays.push(waitedMs + tookMs);
    }
    const counted = wordErrors(clip.words, texts.join(' '));
    errors += counted.errors;
    words += counted.words;
  }
  return {
    ...{ words, errorRate: errors / words, realTimeFactor: soundMs === 0 ? null : workMs / soundMs },
    ...{ p50: quantile(delays, 0.5) ?? null, p99: quantile(delays, 0.99) ?? null },
  };
}
