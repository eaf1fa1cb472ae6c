/**
 * Cuts a stream of frames, marked as speech or not, into utterances. Pure: decides by frames and passes their times on.
 * All times are the stream's own (`stream-clock.ts`).
 */
import { joinedPcm } from '../pcm.js';
import { levelOf } from './signal.js';
import { frameMs } from './voice-activity.js';

/** Speech begins when it has lasted this long; shorter clicks start no utterance. */
const startFrames = 3;
/** Sound kept from before the beginning: soft consonants come before the detector notices. */
const preRollFrames = 300 / frameMs;
/** Frames further apart have a pause without packets between them. */
const pauseMs = 300;
/** Silence that ends an utterance. */
const hangOverFrames = 500 / frameMs;
/** Sound kept from behind the end of the speech: recognisers answer short utterances with more silence behind with nothing. */
const afterFrames = 100 / frameMs;
/** Of the power of the loudest frame (35 dB below): softer frames at the edges are what the detector adds to speech. */
const edgeShare = 3e-4;
/** Segments with less speech than this are noise. */
const speechFramesMin = 180 / frameMs;
/** Longer utterances are split, without a gap: at the last pause of the second half, where there is one. */
const segmentFramesMax = 20_000 / frameMs;

interface Frame {
  /** `frameSamples` samples. */
  pcm: Int16Array;
  atMs: number;
  /** How late its packet was; infinite where there was none. */
  latenessMs: number;
  voiced: boolean;
}

/** `startMs` and `endMs` enclose the speech; `pcm` has some silence around it. */
export interface SpeechSegment {
  pcm: Int16Array;
  startMs: number;
  endMs: number;
  speechMs: number;
  /** Time of the first sample of `pcm`. */
  audioStartMs: number;
  /** That of the least late packet from the beginning of the speech on. */
  latenessMs: number;
  /** Level of the speech, RMS. */
  levelDbfs: number;
  clippedShare: number;
}

export class Segmenter {
  /** Waiting: the last frames. Within an utterance: all its frames. */
  private frames: Frame[] = [];
  private within = false;
  /** The utterance goes on from one that was split. */
  private isRest = false;

  /** True while somebody is speaking. */
  get isOpen(): boolean {
    return this.within;
  }

  /** Time at which the current utterance began; null: there is none. */
  get openSinceMs(): number | null {
    return this.within ? (this.frames.find(({ voiced }) => voiced)?.atMs ?? null) : null;
  }

  /** True in the middle of speech: if no packets come now, they are more likely held up than not spoken. */
  get isBreakingOff(): boolean {
    const last = this.within ? this.frames.at(-1) : undefined;
    return last?.voiced === true && this.isAudible(last.pcm);
  }

  /** True if this sound, after a pause without packets, goes on with what broke off there. */
  isContinuedBy(pcm: Int16Array): boolean {
    return this.isBreakingOff && this.isAudible(pcm);
  }

  /** Sound of the current utterance so far. */
  pcm(): Int16Array {
    return pcmOf(this.frames);
  }

  push(frame: Frame): SpeechSegment | null {
    const last = this.frames.at(-1);
    // Sound from before a pause without packets does not precede what follows it.
    if (!this.within && last !== undefined && isPauseBetween(last, frame)) this.frames = [];
    this.frames.push(frame);
    if (!this.within) {
      if (this.frames.length > preRollFrames + startFrames) this.frames.shift();
      const latest = this.frames.slice(-startFrames);
      this.within = latest.length === startFrames && latest.every(({ voiced }) => voiced);
      return null;
    }
    const silent = this.frames.slice(-hangOverFrames);
    if (silent.length === hangOverFrames && silent.every(({ voiced }) => !voiced)) {
      const segment = this.flush();
      this.frames = silent.slice(-preRollFrames); // speech may follow at once
      return segment;
    }
    return this.frames.length >= segmentFramesMax ? this.split() : null;
  }

  private split(): SpeechSegment | null {
    const { frames } = this;
    const pause = frames.findLastIndex(({ voiced }) => !voiced) + 1;
    const end = pause > segmentFramesMax / 2 ? pause : segmentFramesMax;
    this.frames = frames.slice(0, end);
    const segment = this.finishSegment(segmentFramesMax);
    this.frames = frames.slice(end);
    this.isRest = true;
    return segment;
  }

  /** Ends the utterance; null when there is none, or it is too short. */
  flush(): SpeechSegment | null {
    const segment = this.within ? this.finishSegment(afterFrames) : null;
    this.within = false;
    this.isRest = false;
    return segment;
  }

  /** `keptFrames`: so many are kept from behind the speech, at most. */
  private finishSegment(keptFrames: number): SpeechSegment | null {
    const frames = this.frames;
    this.frames = [];
    const voiced = frames.filter((frame) => frame.voiced);
    const [first, last] = [voiced[0], voiced.at(-1)];
    if (first === undefined || last === undefined) return null;
    if (voiced.length < speechFramesMin && !this.isRest) return null;
    const pcm = pcmOf(frames.slice(0, frames.lastIndexOf(last) + 1 + keptFrames));
    const powers = voiced.map((frame) => powerOf(frame.pcm));
    const audible = Math.max(...powers) * edgeShare;
    const began = voiced[powers.findIndex((power) => power >= audible)] ?? first;
    const startMs = began.atMs;
    const endMs = Math.max(startMs, voiced[powers.findLastIndex((power) => power >= audible)]?.atMs ?? 0) + frameMs;
    return {
      ...{ pcm, startMs, endMs, speechMs: voiced.length * frameMs },
      audioStartMs: frames[0]?.atMs ?? first.atMs,
      // What came before the speech may have come before a pause in which the stream's time stood still.
      latenessMs: Math.min(...frames.slice(frames.indexOf(began)).map(({ latenessMs }) => latenessMs)),
      ...levelOf(voiced.map((frame) => frame.pcm)),
    };
  }

  /** As loud as speech in the current utterance. */
  private isAudible(pcm: Int16Array): boolean {
    return powerOf(pcm) >= Math.max(...this.frames.map((frame) => powerOf(frame.pcm))) * edgeShare;
  }
}

/** By the stream's own time, or by arrival where that stood still. */
const isPauseBetween = (before: Frame, after: Frame): boolean =>
  after.atMs - before.atMs > pauseMs || after.latenessMs - before.latenessMs > pauseMs;
const powerOf = (pcm: Int16Array): number => pcm.reduce((sum, sample) => sum + sample * sample, 0) / pcm.length;
const pcmOf = (frames: readonly Frame[]): Int16Array => joinedPcm(frames.map(({ pcm }) => pcm));
