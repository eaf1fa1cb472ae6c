/**
 * Segments of all voice sessions on their way to the one recogniser. Speakers take turns, a session holds a limited
 * number of segments, and each speaker has one segment in work, so that utterances come out in the order they were
 * spoken. Every segment comes out exactly once: recognised, dropped or failed.
 */
import type { Transcriber, Transcription } from './transcriber.js';

/** Beyond these the newest segment is dropped. */
export const waitingPerSessionMax = 64;
const recognitionTimeoutMs = 30_000;
const attemptsMax = 2;

export type Outcome =
  | { status: 'recognised'; transcription: Transcription }
  | { status: 'dropped' }
  | { status: 'failed'; reason: string };

export interface Segment {
  sessionId: string;
  /** Whom the turns are shared between: one lane per stream of speech. */
  speaker: string;
  /** Mono at 16 kHz. */
  pcm: Int16Array;
  prompt?: string;
  language?: string;
}

interface Job {
  segment: Segment;
  settle(outcome: Outcome): void;
}

interface Lane {
  sessionId: string;
  speaker: string;
  waiting: Job[];
  /** Stops the segment in work; null when there is none. */
  working: AbortController | null;
}

export class RecognitionQueue {
  /** Lanes with waiting segments; the first is next. */
  private lanes: Lane[] = [];

  constructor(
    private readonly transcriber: Transcriber,
    private readonly timeoutMs = recognitionTimeoutMs,
  ) {}

  /** Name for `asr.engine`. */
  get engine(): string {
    return this.transcriber.name;
  }

  /** Segments that wait or are in work. */
  get size(): number {
    return this.lanes.reduce((sum, { waiting, working }) => sum + waiting.length + (working === null ? 0 : 1), 0);
  }

  /** Never rejects. When a session is full, its newest segment is dropped at once. */
  submit(segment: Segment): Promise<Outcome> {
    const { sessionId, speaker } = segment;
    const waiting = this.lanes.filter((lane) => lane.sessionId === sessionId);
    if (waiting.reduce((count, lane) => count + lane.waiting.length, 0) >= waitingPerSessionMax) {
      return Promise.resolve({ status: 'dropped' });
    }
    return new Promise((settle) => {
      let lane = waiting.find((other) => other.speaker === speaker);
      if (lane === undefined) {
        lane = { sessionId, speaker, waiting: [], working: null };
        this.lanes.push(lane);
      }
      lane.waiting.push({ segment, settle });
      this.fill();
    });
  }

  /** Everything of the session that is not recognised yet comes out as dropped. */
  abandon(sessionId: string): void {
    for (const lane of this.lanes.filter((candidate) => candidate.sessionId === sessionId)) {
      for (const job of lane.waiting.splice(0)) job.settle({ status: 'dropped' });
      lane.working?.abort();
    }
    this.forgetIdle();
  }

  private fill(): void {
    const working = this.lanes.filter((lane) => lane.working !== null).length;
    for (let free = this.transcriber.concurrency - working; free > 0; free--) {
      const lane = this.lanes.find((candidate) => candidate.working === null && candidate.waiting.length > 0);
      const job = lane?.waiting.shift();
      if (lane === undefined || job === undefined) return;
      void this.work(lane, job);
    }
  }

  private async work(lane: Lane, job: Job): Promise<void> {
    const abandoned = new AbortController();
    lane.working = abandoned;
    job.settle(await this.recognise(job.segment, abandoned.signal));
    lane.working = null;
    this.lanes = [...this.lanes.filter((other) => other !== lane), lane]; // back to the end of the queue
    this.forgetIdle();
    this.fill();
  }

  private forgetIdle(): void {
    this.lanes = this.lanes.filter((lane) => lane.working !== null || lane.waiting.length > 0);
  }

  private async recognise({ pcm, prompt, language }: Segment, abandoned: AbortSignal): Promise<Outcome> {
    let reason = '';
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      const signal = AbortSignal.any([abandoned, AbortSignal.timeout(this.timeoutMs)]);
      try {
        return {
          status: 'recognised',
          transcription: await this.transcriber.transcribe(pcm, { signal, prompt, language }),
        };
      } catch (error) {
        if (abandoned.aborted) return { status: 'dropped' };
        reason = error instanceof Error ? error.message : String(error);
      }
    }
    return { status: 'failed', reason };
  }
}
