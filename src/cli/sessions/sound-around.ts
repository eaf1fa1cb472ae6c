/** Sound of several messages in one file, each at its time. Pure. */
import { type Recording, wavHeader } from '../../client/voice/wav-file.js';
import type { Message } from '../../contract/sessions/sessions.js';

/** Kept sound is of this rate. */
const rate = 16_000;
const samplesPerMs = rate / 1_000;
const typedMs = 1_000;

/** When it began and ended, epoch. */
export function spanOf({ timestamp, startMs, endMs }: Message): { readonly fromMs: number; readonly toMs: number } {
  const fromMs = Date.parse(timestamp);
  return { fromMs, toMs: fromMs + (startMs === null || endMs === null ? typedMs : endMs - startMs) };
}

/** Messages of which anything was said within so many seconds of this one. */
export function messagesAround(all: readonly Message[], middle: Message, seconds: number): Message[] {
  const { fromMs, toMs } = spanOf(middle);
  const [from, to] = [fromMs - seconds * 1_000, toMs + seconds * 1_000];
  return all.filter((one) => spanOf(one).toMs > from && spanOf(one).fromMs < to);
}

/** One WAV file, from the first of these times on. What people say at the same time is added up. */
export function mixed(
  sounds: readonly { readonly fromMs: number; readonly recording: Recording }[],
  zeroMs: number,
): Buffer {
  const places = sounds.map(({ fromMs, recording }) => ({
    recording,
    at: Math.round((fromMs - zeroMs) * samplesPerMs),
    length: Math.floor((recording.length * rate) / recording.rate),
  }));
  const sum = new Float32Array(Math.max(0, ...places.map(({ at, length }) => at + length)));
  for (const { recording, at, length } of places)
    for (let index = 0; index < length; index++)
      sum[at + index] = (sum[at + index] ?? 0) + recording.at(Math.floor((index * recording.rate) / rate));
  const data = Buffer.alloc(sum.length * 2);
  for (const [index, value] of sum.entries())
    data.writeInt16LE(Math.max(-32_768, Math.min(32_767, Math.round(value * 32_768))), index * 2);
  return Buffer.concat([wavHeader(rate, data.length), data]);
}
