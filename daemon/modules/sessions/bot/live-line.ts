/**
 * One utterance while it is spoken: passes its sound to the recogniser and its text on, a few times per second. Once the
 * message is stored, or there will be none, no more text comes.
 */
import type { LiveUtterance } from '../recognisers/transcriber.js';

/** Texts of one speaker come no faster. */
const intervalMs = 200;

export interface SpokenText {
  /** Epoch. */
  readonly startMs: number;
  /** Empty: what was shown is no message. */
  readonly text: string;
  readonly shadowMuted: boolean;
}

export class LiveLine {
  private live: LiveUtterance | null = null;
  private shadowMuted = false;
  private latest = '';
  private shown = '';
  private shownAt = Number.NEGATIVE_INFINITY;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  private constructor(
    private readonly startMs: number,
    private readonly publish: (spoken: SpokenText) => void,
  ) {}

  /** `startMs`: when the utterance began, epoch. Null: the recogniser does not follow it. */
  static open(
    startMs: number,
    listen: (onText: (text: string) => void) => LiveUtterance | null,
    publish: (spoken: SpokenText) => void,
  ): LiveLine | null {
    const line = new LiveLine(startMs, publish);
    line.live = listen((text) => line.onText(text));
    return line.live === null ? null : line;
  }

  push(pcm: Int16Array, shadowMuted: boolean): void {
    this.shadowMuted ||= shadowMuted;
    this.live?.push(pcm);
  }

  /** Everything was said. Returns what the recogniser has heard of it. */
  end(): LiveUtterance | null {
    this.live?.end();
    return this.live;
  }

  /** No more text comes: the message does. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearTimeout(this.timer);
    this.live?.close();
  }

  /** A message follows. What was shown is withdrawn where it began later than that: readers find it by its beginning. */
  giveWay(startMs: number): void {
    if (startMs < this.startMs) this.withdraw();
    else this.close();
  }

  /** No message follows. */
  withdraw(): void {
    this.close();
    if (this.shown !== '') this.show('');
  }

  private onText(text: string): void {
    if (this.isClosed || text === '' || text === this.latest) return;
    this.latest = text;
    const waitMs = this.shownAt + intervalMs - performance.now();
    if (waitMs <= 0) this.show(text);
    else this.timer ??= setTimeout(() => this.show(this.latest), waitMs).unref();
  }

  private show(text: string): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.shown = text;
    this.shownAt = performance.now();
    this.publish({ startMs: this.startMs, text, shadowMuted: this.shadowMuted });
  }
}
