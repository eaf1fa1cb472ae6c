/**
 * Segments of all voice sessions on their way to the one recogniser. Tenants take turns, then a tenant's sessions, then
 * a session's speakers. Each speaker has one segment in work, so that utterances come out in the order they were spoken.
 * The queue is limited. Every segment comes out exactly once: recognised, dropped or failed. A FairQueue has two levels of
 * turns and bounds numbers; here there are three, the speaker's order, and a bound on the sound.
 */

import { limits } from '../../../platform/limits/catalogue.js';
import { countRefusal } from '../../../platform/limits/refusals.js';
import { TimedOut, withTimeLimit } from '../../../platform/time/time-limit.js';
import { spokenText, withSpokenText } from './spoken-text.js';
import {
  type LiveOptions,
  type LiveUtterance,
  type RecognitionHints,
  sampleRate,
  type Transcriber,
  type Transcription,
} from './transcriber.js';

/** Beyond these the newest segment is dropped. */
export const waitingPerSessionMax = limits.recognition_queue.max.utterances;
/** Samples of all that waits: an hour of speech, 115 MB. A tenant gets no more than is still free. */
const waitingSamplesMax = limits.recognition_queue.max.seconds * sampleRate;
const attemptsMax = 2;

/** Time for an utterance: `seconds`, and `factor` seconds for each second of its sound. */
export interface RecognitionLimit {
  readonly seconds: number;
  readonly factor: number;
}

const recognitionLimit: RecognitionLimit = { seconds: 30, factor: 5 };

/** `isTooSlow`: what waited was full, or the time was up; otherwise the session has ended, or the recogniser failed. */
export type RecognitionOutcome =
  | { status: 'recognised'; transcription: Transcription }
  | { status: 'dropped'; isTooSlow: boolean }
  | { status: 'failed'; reason: string; isTooSlow: boolean };

export interface RecognitionQueueOptions {
  readonly limit?: RecognitionLimit;
  readonly samplesMax?: number;
  /** Told of each outcome: why the recogniser failed, or null where it heard. */
  readonly onOutcome?: (failure: string | null) => void;
  /** Told of each utterance how it came out, and how long after its end. */
  readonly onSettled?: (status: RecognitionOutcome['status'], seconds: number) => void;
  /** Told how many wait when an utterance found no place, and null once nothing waits. */
  readonly onFull?: (waiting: number | null) => void;
}

interface Segment {
  tenantId: string;
  sessionId: string;
  /** A lane for each stream of speech; turns are shared by tenant, session and speaker. */
  speaker: string;
  /** Mono at 16 kHz. */
  pcm: Int16Array;
  /** Asked for when its turn comes. */
  hints?: () => Promise<RecognitionHints>;
  /** What `listen` returned for it. */
  live?: LiveUtterance | null;
}

interface QueuedSegment {
  segment: Segment;
  settle(outcome: RecognitionOutcome): void;
}

interface SpeakerQueue {
  tenantId: string;
  sessionId: string;
  speaker: string;
  waiting: QueuedSegment[];
  /** Stops the segment in work; null when there is none. */
  working: AbortController | null;
}

export class RecognitionQueue {
  /** Lanes with segments that wait or are in work; a lane goes to the end after its turn. */
  private lanes: SpeakerQueue[] = [];
  private turns = 0;
  /** Number of the last turn, by tenant and by session; nobody else is in it. */
  private readonly lastTurn = new Map<string, number>();

  private readonly limit: RecognitionLimit;
  private readonly samplesMax: number;

  constructor(
    private readonly transcriber: Transcriber,
    private readonly options: RecognitionQueueOptions = {},
  ) {
    this.limit = options.limit ?? recognitionLimit;
    this.samplesMax = options.samplesMax ?? waitingSamplesMax;
  }

  /** Name for `asr.engine`. */
  get engine(): string {
    return this.transcriber.name;
  }

  /** Segments that wait or are in work. */
  get size(): number {
    return this.lanes.reduce((sum, { waiting, working }) => sum + waiting.length + (working === null ? 0 : 1), 0);
  }

  /** Follows an utterance while it is spoken. Null: the recogniser cannot, or finished utterances wait for it. */
  listen(options: Omit<LiveOptions, 'mayWork'>): LiveUtterance | null {
    const mayWork = () => this.lanes.every(({ waiting }) => waiting.length === 0);
    const onText = (text: string) => options.onText(spokenText(text));
    return mayWork() ? (this.transcriber.listen?.({ ...options, onText, mayWork }) ?? null) : null;
  }

  /** Never rejects. When there is no place for it, the segment is dropped at once. */
  async submit(segment: Segment): Promise<RecognitionOutcome> {
    const began = performance.now();
    const outcome = await this.enqueue(segment);
    this.options.onSettled?.(outcome.status, (performance.now() - began) / 1_000);
    return outcome;
  }

  private enqueue(segment: Segment): Promise<RecognitionOutcome> {
    if (!this.hasPlace(segment)) {
      countRefusal('recognition_queue');
      this.options.onFull?.(this.size);
      return Promise.resolve({ status: 'dropped', isTooSlow: true });
    }
    const { tenantId, sessionId, speaker } = segment;
    return new Promise((settle) => {
      let lane = this.lanes.find((other) => other.sessionId === sessionId && other.speaker === speaker);
      if (lane === undefined) {
        lane = { tenantId, sessionId, speaker, waiting: [], working: null };
        this.lanes.push(lane);
      }
      lane.waiting.push({ segment, settle });
      this.fill();
    });
  }

  /** Everything of the session that is not recognised yet comes out as dropped. */
  abandon(sessionId: string): void {
    for (const lane of this.lanes.filter((candidate) => candidate.sessionId === sessionId)) {
      for (const job of lane.waiting.splice(0)) job.settle({ status: 'dropped', isTooSlow: false });
      lane.working?.abort();
    }
    this.forgetIdle();
  }

  private hasPlace({ tenantId, sessionId, pcm }: Segment): boolean {
    let ofSession = 0;
    let samples = 0;
    let ofTenant = pcm.length;
    for (const lane of this.lanes) {
      const waiting = lane.waiting.reduce((sum, { segment }) => sum + segment.pcm.length, 0);
      samples += waiting;
      if (lane.tenantId === tenantId) ofTenant += waiting;
      if (lane.sessionId === sessionId) ofSession += lane.waiting.length;
    }
    return ofSession < waitingPerSessionMax && ofTenant <= this.samplesMax - samples;
  }

  private fill(): void {
    const working = this.lanes.filter((lane) => lane.working !== null).length;
    for (let free = this.transcriber.concurrency - working; free > 0; free--) {
      const lane = this.next();
      const job = lane?.waiting.shift();
      if (lane === undefined || job === undefined) return;
      void this.work(lane, job);
    }
  }

  /** The lane whose tenant, then whose session, has waited longest for a turn. */
  private next(): SpeakerQueue | undefined {
    const last = (id: string) => this.lastTurn.get(id) ?? 0;
    const ready = this.lanes.filter(({ working, waiting }) => working === null && waiting.length > 0);
    ready.sort((a, b) => last(a.tenantId) - last(b.tenantId) || last(a.sessionId) - last(b.sessionId));
    return ready[0];
  }

  private async work(lane: SpeakerQueue, job: QueuedSegment): Promise<void> {
    const abandoned = new AbortController();
    lane.working = abandoned;
    this.turns += 1;
    for (const id of [lane.tenantId, lane.sessionId]) this.lastTurn.set(id, this.turns);
    job.settle(await this.recognise(job.segment, abandoned.signal));
    lane.working = null;
    this.lanes = [...this.lanes.filter((other) => other !== lane), lane]; // back to the end of the queue
    this.forgetIdle();
    this.fill();
  }

  private forgetIdle(): void {
    this.lanes = this.lanes.filter((lane) => lane.working !== null || lane.waiting.length > 0);
    const here = new Set(this.lanes.flatMap(({ tenantId, sessionId }) => [tenantId, sessionId]));
    for (const id of this.lastTurn.keys()) if (!here.has(id)) this.lastTurn.delete(id);
    if (this.lanes.every(({ waiting }) => waiting.length === 0)) this.options.onFull?.(null);
  }

  private async recognise({ pcm, hints, live }: Segment, abandoned: AbortSignal): Promise<RecognitionOutcome> {
    // Speech is worth more than what would help to hear it.
    const known: RecognitionHints = hints === undefined ? {} : await hints().catch(() => ({}));
    const seconds = pcm.length / sampleRate;
    const limitMs = Math.round((this.limit.seconds + this.limit.factor * seconds) * 1_000);
    let reason = '';
    let isTooSlow = false;
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      try {
        const transcription = await withTimeLimit(limitMs, abandoned, (signal) =>
          this.transcriber.transcribe(pcm, { ...known, signal, live: attempt === 0 ? live : null }),
        );
        // A recogniser that does not say was told what to expect.
        const language = transcription.language ?? known.language ?? null;
        this.options.onOutcome?.(null);
        const spoken = withSpokenText(transcription, seconds * 1_000);
        return { status: 'recognised', transcription: { ...spoken, language } };
      } catch (error) {
        if (abandoned.aborted) return { status: 'dropped', isTooSlow: false };
        isTooSlow = error instanceof TimedOut;
        reason = reasonOf(error, seconds);
      }
    }
    this.options.onOutcome?.(reason);
    return { status: 'failed', reason, isTooSlow };
  }
}

function reasonOf(error: unknown, seconds: number): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof TimedOut
    ? `${error.message} for ${Math.round(seconds * 10) / 10} s of speech`
    : error.message;
}
