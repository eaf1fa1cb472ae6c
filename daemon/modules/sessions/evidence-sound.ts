/** Sound that bots hold in memory for reports: found by room, packed to be stored, and mixed to one WAV file. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { slicesOf } from '../../platform/database/slices.js';
import type { RoomAddress } from '../rooms/media/engine.js';
import type { HeldFrame, HeldSound } from './bot/evidence-buffer.js';
import { OpusDecoder } from './bot/opus.js';
import { sampleRate } from './recognisers/transcriber.js';
import { wavFile } from './wav.js';

const ticksPerSample = 3; // 48 kHz in timestamps, 16 kHz in samples
const samplesPerMs = sampleRate / 1_000;
const framesAtOnce = 200;
/** Longer than any project may hold. */
const longestMs = 310_000;
const frameHeadBytes = 10;
/** The last frame counts as long as most are. */
const frameMs = 20;

/** What one speaker said, as it is stored. */
export interface PackedSound {
  readonly externalUserId: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly packed: Buffer;
}

/** One stream of sound to be mixed with others. */
export type StoredSound = Omit<PackedSound, 'externalUserId'>;

export interface SoundForReports {
  /** Returns the last seconds of sound of everybody in the room; none where no bot holds any. */
  held(room: RoomAddress): PackedSound[];
  /** Returns one WAV file. */
  mix(sounds: readonly StoredSound[]): Promise<Buffer>;
}

/** Places each frame by its timestamp, from the arrival of the first one on; returns milliseconds from there. */
function placed(frames: readonly HeldFrame[]): { readonly atMs: number; readonly frame: Uint8Array }[] {
  const [first] = frames;
  if (first === undefined) return [];
  return frames
    .map(({ timestamp, frame }) => ({
      atMs: ((timestamp - first.timestamp) | 0) / ticksPerSample / samplesPerMs,
      frame,
    }))
    .filter(({ atMs }) => atMs >= 0 && atMs < longestMs)
    .sort((a, b) => a.atMs - b.atMs);
}

export function packSound({ externalUserId, frames }: HeldSound): PackedSound {
  const all = placed(frames);
  const heads = all.map(({ atMs, frame }) => {
    const head = Buffer.alloc(frameHeadBytes);
    head.writeDoubleBE(atMs, 0);
    head.writeUInt16BE(frame.length, 8);
    return Buffer.concat([head, frame]);
  });
  return {
    externalUserId,
    startedAt: new Date(frames[0]?.arrivedAtMs ?? 0),
    durationMs: Math.round((all.at(-1)?.atMs ?? 0) + frameMs),
    packed: Buffer.concat(heads),
  };
}

function unpack(packed: Buffer): { readonly atMs: number; readonly frame: Uint8Array }[] {
  const frames = [];
  for (let at = 0; at + frameHeadBytes <= packed.length; ) {
    const end = at + frameHeadBytes + packed.readUInt16BE(at + 8);
    frames.push({ atMs: packed.readDoubleBE(at), frame: packed.subarray(at + frameHeadBytes, end) });
    at = end;
  }
  return frames;
}

/** Mixes the sound of several speakers, each at its time, to one WAV file. Lets other work run in between. */
export async function mixSounds(sounds: readonly StoredSound[]): Promise<Buffer> {
  const startMs = Math.min(...sounds.map(({ startedAt }) => startedAt.getTime()));
  const endsMs = sounds.map(({ startedAt, durationMs }) => startedAt.getTime() - startMs + durationMs);
  const mixed = new Int16Array(Math.round(Math.max(0, ...endsMs) * samplesPerMs));
  for (const { startedAt, packed } of sounds) {
    const decoder = await OpusDecoder.create();
    try {
      for (const some of slicesOf(unpack(packed), framesAtOnce)) {
        for (const { atMs, frame } of some) {
          const pcm = decoder.decode(frame) ?? new Int16Array(0);
          const offset = Math.round((startedAt.getTime() - startMs + atMs) * samplesPerMs);
          for (const [index, sample] of pcm.subarray(0, Math.max(0, mixed.length - offset)).entries())
            mixed[offset + index] = Math.max(-32_768, Math.min(32_767, (mixed[offset + index] ?? 0) + sample));
        }
        await nextTurn();
      }
    } finally {
      decoder.close();
    }
  }
  return wavFile(mixed, sampleRate);
}
