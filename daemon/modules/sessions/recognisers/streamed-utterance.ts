/**
 * An utterance whose sound goes to a streaming model while it is spoken: each step decodes what is new, and the last one, when it has
 * ended, gives its text.
 */
import type { WatchedProcess } from '../../../platform/processes/watched-process.js';
import { joinedPcm } from '../pcm.js';
import { type LiveOptions, type LiveUtterance, sampleRate } from './transcriber.js';

/** New sound that a step needs. */
const stepSamples = 0.06 * sampleRate;

export class StreamedUtterance implements LiveUtterance {
  /** The process that hears it, and the samples that it has; kept by whoever gives them to it. Null: none yet. */
  heardBy: WatchedProcess | null = null;
  heardSamples = 0;
  /** What the model has heard of it is lost, or more of it is not wanted. */
  isOver = false;
  private frames: Int16Array[] = [];
  private samples = 0;
  private isWorking = false;
  private hasEnded = false;

  constructor(
    readonly number: number,
    private readonly options: LiveOptions,
    /** Text of everything so far; null: there was nothing to do any more. */
    private readonly step: (pcm: Int16Array) => Promise<string | null>,
    private readonly onClose: () => void,
  ) {}

  push(pcm: Int16Array): void {
    if (this.isOver || this.hasEnded) return;
    this.frames.push(pcm);
    this.samples += pcm.length;
    void this.work();
  }

  end(): void {
    this.hasEnded = true;
  }

  close(): void {
    if (!this.isOver) this.onClose();
    this.isOver = true;
    this.frames = [];
  }

  /** Never rejects. */
  private async work(): Promise<void> {
    while (!this.isWorking && !this.hasEnded && this.samples >= stepSamples && this.options.mayWork()) {
      this.isWorking = true;
      const pcm = joinedPcm(this.frames);
      this.frames = [];
      this.samples = 0;
      try {
        const text = await this.step(pcm);
        if (text !== null && !this.isOver) this.options.onText(text.trim());
      } catch {
        this.close(); // its text comes at its end, or the reason why there is none
      }
      this.isWorking = false;
    }
  }
}
