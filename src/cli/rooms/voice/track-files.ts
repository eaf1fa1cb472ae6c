/**
 * A WAV file per speaker, all on the recording's clock: mixed together they are the room. Frames are written at their
 * time; silence stays a hole in the file, which reads as zeros.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { sampleRate } from '../../../client/voice/audio.js';
import { wavHeader, wavHeaderBytes } from '../../../client/voice/wav-file.js';
import { UsageError } from '../../../terminal/usage-error.js';
import { reasonOf } from '../../files/write-out.js';
import type { Sound } from './listen.js';

const samplesPerMs = sampleRate / 1_000;
/** Largest WAV file: 32 bits of bytes, twelve hours. */
const samplesMax = (0xffff_ffff - wavHeaderBytes) >>> 1;
const nameMax = 100;
/** After a pause this long the time of arrival counts: timestamps may have stood still meanwhile. */
const pauseMs = 300;

interface Track {
  readonly file: string;
  readonly descriptor: number;
  /** Sample and timestamp at which the speaker's current stream began, or went on after a pause. */
  anchor: { stream: string; sample: number; timestamp: number };
  samples: number;
  /** When the last frame arrived. */
  arrivedAtMs: number;
}

export class TrackFiles {
  private readonly tracks = new Map<string, Track>();

  /** Throws UsageError when the folder cannot be written to. */
  constructor(
    private readonly folder: string,
    private readonly startedAtMs: number,
  ) {
    attempt(() => mkdirSync(folder, { recursive: true }), `The folder ${folder} cannot be created`);
  }

  /** Throws UsageError when the speaker's file exists already, or cannot be written. */
  write({ speaker, pcm, stream, timestamp, atMs }: Sound): void {
    const heardAt = Math.max(0, Math.round((atMs - this.startedAtMs) * samplesPerMs) - pcm.length);
    const track = this.tracks.get(speaker) ?? this.open(speaker, { stream, sample: heardAt, timestamp }, atMs);
    const isAfterPause = atMs - track.arrivedAtMs > pauseMs;
    track.arrivedAtMs = atMs;
    if (track.anchor.stream !== stream || isAfterPause)
      track.anchor = { stream, sample: Math.max(heardAt, track.samples), timestamp };
    const sample = track.anchor.sample + ((timestamp - track.anchor.timestamp) | 0);
    if (sample < 0 || sample + pcm.length > samplesMax) return;
    const bytes = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
    const place = wavHeaderBytes + sample * 2;
    attempt(() => writeSync(track.descriptor, bytes, 0, bytes.length, place), `${track.file} cannot be written`);
    track.samples = Math.max(track.samples, sample + pcm.length);
  }

  /** Completes the files and returns their list. */
  close(): { externalUserId: string; file: string; seconds: number }[] {
    return [...this.tracks].map(([externalUserId, { file, descriptor, samples }]) => {
      writeSync(descriptor, wavHeader(sampleRate, samples * 2), 0, wavHeaderBytes, 0);
      closeSync(descriptor);
      return { externalUserId, file, seconds: Math.round(samples / (sampleRate / 100)) / 100 };
    });
  }

  private open(speaker: string, anchor: Track['anchor'], arrivedAtMs: number): Track {
    const plain = encodeURIComponent(speaker);
    const name = plain.length <= nameMax ? plain : `${plain.slice(0, nameMax)}-${this.tracks.size + 1}`;
    const file = join(this.folder, `${name}.wav`);
    const descriptor = attempt(() => openSync(file, 'wx', 0o600), `${file} cannot be written`);
    writeSync(descriptor, wavHeader(sampleRate, null), 0, wavHeaderBytes, 0);
    const track: Track = { file, descriptor, anchor, samples: 0, arrivedAtMs };
    this.tracks.set(speaker, track);
    return track;
  }
}

function attempt<T>(work: () => T, sentence: string): T {
  try {
    return work();
  } catch (cause) {
    throw new UsageError(`${sentence}: ${reasonOf(cause)}.`, { cause });
  }
}
