/**
 * Detects turns of speech: a turn begins with the first loud frame and ends after a second without one.
 * Counts what arrived and what was lost on the way.
 */
import { Decoder } from '@evan/opus';
import { audioLevel, frameMs, sampleRate } from './audio.js';
import type { HeardFrame } from './listener.js';

/** Softer than this is no speech, in -dBov. */
const speechLevel = 50;
const silenceMs = 1_000;
/** Speakers who were not heard for this long are forgotten: each has a decoder. */
const forgottenMs = 60_000;
/** A stream that jumps further has restarted. */
const jumpMax = 3_000;

export interface Turn {
  readonly speaker: string;
  /** Duration of loud sound. */
  readonly seconds: number;
  readonly packets: number;
  readonly lost: number;
}

interface TurnHooks {
  readonly onBegin: (speaker: string) => void;
  readonly onEnd: (turn: Turn) => void;
}

interface DecodedVoice {
  readonly decoder: Decoder;
  stream: string;
  sequence: number;
  heardAtMs: number;
  turn: { packets: number; lost: number; loudFrames: number; loudAtMs: number } | null;
}

export class SpeechTurns {
  private readonly voices = new Map<string, DecodedVoice>();

  constructor(private readonly hooks: TurnHooks) {}

  /** Samples of the frame at 48 kHz; null when it is not Opus. */
  decode({ speaker, opus, stream, sequence, atMs }: HeardFrame): Int16Array | null {
    const known = this.voices.get(speaker);
    const voice = known ?? newVoice(stream, sequence);
    voice.heardAtMs = atMs;
    this.voices.set(speaker, voice);
    const ahead = voice.stream === stream ? (sequence - voice.sequence) & 0xffff : 1;
    if (ahead < 0x8000) [voice.stream, voice.sequence] = [stream, sequence];
    const pcm = decoded(voice.decoder, opus);
    const isLoud = pcm !== null && audioLevel(pcm) < speechLevel;
    if (isLoud && voice.turn === null) {
      voice.turn = { packets: 0, lost: 0, loudFrames: 0, loudAtMs: atMs };
      this.hooks.onBegin(speaker);
    }
    const { turn } = voice;
    if (turn !== null) {
      turn.packets += 1;
      if (ahead > 1 && ahead < jumpMax) turn.lost += ahead - 1;
      if (isLoud) [turn.loudFrames, turn.loudAtMs] = [turn.loudFrames + 1, atMs];
    }
    return pcm;
  }

  /** Ends turns after silence. Call it a few times per second. */
  check(nowMs: number): void {
    for (const [speaker, voice] of this.voices) {
      if (voice.turn !== null && nowMs - voice.turn.loudAtMs > silenceMs) this.end(speaker, voice);
      if (nowMs - voice.heardAtMs > forgottenMs) this.voices.delete(speaker);
    }
  }

  /** Ends every turn. */
  close(): void {
    for (const [speaker, voice] of this.voices) this.end(speaker, voice);
  }

  private end(speaker: string, voice: DecodedVoice): void {
    if (voice.turn === null) return;
    const { packets, lost, loudFrames } = voice.turn;
    voice.turn = null;
    this.hooks.onEnd({ speaker, seconds: Math.round((loudFrames * frameMs) / 100) / 10, packets, lost });
  }
}

const newVoice = (stream: string, sequence: number): DecodedVoice => ({
  decoder: new Decoder({ channels: 1, sample_rate: sampleRate }),
  stream,
  sequence: (sequence - 1) & 0xffff,
  heardAtMs: 0,
  turn: null,
});

function decoded(decoder: Decoder, opus: Uint8Array): Int16Array | null {
  try {
    return new Int16Array(decoder.decode(opus).slice().buffer); // a copy: the decoder uses its memory again
  } catch {
    return null;
  }
}
