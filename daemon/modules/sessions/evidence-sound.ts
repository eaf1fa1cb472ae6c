/** Sound that bots hold in memory for reports: found by room, packed to be stored, and mixed to one WAV file. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { longestPacketMs, opusDurationMs } from '../../../src/media/opus-duration.js';
import { slicesOf } from '../../platform/database/slices.js';
import type { Clock } from '../../platform/time/clock.js';
import type { DebugAudio } from './bot/debug-audio.js';
import type { HeldFrame, HeldSound } from './bot/evidence-buffer.js';
import { OpusDecoder } from './bot/opus.js';
import { ReorderBuffer } from './bot/reorder.js';
import { spokenTimes } from './bot/stream-clock.js';
import type { HeardRoom } from './heard-rooms.js';
import type { MessageRow } from './message-store.js';
import { sampleRate } from './recognisers/transcriber.js';
import { wavFile, wavHeaderBytes } from './wav.js';

const samplesPerMs = sampleRate / 1_000;
const framesAtOnce = 200;
/** Longer than any project may hold. */
const longestMs = 310_000;
const frameHeadBytes = 10;
/** Between sounds. */
const longestSilenceMs = 2_000;
/** The last frame counts as long as most are. */
const frameMs = 20;

/** What one speaker said, as it is stored: frames of Opus, or a WAV file of `wavFile`. */
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
  held(room: HeardRoom): PackedSound[];
  /** True while the project keeps debug audio. */
  keepsAudio(projectId: string): Promise<boolean>;
  /** Yields the debug audio of these messages, in this order; none of what nobody heard, or that is over. */
  recorded(projectId: string, messageIds: readonly string[]): AsyncIterable<PackedSound>;
  /** Returns what a speaker said after a time; null: nothing. */
  after(sound: PackedSound, end: Date): PackedSound | null;
  /** Returns one WAV file. */
  mix(sounds: readonly StoredSound[]): Promise<Buffer>;
}

/** Puts the frames in order, each with the milliseconds from the epoch at which it was spoken: the times of the transcript. */
function placed(held: readonly HeldFrame[]): { readonly spokenAtMs: number; readonly frame: Uint8Array }[] {
  const order = new ReorderBuffer<HeldFrame>();
  const frames = [...held.flatMap((one) => order.push(one)), ...order.flush()];
  const durationOf = (frame: Uint8Array) => Math.min(opusDurationMs(frame), longestPacketMs);
  const times = spokenTimes(frames.map((one) => ({ ...one, durationMs: durationOf(one.frame) })));
  return frames.map(({ frame }, index) => ({ spokenAtMs: times[index] ?? 0, frame }));
}

export function packSound({ externalUserId, frames }: HeldSound): PackedSound {
  const all = placed(frames);
  const startedAtMs = all[0]?.spokenAtMs ?? 0;
  const packed = all.flatMap(({ spokenAtMs, frame }) => {
    const atMs = spokenAtMs - startedAtMs;
    return atMs >= longestMs ? [] : packedFrame(atMs, frame);
  });
  return {
    externalUserId,
    startedAt: new Date(startedAtMs),
    durationMs: Math.round(Math.min((all.at(-1)?.spokenAtMs ?? startedAtMs) - startedAtMs, longestMs) + frameMs),
    packed: Buffer.concat(packed),
  };
}

/** Returns what a speaker said after a time; null: nothing. */
export function soundAfter(sound: PackedSound, end: Date): PackedSound | null {
  const { externalUserId, startedAt, durationMs, packed } = sound;
  const sinceMs = end.getTime() - startedAt.getTime();
  if (sinceMs <= 0) return sound;
  if (sinceMs >= durationMs) return null;
  const rest = unpack(packed).filter(({ atMs }) => atMs >= sinceMs);
  const [first] = rest;
  if (first === undefined) return null;
  return {
    externalUserId,
    startedAt: new Date(startedAt.getTime() + first.atMs),
    durationMs: Math.round(durationMs - first.atMs),
    packed: Buffer.concat(rest.flatMap(({ atMs, frame }) => packedFrame(atMs - first.atMs, frame))),
  };
}

function packedFrame(atMs: number, frame: Uint8Array): [head: Buffer, frame: Uint8Array] {
  const head = Buffer.alloc(frameHeadBytes);
  head.writeDoubleBE(atMs, 0);
  head.writeUInt16BE(frame.length, 8);
  return [head, frame];
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

/** Times from the first sound on, in milliseconds. Longer silence is cut: named messages may be hours apart. */
function placedSounds(sounds: readonly StoredSound[]): (StoredSound & { readonly fromMs: number })[] {
  const sorted = sounds.toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime());
  let [cutMs, endMs] = [sorted[0]?.startedAt.getTime() ?? 0, 0];
  return sorted.map((sound) => {
    const silentMs = sound.startedAt.getTime() - cutMs - endMs;
    if (silentMs > longestSilenceMs) cutMs += silentMs - longestSilenceMs;
    const fromMs = sound.startedAt.getTime() - cutMs;
    endMs = Math.max(endMs, fromMs + sound.durationMs);
    return { ...sound, fromMs };
  });
}

/** Mixes the sound of several speakers, each at its time, to one WAV file. Lets other work run in between. */
export async function mixSounds(sounds: readonly StoredSound[]): Promise<Buffer> {
  const placed = placedSounds(sounds);
  const mixed = new Int16Array(
    Math.round(Math.max(0, ...placed.map(({ fromMs, durationMs }) => fromMs + durationMs)) * samplesPerMs),
  );
  const add = (pcm: Int16Array, atMs: number): void => {
    const offset = Math.round(atMs * samplesPerMs);
    for (const [index, sample] of pcm.subarray(0, Math.max(0, mixed.length - offset)).entries())
      mixed[offset + index] = Math.max(-32_768, Math.min(32_767, (mixed[offset + index] ?? 0) + sample));
  };
  for (const { fromMs, packed } of placed) {
    if (isWav(packed)) {
      add(samplesOf(packed), fromMs);
      await nextTurn();
      continue;
    }
    const decoder = await OpusDecoder.create();
    try {
      for (const some of slicesOf(unpack(packed), framesAtOnce)) {
        for (const { atMs, frame } of some) add(decoder.decode(frame) ?? new Int16Array(0), fromMs + atMs);
        await nextTurn();
      }
    } finally {
      decoder.close();
    }
  }
  return wavFile(mixed, sampleRate);
}

/** Packed frames begin with the time of the first, which is 0. */
const isWav = (packed: Buffer): boolean => packed.toString('latin1', 0, 4) === 'RIFF';

function samplesOf(wav: Buffer): Int16Array {
  const pcm = new Int16Array(Math.max(0, Math.floor((wav.length - wavHeaderBytes) / 2)));
  for (let index = 0; index < pcm.length; index += 1) pcm[index] = wav.readInt16LE(wavHeaderBytes + index * 2);
  return pcm;
}

interface MessagesById {
  byIds(projectId: string, ids: readonly string[]): Promise<MessageRow[]>;
}

/** Reads debug audio for reports. */
export const recordedSounds = (messages: MessagesById, recordings: Pick<DebugAudio, 'read'>, now: Clock) =>
  async function* recorded(projectId: string, messageIds: readonly string[]): AsyncGenerator<PackedSound> {
    const rows = new Map((await messages.byIds(projectId, messageIds)).map((row) => [row.id, row]));
    for (const id of messageIds) {
      const { externalUserId, audioFile, audioExpiresAt, timestamp: startedAt, shadowMuted } = rows.get(id) ?? {};
      if (externalUserId == null || audioFile == null || startedAt === undefined || shadowMuted === true) continue;
      const packed = audioExpiresAt != null && audioExpiresAt > now() ? await recordings.read(audioFile) : null;
      if (packed === null) continue;
      const durationMs = Math.round((packed.length - wavHeaderBytes) / 2 / samplesPerMs);
      yield { externalUserId, startedAt, durationMs, packed };
    }
  };
