/**
 * Listens to one room for one voice session and delivers one message per utterance. Keeps speakers apart, buffers a
 * bounded amount of sound, never makes the room wait. Every utterance is delivered exactly once, recognised or not.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Bot as BotView } from '../../../../src/contract/sessions/bots.js';
import { type AsrReport, alternativesMax, asrWordsMax } from '../../../../src/contract/sessions/sessions.js';
import type { FrameCipher } from '../../../../src/media/frame-cipher.js';
import { atMost } from '../../../platform/collections/at-most.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { RecognitionOutcome, RecognitionQueue } from '../recognisers/recognition-queue.js';
import type { RecognitionHints, Transcription } from '../recognisers/transcriber.js';
import { echoShare } from './echo.js';
import type { EvidenceBuffer } from './evidence-buffer.js';
import { LiveLine, type SpokenText } from './live-line.js';
import { OpusDecoder } from './opus.js';
import { overlapShare, rounded } from './signal.js';
import { SpeakerStream, type Utterance } from './speaker.js';
import type { BotPacket, PacketSource } from './speaker-packet.js';
import { type BotCause, type BotState, listeningCause, noCounters } from './status.js';
import type { VoiceDetector } from './voice-activity.js';

const tickMs = 200;
/** Streams silent for this long are forgotten; a packet brings them back. */
const streamIdleMs = 60_000;
/** Streams per bot; beyond these, the one that has been silent longest is forgotten. */
const streamsMax = 200;
/** People who are remembered, so that each is counted once; after so many others, one who comes back counts again. */
const seenMax = 10_000;
/** Utterances not recognised this long after stop() are delivered as dropped. */
const stopWaitMs = 3_500;
/** Utterances whose times are remembered, to tell who spoke at the same time. */
const recentMax = 64;
/** A room that is away for longer than a restart takes counts as unreachable. */
const restartMaxMs = 5_000;

/** One utterance, as it becomes a message. */
export interface RecognizedUtterance {
  externalUserId: string;
  status: 'recognised' | 'dropped' | 'failed';
  /** Empty unless recognised. */
  content: string;
  /** Start of the speech, on the session's clock. */
  startMs: number;
  endMs: number;
  spokenAt: Date;
  language: string | null;
  /** Null unless recognised; whether it is heard is decided where it is stored. */
  asr: Omit<AsrReport, 'unheard'> | null;
  shadowMuted: boolean;
  /** Mono at 16 kHz, for debug audio. */
  audio: Int16Array;
}

/** What somebody is saying; `startMs` is that of the utterance that follows. */
export interface SpokenSoFar extends Pick<RecognizedUtterance, 'externalUserId' | 'content' | 'startMs' | 'spokenAt'> {
  shadowMuted: boolean;
}

/** Shows text while it is spoken; it is stored nowhere. */
interface ReadAlong {
  isWanted(): boolean;
  show(soFar: SpokenSoFar): void;
}

/** An utterance with how much of it is an echo of others. */
interface BotUtterance extends Utterance {
  readonly echo: number;
}

interface TranscriptSink {
  /** Stores the utterance; null: it was not to be stored. The bot logs a failure and goes on. */
  utterance(transcript: RecognizedUtterance): Promise<unknown>;
}

/** The part of the daemon's logger that is used here. */
interface BotLog {
  error(fields: object, sentence: string): void;
}

export interface BotOptions {
  tenantId: string;
  sessionId: string;
  tap: PacketSource;
  sink: TranscriptSink;
  readAlong?: ReadAlong;
  /** null where no recogniser works: the bot counts what it hears, and reports that. */
  queue: RecognitionQueue | null;
  newDetector: () => VoiceDetector;
  /** Holds the last seconds of sound in memory. */
  evidence: EvidenceBuffer;
  /** Decrypts frames with the current key; null without end-to-end encryption. */
  cipher: () => FrameCipher | null;
  /** Zero of the session's clock. */
  origin: Date;
  now: Clock;
  log: BotLog;
  /** What is known of a speaker and of the words that are likely to be said. */
  hints?: (externalUserId: string) => Promise<RecognitionHints>;
  /** Called whenever state or cause has changed. */
  onStatus?: (status: BotView) => void;
}

export class SessionBot {
  private state: BotState = 'idle';
  private cause: BotCause | null = null;
  private since: Date;
  private readonly counters = { ...noCounters };
  private readonly streams = new Map<string, SpeakerStream>();
  private readonly present = new Set<string>();
  private readonly seen = new LRUCache<string, true>(atMost(seenMax));
  /** Streams at which decoding or detection has failed. */
  private readonly givenUp = new LRUCache<string, true>(atMost(streamsMax));
  private readonly frames = { refused: 0, accepted: 0 };
  private readonly pending = new Set<Promise<void>>();
  /** Times of the last utterances of everybody, oldest first. */
  private readonly recent: { externalUserId: string; startMs: number; endMs: number }[] = [];
  private failuresInARow = 0;
  /** The last utterance was lost because the recogniser was too slow. */
  private isTooSlow = false;
  private lineLost = false;
  private roomLostAtMs: number | null = null;
  /** People who were here were disconnected by a restart, and none has come back yet. */
  private putOut = false;
  private ticking: NodeJS.Timeout | undefined;
  private listening: Promise<void> | null = null;
  private leaving: Promise<void> | null = null;
  private queue: RecognitionQueue | null;

  constructor(private readonly options: BotOptions) {
    this.queue = options.queue;
    this.since = options.now();
  }

  status(): BotView {
    const { state, cause, since, counters } = this;
    const speechSeconds = Math.round(counters.speechSeconds * 100) / 100;
    const missed = this.options.tap.dropped;
    return { state, cause, since: since.toISOString(), counters: { ...counters, missed, speechSeconds } };
  }

  start(): void {
    this.listening = this.listen();
    this.ticking = setInterval(() => this.tick(), tickMs);
    this.become('listening', this.listeningCause());
  }

  /** A recogniser, or a better one, became available after the bot started: from now on speech is transcribed by it. */
  recogniseWith(queue: RecognitionQueue): void {
    this.queue = queue;
  }

  /**
   * Finishes the current utterances, waits a moment for the recogniser, delivers the rest as dropped. State `failed`
   * when it should go on and cannot.
   */
  stop(cause: BotCause | null = null, last: 'stopped' | 'failed' = 'stopped'): Promise<void> {
    this.leaving ??= this.leave(cause, last);
    return this.leaving;
  }

  /** Somebody is in the room, speaking or not. Speakers are noticed without this. */
  joined(externalUserId: string): void {
    this.present.add(externalUserId);
    this.putOut = false;
    if (!this.seen.has(externalUserId)) this.counters.peers += 1;
    this.seen.set(externalUserId, true);
  }

  left(externalUserId: string, reason: 'restarted' | null = null): void {
    if (this.present.delete(externalUserId) && reason === 'restarted') this.putOut = true;
    for (const stream of this.streams.values()) if (stream.externalUserId === externalUserId) stream.hasLeft = true;
  }

  /** The room is away; it may come back. */
  roomLost(): void {
    this.roomLostAtMs ??= this.options.now().getTime();
  }

  roomBack(): void {
    this.roomLostAtMs = null;
  }

  private async listen(): Promise<void> {
    try {
      for await (const packet of this.options.tap)
        await this.onPacket(packet).catch((error: unknown) => this.giveUp(packet.publicationId, error));
      if (this.leaving === null) throw new Error('The room has closed the tap.');
    } catch (error) {
      this.options.log.error({ sessionId: this.options.sessionId, err: error }, 'bot lost its room');
      clearInterval(this.ticking);
      this.options.evidence.keep(0);
      this.become('failed', 'room_unreachable');
    }
  }

  private async leave(cause: BotCause | null, last: 'stopped' | 'failed'): Promise<void> {
    clearInterval(this.ticking);
    this.become('leaving', cause);
    this.options.evidence.keep(0);
    this.options.tap.close();
    await this.listening;
    for (const id of this.streams.keys()) this.forget(id);
    await Promise.race([this.handedOver(), sleep(stopWaitMs, undefined, { ref: false })]);
    this.queue?.abandon(this.options.sessionId);
    await this.handedOver();
    this.become(last, cause);
  }

  private async onPacket(packet: BotPacket): Promise<void> {
    this.counters.packets++;
    if (!this.present.has(packet.externalUserId)) this.joined(packet.externalUserId);
    if (this.givenUp.has(packet.publicationId)) return;
    this.options.evidence.push(packet, this.options.cipher());
    if (this.queue === null) return;
    const stream = this.streams.get(packet.publicationId) ?? (await this.newStream(packet));
    this.recognise(stream, stream.onPacket(packet));
  }

  private async newStream(packet: BotPacket): Promise<SpeakerStream> {
    if (this.streams.size >= streamsMax) {
      const [longestSilent] = [...this.streams].sort(([, a], [, b]) => a.lastArrivedAtMs - b.lastArrivedAtMs);
      if (longestSilent !== undefined) this.forget(longestSilent[0]);
    }
    const { externalUserId } = packet;
    const stream = new SpeakerStream(
      packet,
      this.options.newDetector(),
      await OpusDecoder.create(),
      this.options.cipher,
      this.frames,
      (startMs) => this.openLine(externalUserId, startMs),
    );
    this.streams.set(packet.publicationId, stream);
    return stream;
  }

  /** Leaves out a stream that cannot be heard: the others go on. */
  private giveUp(publicationId: string, error: unknown): void {
    const { sessionId, log } = this.options;
    this.givenUp.set(publicationId, true);
    this.streams.delete(publicationId);
    log.error({ sessionId, publicationId, err: error }, 'a stream cannot be heard, and is left out from now on');
  }

  private openLine(externalUserId: string, startMs: number): LiveLine | null {
    const { queue } = this;
    const { readAlong } = this.options;
    if (queue === null || readAlong?.isWanted() !== true) return null;
    const show = ({ startMs: beganMs, text, shadowMuted }: SpokenText) =>
      readAlong.show({
        ...{ externalUserId, content: text, shadowMuted },
        ...{ startMs: this.onSessionClock(beganMs), spokenAt: new Date(beganMs) },
      });
    return LiveLine.open(startMs, (onText) => queue.listen({ onText, ...this.hintsOf(externalUserId) }), show);
  }

  private hintsOf(externalUserId: string): { readonly hints?: () => Promise<RecognitionHints> } {
    const { hints } = this.options;
    return hints === undefined ? {} : { hints: () => hints(externalUserId) };
  }

  private onSessionClock(epochMs: number): number {
    return Math.max(0, Math.round(epochMs - this.options.origin.getTime()));
  }

  private forget(publicationId: string): void {
    const stream = this.streams.get(publicationId);
    if (stream === undefined) return;
    this.streams.delete(publicationId);
    try {
      this.recognise(stream, stream.flush());
      stream.close();
    } catch (error) {
      this.giveUp(publicationId, error);
    }
  }

  private tick(): void {
    this.options.evidence.prune(this.options.now());
    for (const [id, stream] of this.streams) {
      try {
        this.recognise(stream, stream.tick(tickMs));
      } catch (error) {
        this.giveUp(id, error);
      }
      if (stream.silentMs > streamIdleMs) this.forget(id);
    }
    const cause = this.listeningCause();
    if (cause !== this.cause) this.become('listening', cause);
  }

  private recognise(stream: SpeakerStream, utterances: Utterance[]): void {
    const { queue } = this;
    const { externalUserId } = stream;
    const { tenantId, sessionId } = this.options;
    const hints = this.hintsOf(externalUserId);
    for (const utterance of utterances) {
      this.counters.speechSeconds += utterance.speechMs / 1000;
      const { startMs, endMs } = utterance;
      this.recent.push({ externalUserId, startMs, endMs });
      if (this.recent.length > recentMax) this.recent.shift();
      const live = utterance.line?.end() ?? null;
      if (queue === null) continue;
      const heard = { ...utterance, echo: this.echoOf(stream, utterance) };
      const work = queue
        .submit({ tenantId, sessionId, speaker: externalUserId, pcm: utterance.pcm, ...hints, live })
        .then((outcome) => this.handOver(externalUserId, heard, outcome, queue.engine))
        .finally(() => this.pending.delete(work));
      this.pending.add(work);
    }
  }

  private echoOf(stream: SpeakerStream, utterance: Utterance): number {
    const others = [...this.streams.values()].filter(({ externalUserId }) => externalUserId !== stream.externalUserId);
    return echoShare(
      stream.envelope,
      others.map(({ envelope }) => envelope),
      utterance,
    );
  }

  /** Never rejects. Where the recogniser heard no words, there was no utterance. */
  private async handOver(
    externalUserId: string,
    utterance: BotUtterance,
    outcome: RecognitionOutcome,
    engine: string,
  ): Promise<void> {
    const { status } = outcome;
    this.failuresInARow = status === 'failed' ? this.failuresInARow + 1 : 0;
    this.isTooSlow = outcome.status !== 'recognised' && outcome.isTooSlow;
    const heard = outcome.status === 'recognised' ? outcome.transcription : null;
    if (heard?.text === '') return utterance.line?.withdraw();
    utterance.line?.giveWay(utterance.startMs); // before it is stored: a text that came after the message would stay
    const { sessionId, sink, log } = this.options;
    try {
      const stored = await sink.utterance({
        externalUserId,
        status,
        content: heard?.text ?? '',
        startMs: this.onSessionClock(utterance.startMs),
        endMs: this.onSessionClock(utterance.endMs),
        spokenAt: new Date(utterance.startMs),
        language: heard?.language ?? null,
        asr: heard === null ? null : this.report(externalUserId, utterance, heard, engine),
        shadowMuted: utterance.shadowMuted,
        audio: utterance.pcm,
      });
      this.counters[status === 'recognised' ? 'utterances' : status]++;
      this.lineLost = false;
      if (stored === null) utterance.line?.withdraw();
    } catch (error) {
      this.counters.failed++;
      this.lineLost = true;
      utterance.line?.withdraw();
      log.error({ sessionId, externalUserId, err: error }, 'utterance could not be stored');
    }
  }

  private report(
    externalUserId: string,
    { startMs, endMs, audioStartMs, levelDbfs, clippedShare, echo }: BotUtterance,
    heard: Transcription,
    engine: string,
  ): RecognizedUtterance['asr'] {
    const { quality, confidence, noSpeechProbability, words, alternatives } = heard;
    /** A word begins where somebody speaks, even if the recogniser puts it into the silence before or behind. */
    const onSessionClock = (ms: number | null) =>
      ms === null ? null : this.onSessionClock(Math.max(startMs, Math.min(endMs, audioStartMs + ms)));
    const others = [
      ...this.recent,
      ...[...this.streams.values()].flatMap(({ externalUserId: id, speakingSinceMs }) =>
        speakingSinceMs === null ? [] : [{ externalUserId: id, startMs: speakingSinceMs, endMs }],
      ),
    ].filter((other) => other.externalUserId !== externalUserId);
    return {
      ...{ engine, quality, confidence: stated(confidence), noSpeechProbability: stated(noSpeechProbability) },
      words: words.slice(0, asrWordsMax).map((word) => ({
        text: word.text,
        startMs: onSessionClock(word.startMs),
        endMs: onSessionClock(word.endMs),
        confidence: stated(word.confidence),
      })),
      alternatives: alternatives.slice(0, alternativesMax).map((one) => ({
        text: one.text,
        confidence: stated(one.confidence),
      })),
      signal: { levelDbfs, clippedShare, overlapShare: overlapShare({ startMs, endMs }, others), echo },
    };
  }

  private async handedOver(): Promise<void> {
    await Promise.all(this.pending);
  }

  private listeningCause(): BotCause | null {
    return listeningCause({
      room: this.roomState(),
      recogniserThere: this.queue !== null,
      failuresInARow: this.failuresInARow,
      isTooSlow: this.isTooSlow,
      lineLost: this.lineLost,
      peersPresent: this.present.size,
      speechSeconds: this.counters.speechSeconds,
      framesRefused: this.frames.refused,
      framesAccepted: this.frames.accepted,
    });
  }

  private roomState(): 'there' | 'restarted' | 'unreachable' {
    const { roomLostAtMs } = this;
    if (roomLostAtMs !== null && this.options.now().getTime() - roomLostAtMs >= restartMaxMs) return 'unreachable';
    return this.putOut ? 'restarted' : 'there';
  }

  private become(state: BotState, cause: BotCause | null): void {
    this.state = state;
    this.cause = cause;
    this.since = this.options.now();
    this.options.onStatus?.(this.status());
  }
}

const stated = (share: number | null): number | null => (share === null ? null : rounded(share));
