/**
 * Text of people who are still speaking, by recognisers that only take whole pieces: decodes what has been said so far
 * again and again. Once words are old they stay, so that each step decodes only the last seconds. Speakers take turns, one
 * step at a time.
 */
import { joinedPcm } from '../pcm.js';
import { type LiveOptions, type LiveUtterance, sampleRate, type TranscribedWord } from './transcriber.js';

const samplesPerMs = sampleRate / 1_000;
/** New sound that a step needs. */
const stepSamples = 80 * samplesPerMs;
/** Sound that the first step of an utterance needs, the silence before it included. */
const firstSamples = 400 * samplesPerMs;
/** From this length on, words older than `openMs` are kept; where a step took longer than `stepMsWanted`, from `windowMsMin` on. */
const windowMs = 3_000;
const windowMsMin = 1_500;
const openMs = 1_000;
/** Sound that comes directly after a step has begun waits for that one and for the next: twice this, and the rest between. */
const stepMsWanted = 130;
/** Where one step takes longer, this machine is too slow at the moment, and nobody new is followed for a while. */
const stepMsMax = 5_000;
const tooSlowMs = 15_000;
/** Time after a step in which the recogniser may do something else, as a share of what the step took. */
const restShare = 0.05;
/** Until a recogniser that had something else to do is asked again. */
const busyMs = 100;

interface Decoded {
  readonly text: string;
  readonly words: readonly TranscribedWord[];
}

/** Null: it has more important work at the moment. */
type Decode = (pcm: Int16Array, options: LiveOptions) => Promise<Decoded | null>;

interface OpenUtterance extends LiveOptions {
  frames: Int16Array[];
  /** Samples in `frames`. */
  samples: number;
  /** The number of these that the last step has read. */
  readSamples: number;
  /** Words that stay. */
  kept: string;
  lastStepAt: number;
}

export class Redecoder {
  private readonly open = new Set<OpenUtterance>();
  private isWorking = false;
  private slowSteps = 0;
  private tooSlowUntil = 0;
  private restUntil = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly decode: Decode) {}

  /** Null: it would come too late. */
  listen(options: LiveOptions): LiveUtterance | null {
    if (performance.now() < this.tooSlowUntil) return null;
    const one: OpenUtterance = { ...options, frames: [], samples: 0, readSamples: 0, kept: '', lastStepAt: 0 };
    const end = () => void this.open.delete(one);
    this.open.add(one);
    return {
      push: (pcm) => {
        one.frames.push(pcm);
        one.samples += pcm.length;
        this.wake();
      },
      ...{ end, close: end },
    };
  }

  private wake(): void {
    if (this.isWorking || this.timer !== undefined) return;
    const restMs = this.restUntil - performance.now();
    if (restMs <= 0) void this.work();
    else
      this.timer = setTimeout(() => {
        this.timer = undefined;
        void this.work();
      }, restMs).unref();
  }

  /** Never rejects. */
  private async work(): Promise<void> {
    const one = this.next();
    if (one === undefined) return;
    this.isWorking = true;
    const began = performance.now();
    try {
      const pcm = joinedPcm(one.frames);
      const decoded = await this.decode(pcm, one);
      const tookMs = performance.now() - began;
      one.lastStepAt = performance.now();
      if (decoded !== null) {
        one.readSamples = pcm.length;
        // The first step may have to start a process.
        if (tookMs > stepMsMax && this.slowSteps++ > 0) this.tooSlowUntil = one.lastStepAt + tooSlowMs;
        if (this.open.has(one)) keepOldWords(one, pcm, decoded, tookMs);
      }
      this.restUntil = performance.now() + (decoded === null ? busyMs : tookMs * restShare);
    } catch {
      this.open.delete(one); // its text comes at its end, or the reason why there is none
    }
    this.isWorking = false;
    if (this.open.size > 0) this.wake();
  }

  /** The one whose last step is the longest ago, of those with enough new sound. */
  private next(): OpenUtterance | undefined {
    return [...this.open]
      .filter(
        ({ samples, readSamples, kept, mayWork }) =>
          mayWork() &&
          (readSamples === 0 && kept === '' ? samples >= firstSamples : samples - readSamples >= stepSamples),
      )
      .sort((a, b) => a.lastStepAt - b.lastStepAt)[0];
  }
}

/** Reports the text; words that are old enough are not decoded again. */
function keepOldWords(one: OpenUtterance, pcm: Int16Array, { text, words }: Decoded, tookMs: number): void {
  one.onText(joined(one.kept, text));
  const lengthMs = pcm.length / samplesPerMs;
  if (lengthMs < (tookMs > stepMsWanted ? windowMsMin : windowMs)) return;
  const last = words.findLastIndex(({ endMs }) => endMs !== null && endMs <= lengthMs - openMs);
  const cutMs = words[last]?.endMs ?? null;
  if (cutMs === null) return;
  one.kept = joined(
    one.kept,
    words
      .slice(0, last + 1)
      .map((word) => word.text)
      .join(' '),
  );
  const cut = Math.min(pcm.length, Math.round(cutMs * samplesPerMs));
  one.frames = [pcm.slice(cut), joinedPcm(one.frames).slice(pcm.length)];
  one.samples -= cut;
  one.readSamples -= cut;
}

const joined = (kept: string, text: string): string => [kept, text].filter((part) => part !== '').join(' ');
