/** The recogniser of all bots: looked for when the first of them starts, and again where there was none, or another was installed. */
import type { VoiceDetector } from './bot/voice-activity.js';
import type { RecognitionQueue } from './recognisers/recognition-queue.js';

/** Recogniser that turns speech into text; null: there is none. */
export interface Speech {
  readonly queue: RecognitionQueue | null;
  readonly newDetector: () => VoiceDetector;
}

/** After a failed look-up, a session that begins this much later makes the daemon look again. */
const lookAgainMs = 10_000;

export class RecogniserLookup {
  private speech: Speech | null = null;
  private lookedAt = 0;
  private looking: Promise<Speech> | null = null;

  constructor(
    private readonly loader: { load(): Promise<Speech> },
    /** Called with the recogniser that was found, so that bots that already listen use it. */
    private readonly onFound: (queue: RecognitionQueue) => void,
  ) {}

  async get(afterMs = lookAgainMs): Promise<Speech> {
    const before = this.speech;
    if (before !== null && (before.queue !== null || performance.now() - this.lookedAt < afterMs)) return before;
    this.looking ??= this.load().finally(() => {
      this.looking = null;
    });
    return this.looking;
  }

  private async load(): Promise<Speech> {
    const found = await this.loader.load();
    this.speech = found;
    this.lookedAt = performance.now();
    if (found.queue !== null) this.onFound(found.queue);
    return found;
  }

  /** Looks at once if a recogniser was needed before: there may be one now, or a better one. */
  async again(): Promise<void> {
    await this.looking;
    if (this.speech === null) return;
    const found = await this.loader.load();
    this.lookedAt = performance.now();
    if (found.queue === null || found.queue === this.speech.queue) return;
    this.speech = found;
    this.onFound(found.queue);
  }

  /** Name of what recognises; null where there is nothing, or nothing was needed yet. */
  get engine(): string | null {
    return this.speech?.queue?.engine ?? null;
  }

  /** Utterances that are not recognised yet. */
  get waiting(): number {
    return this.speech?.queue?.size ?? 0;
  }
}
