/**
 * The transcription form of OpenAI's Realtime API, for one connection of `earshotd speech serve`: sound comes as PCM at
 * 24 kHz, and is cut where the client commits it or, with `server_vad`, where nobody speaks. Words that no longer change
 * are sent while they are spoken; what counts is the transcript at the end. Sound, messages and waiting utterances are
 * bounded.
 */
import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { z } from 'zod';
import { Segmenter, type SpeechSegment } from '../bot/segmenter.js';
import { frameMs, frameSamples, type VoiceDetector } from '../bot/voice-activity.js';
import { joinedPcm } from '../pcm.js';
import { vocabularyOf } from '../recognisers/prompt.js';
import type { RecognitionQueue } from '../recognisers/recognition-queue.js';
import { spokenText } from '../recognisers/spoken-text.js';
import {
  type LiveUtterance,
  type RecognitionHints,
  sampleRate,
  type Transcription,
} from '../recognisers/transcriber.js';
import { pcmOf } from './audio.js';

const realtimeRate = 24_000;
/** Sound that is not committed yet. */
const bufferSamplesMax = 60 * sampleRate;
/** A client that says nothing for so long is disconnected. */
const idleMs = 120_000;
/** A client that does not read so much is disconnected. */
const unreadBytesMax = 1024 * 1024;

const Input = z.object({
  format: z.object({ type: z.literal('audio/pcm'), rate: z.literal(realtimeRate).optional() }).optional(),
  transcription: z
    .object({ language: z.string().max(20).nullish(), prompt: z.string().max(4_000).nullish() })
    .nullish(),
  turn_detection: z.object({ type: z.literal('server_vad') }).nullish(),
});
const ClientEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('session.update'),
    session: z.object({
      type: z.literal('transcription'),
      audio: z.object({ input: Input.optional() }).optional(),
      include: z.array(z.string()).max(10).optional(),
    }),
  }),
  z.object({ type: z.literal('input_audio_buffer.append'), audio: z.base64() }),
  z.object({ type: z.literal('input_audio_buffer.commit') }),
  z.object({ type: z.literal('input_audio_buffer.clear') }),
]);

/** The utterance that is being spoken. */
interface OpenItem {
  readonly id: string;
  readonly live: LiveUtterance | null;
  /** Words of the last two texts that agree, which were sent. */
  sent: string[];
  before: string[];
}

export class RealtimeConnection {
  private readonly sessionId = randomUUID();
  private input: z.infer<typeof Input> = { turn_detection: { type: 'server_vad' } };
  private withLogprobs = false;
  private segmenter = new Segmenter();
  private detector: VoiceDetector | null = null;
  /** Samples at 24 kHz that are not a multiple of three. */
  private uneven = Buffer.alloc(0);
  /** Not cut into frames yet, or, without turn detection, not committed yet. */
  private pcm = new Int16Array(0);
  private spokenMs = 0;
  private item: OpenItem | null = null;
  private lastItemId: string | null = null;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly tenantId: string,
    private readonly queue: RecognitionQueue,
    private readonly newDetector: () => VoiceDetector,
    private readonly onFault: (error: unknown) => void,
  ) {
    socket.on('error', () => {});
    socket.on('close', () => this.ended());
    socket.on('message', (data) => this.receive(String(data)));
    this.stayAwake();
    this.send('session.created', { session: this.view });
  }

  private get view() {
    return {
      id: this.sessionId,
      object: 'realtime.transcription_session',
      type: 'transcription',
      audio: { input: this.input },
    };
  }

  private stayAwake(): void {
    clearTimeout(this.idle);
    this.idle = setTimeout(() => this.socket.close(1001, 'idle'), idleMs).unref();
  }

  private ended(): void {
    clearTimeout(this.idle);
    this.item?.live?.close();
    this.item = null;
    this.detector?.close();
    this.detector = null;
    this.queue.abandon(this.sessionId);
  }

  private receive(text: string): void {
    this.stayAwake();
    let event: z.infer<typeof ClientEvent>;
    try {
      event = ClientEvent.parse(JSON.parse(text));
    } catch (error) {
      const where = error instanceof z.ZodError ? error.issues[0]?.path.join('.') : null;
      this.refuse('invalid_event', where ? `The field ${where} of the event is invalid.` : 'This is no event.');
      return;
    }
    switch (event.type) {
      case 'session.update':
        this.input = { ...this.input, ...event.session.audio?.input };
        this.withLogprobs =
          event.session.include?.includes('item.input_audio_transcription.logprobs') ?? this.withLogprobs;
        this.send('session.updated', { session: this.view });
        break;
      case 'input_audio_buffer.append':
        this.append(Buffer.from(event.audio, 'base64'));
        break;
      case 'input_audio_buffer.commit':
        this.commit();
        break;
      case 'input_audio_buffer.clear':
        this.clear();
        this.send('input_audio_buffer.cleared', {});
    }
  }

  private append(bytes: Buffer): void {
    const all = Buffer.concat([this.uneven, bytes]);
    const whole = all.length - (all.length % 6);
    this.uneven = all.subarray(whole);
    const sound = all.subarray(0, whole);
    const length = whole / 2;
    const at = (index: number) => (index < length ? sound.readInt16LE(index * 2) / 32_768 : 0);
    const pcm = pcmOf({ rate: realtimeRate, length, at });
    if (this.pcm.length + pcm.length > bufferSamplesMax) {
      this.refuse('input_audio_buffer_full', 'Commit what was sent: the buffer holds one minute.');
      return;
    }
    this.pcm = joinedPcm([this.pcm, pcm]);
    if (this.input.turn_detection != null) this.detectTurns();
    else this.follow(pcm);
  }

  /** Cuts the sound where nobody speaks. */
  private detectTurns(): void {
    this.detector ??= this.newDetector();
    let offset = 0;
    for (; offset + frameSamples <= this.pcm.length; offset += frameSamples) {
      const frame = this.pcm.slice(offset, offset + frameSamples);
      const wasOpen = this.segmenter.isOpen;
      const segment = this.segmenter.push({
        pcm: frame,
        atMs: this.spokenMs,
        latenessMs: 0,
        voiced: this.detector.isSpeech(frame),
      });
      this.spokenMs += frameMs;
      const { openSinceMs } = this.segmenter;
      if (!wasOpen && openSinceMs !== null) {
        this.follow(this.segmenter.pcm());
        this.send('input_audio_buffer.speech_started', { audio_start_ms: openSinceMs, item_id: this.item?.id });
      } else if (segment !== null) this.speechStopped(segment);
      else if (this.segmenter.isOpen) this.follow(frame);
      else if (wasOpen) this.dropItem();
    }
    this.pcm = this.pcm.slice(offset);
  }

  private speechStopped(segment: SpeechSegment): void {
    const item = this.item ?? this.newItem();
    this.send('input_audio_buffer.speech_stopped', { audio_end_ms: Math.round(segment.endMs), item_id: item.id });
    this.recognise(segment.pcm);
  }

  private commit(): void {
    const segment = this.segmenter.flush();
    const pcm = this.input.turn_detection == null ? this.pcm : (segment?.pcm ?? new Int16Array(0));
    this.pcm = new Int16Array(0);
    if (pcm.length > 0) this.recognise(pcm);
    else this.refuse('input_audio_buffer_commit_empty', 'There is no sound to commit.');
  }

  private clear(): void {
    this.segmenter = new Segmenter();
    this.pcm = new Int16Array(0);
    this.uneven = Buffer.alloc(0);
    this.dropItem();
  }

  private dropItem(): void {
    this.item?.live?.close();
    this.item = null;
  }

  private follow(pcm: Int16Array): void {
    this.item ??= this.newItem();
    this.item.live?.push(pcm);
  }

  private get hints(): RecognitionHints {
    const { language, prompt } = this.input.transcription ?? {};
    return { ...(language ? { language } : {}), ...(prompt ? { vocabulary: vocabularyOf(prompt) } : {}) };
  }

  private newItem(): OpenItem {
    const live = this.queue.listen({ onText: (text) => this.onText(item, text), hints: async () => this.hints });
    const item: OpenItem = { id: `item_${randomUUID().replaceAll('-', '').slice(0, 20)}`, live, sent: [], before: [] };
    this.item = item;
    return item;
  }

  /** Deltas cannot be taken back: a word is sent once two texts in a row agree on it and on all before. */
  private onText(item: OpenItem, text: string): void {
    const words = text.split(' ');
    const differs = words.findIndex((word, index) => word !== item.before[index]);
    const agreed = differs === -1 ? words : words.slice(0, differs);
    item.before = words;
    if (agreed.length > item.sent.length && item.sent.every((word, index) => word === agreed[index]))
      this.sendDelta(item, agreed);
  }

  private sendDelta(item: OpenItem, words: readonly string[]): void {
    const fresh = words.slice(item.sent.length).join(' ');
    const delta = item.sent.length === 0 ? fresh : ` ${fresh}`;
    item.sent = [...words];
    this.send(`${transcription}.delta`, { item_id: item.id, content_index: 0, delta });
  }

  private recognise(pcm: Int16Array): void {
    const item = this.item ?? this.newItem();
    this.item = null;
    item.live?.end();
    this.send('input_audio_buffer.committed', { item_id: item.id, previous_item_id: this.lastItemId });
    this.lastItemId = item.id;
    const { tenantId, sessionId, hints } = this;
    void this.queue
      .submit({ tenantId, sessionId, speaker: 'stream', pcm, hints: async () => hints, live: item.live })
      .then((outcome) => {
        item.live?.close();
        if (outcome.status === 'recognised') return this.complete(item, pcm, outcome.transcription);
        const isFull = outcome.status === 'dropped';
        if (!isFull) this.onFault(outcome.reason);
        const error = isFull
          ? { code: 'overloaded', message: 'Too much speech at once. Try again.' }
          : { code: 'recogniser_failed', message: 'The recogniser failed.' };
        this.send(`${transcription}.failed`, {
          item_id: item.id,
          content_index: 0,
          error: { ...error, type: 'server_error' },
        });
      });
  }

  private complete(item: OpenItem, pcm: Int16Array, { text: written, words }: Transcription): void {
    const text = spokenText(written);
    const all = text === '' ? [] : text.split(' ');
    if (item.sent.length < all.length && item.sent.every((word, index) => word === all[index]))
      this.sendDelta(item, all);
    const logprobs = words.flatMap(({ text: token, confidence }) =>
      confidence === null
        ? []
        : [{ token: ` ${token}`, logprob: Math.log(Math.max(confidence, 1e-9)), bytes: [...Buffer.from(` ${token}`)] }],
    );
    this.send(`${transcription}.completed`, {
      ...{ item_id: item.id, content_index: 0, transcript: text },
      ...{
        usage: { type: 'duration', seconds: pcm.length / sampleRate },
        logprobs: this.withLogprobs ? logprobs : null,
      },
    });
  }

  private refuse(code: string, message: string): void {
    this.send('error', { error: { type: 'invalid_request_error', code, message, param: null } });
  }

  private send(type: string, fields: object): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.socket.bufferedAmount > unreadBytesMax) this.socket.terminate();
    else this.socket.send(JSON.stringify({ type, event_id: `event_${randomUUID()}`, ...fields }));
  }
}

const transcription = 'conversation.item.input_audio_transcription';
