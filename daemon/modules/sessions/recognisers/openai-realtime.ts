/**
 * Any service that speaks the transcription form of OpenAI's Realtime API: one WebSocket for each utterance, opened when
 * somebody begins to speak, so that its text comes meanwhile. What a service sends is bounded, and one that is gone, late
 * or talks nonsense fails this utterance only.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { withoutRegion } from '../../../../src/contract/language.js';
import { type OpenAiOptions, openAiUrl } from './openai.js';
import { promptOf } from './prompt.js';
import {
  type LiveOptions,
  type LiveUtterance,
  meanConfidence,
  type ProbeResult,
  type RecognitionHints,
  sampleRate,
  type TranscribedWord,
  type TranscribeOptions,
  type Transcriber,
  type Transcription,
} from './transcriber.js';

const handshakeMs = 5_000;
const attemptsMax = 3;
const firstPauseMs = 250;
/** One event, and all events about an utterance. */
const eventBytesMax = 256 * 1024;
const receivedBytesMax = 2 * 1024 * 1024;
/** Sound that a service does not take. */
const unsentBytesMax = 4 * 1024 * 1024;
/** Utterances that are followed while they are spoken. */
const liveMax = 32;
/** The only rate of the interface. */
const realtimeRate = 24_000;
/** Sound of one event: five seconds, 320 kB. Services bound what they take at once. */
const pieceSamples = 5 * sampleRate;

const keyRejected = {
  ok: false,
  reason: 'The transcription service rejects the key.',
  remedy: 'Set EARSHOT_OPENAI_API_KEY.',
} as const;

const ServiceEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session.updated') }),
  z.object({ type: z.literal('conversation.item.input_audio_transcription.delta'), delta: z.string().nullish() }),
  z.object({
    type: z.literal('conversation.item.input_audio_transcription.completed'),
    transcript: z.string(),
    logprobs: z.array(z.object({ token: z.string(), logprob: z.number() })).nullish(),
  }),
  z.object({
    type: z.literal('conversation.item.input_audio_transcription.failed'),
    error: z.object({ message: z.string().nullish() }),
  }),
  z.object({ type: z.literal('error'), error: z.object({ message: z.string().nullish() }) }),
]);
type Completed = Extract<
  z.infer<typeof ServiceEvent>,
  { type: 'conversation.item.input_audio_transcription.completed' }
>;
const knownTypes: ReadonlySet<unknown> = new Set(ServiceEvent.options.map((option) => option.shape.type.value));

/** Asking again does not mend it. */
class LastingFailure extends Error {}
class KeyRefused extends LastingFailure {}

export class OpenAiRealtimeTranscriber implements Transcriber {
  readonly name = 'openai-realtime';
  readonly concurrency: number;
  private readonly open = new Set<RealtimeUtterance>();

  constructor(private readonly options: OpenAiOptions) {
    this.concurrency = options.requestsMax;
  }

  async probe(): Promise<ProbeResult> {
    const trial = this.begin({});
    try {
      await trial.ready;
      return { ok: true };
    } catch (error) {
      if (error instanceof KeyRefused) return keyRejected;
      const why = error instanceof Error ? error.message : String(error);
      return {
        ok: false,
        reason: `The transcription service at ${addressOf(this.options).origin} offers no Realtime API: ${why}.`,
        remedy: 'Start it, set EARSHOT_OPENAI_BASE_URL, or set EARSHOT_TRANSCRIBER=openai.',
      };
    } finally {
      trial.close();
    }
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {
    for (const one of this.open) one.close(new LastingFailure('the recogniser was stopped'));
  }

  listen(options: LiveOptions): LiveUtterance | null {
    return this.open.size < liveMax ? this.begin(options) : null;
  }

  async transcribe(pcm: Int16Array, { live, signal, vocabulary, language }: TranscribeOptions): Promise<Transcription> {
    signal.throwIfAborted();
    let following = live instanceof RealtimeUtterance ? live : null;
    for (let attempt = 1; ; attempt++) {
      const one = following ?? this.begin({ hints: async () => ({ vocabulary, language }) });
      if (following === null)
        for (let at = 0; at < pcm.length; at += pieceSamples) one.push(pcm.subarray(at, at + pieceSamples));
      following = null;
      const giveUp = () => one.close(new Error('aborted'));
      signal.addEventListener('abort', giveUp, { once: true });
      try {
        return transcriptionOf(await one.finish(), language);
      } catch (error) {
        if (signal.aborted || error instanceof LastingFailure || attempt >= attemptsMax) throw error;
        await sleep(firstPauseMs * 2 ** (attempt - 1), undefined, { signal });
      } finally {
        signal.removeEventListener('abort', giveUp);
        one.close();
      }
    }
  }

  private begin(options: Partial<LiveOptions>): RealtimeUtterance {
    const one = new RealtimeUtterance(this.options, options, () => this.open.delete(one));
    this.open.add(one);
    return one;
  }
}

class RealtimeUtterance implements LiveUtterance {
  /** Resolves when the service has accepted the session. */
  readonly ready: Promise<void>;
  private readonly socket: WebSocket;
  private readonly completed: Promise<Completed>;
  private readonly settle: { ready(): void; complete(completed: Completed): void; fail(error: Error): void };
  private text = '';
  private receivedBytes = 0;
  /** Events that wait for the session to be configured; null: it is, or there will be none. */
  private waiting: string[] | null = [];
  private isCommitted = false;

  constructor(
    options: OpenAiOptions,
    private readonly listener: Partial<LiveOptions>,
    onEnd: () => void,
  ) {
    const [ready, completed] = [settled<void>(), settled<Completed>()];
    this.ready = ready.promise;
    this.completed = completed.promise;
    const fail = (error: Error) => {
      ready.reject(error);
      completed.reject(error);
      this.waiting = null;
      this.socket.terminate();
    };
    this.settle = { ready: ready.resolve, complete: completed.resolve, fail };
    const { apiKey, model } = options;
    this.socket = new WebSocket(addressOf(options), {
      headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
      ...{ handshakeTimeout: handshakeMs, maxPayload: eventBytesMax, perMessageDeflate: false, followRedirects: false },
    });
    this.socket.on('error', (error) => fail(error));
    this.socket.on('unexpected-response', (_, { statusCode }) =>
      fail(
        statusCode === 401 || statusCode === 403
          ? new KeyRefused(`${keyRejected.reason} ${keyRejected.remedy}`)
          : new Error(`the service answers ${statusCode}`),
      ),
    );
    this.socket.on('close', () => {
      fail(new Error('the service closed the connection'));
      onEnd();
    });
    this.socket.on('message', (data) => this.receive(String(data)));
    this.socket.on('open', () => void this.configure(model));
    setTimeout(() => ready.reject(new Error('no answer to the session')), handshakeMs).unref();
  }

  /** Never rejects. Sends what waits behind it. */
  private async configure(model: string): Promise<void> {
    // Speech is worth more than what would help to hear it.
    const known: RecognitionHints = (await this.listener.hints?.().catch(() => ({}))) ?? {};
    const { vocabulary = [], language } = known;
    const prompt = promptOf(vocabulary);
    const events = this.waiting ?? [];
    this.waiting = null;
    this.send({
      type: 'session.update',
      session: {
        type: 'transcription',
        audio: {
          input: {
            format: { type: 'audio/pcm', rate: realtimeRate },
            transcription: {
              model,
              ...(prompt === undefined ? {} : { prompt }),
              ...(language ? { language: withoutRegion(language) } : {}),
            },
            turn_detection: null,
          },
        },
        include: ['item.input_audio_transcription.logprobs'],
      },
    });
    for (const event of events) this.socket.send(event);
  }

  push(pcm: Int16Array): void {
    if (this.socket.bufferedAmount > unsentBytesMax) this.close(new Error('the service does not take the sound'));
    this.send({ type: 'input_audio_buffer.append', audio: base64At24kHz(pcm) });
  }

  end(): void {
    if (this.isCommitted) return;
    this.isCommitted = true;
    this.send({ type: 'input_audio_buffer.commit' });
  }

  finish(): Promise<Completed> {
    this.end();
    return this.completed;
  }

  close(error = new Error('given up')): void {
    this.settle.fail(error);
  }

  private send(event: object): void {
    const text = JSON.stringify(event);
    if (this.waiting !== null) this.waiting.push(text);
    else if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
  }

  private receive(text: string): void {
    this.receivedBytes += text.length;
    if (this.receivedBytes > receivedBytesMax) this.close(new Error('the service sends too much'));
    else
      try {
        const data: unknown = JSON.parse(text);
        const { type } = z.object({ type: z.unknown() }).parse(data);
        if (knownTypes.has(type)) this.act(ServiceEvent.parse(data));
      } catch {
        this.close(new Error('the service sends what is no event of the Realtime API'));
      }
  }

  private act(event: z.infer<typeof ServiceEvent>): void {
    switch (event.type) {
      case 'session.updated':
        this.settle.ready();
        break;
      case 'conversation.item.input_audio_transcription.delta':
        this.text += event.delta ?? '';
        this.listener.onText?.(this.text.trim());
        break;
      case 'conversation.item.input_audio_transcription.completed':
        this.settle.complete(event);
        break;
      default:
        this.close(new Error(`the service failed: ${event.error.message ?? 'no reason given'}`));
    }
  }
}

/** A promise that others settle; whoever waits for it learns of a failure. */
function settled<T>() {
  let [resolve, reject]: [(value: T) => void, (error: Error) => void] = [() => {}, () => {}];
  const promise = new Promise<T>((fulfil, refuse) => {
    [resolve, reject] = [fulfil, refuse];
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
}

/** `wss://host/v1/realtime?intent=transcription`, from `https://host/v1`. */
function addressOf({ baseUrl }: OpenAiOptions): URL {
  const url = new URL(`${(baseUrl ?? openAiUrl).replace(/\/$/, '')}/realtime?intent=transcription`);
  url.protocol = url.protocol === 'http:' ? 'ws:' : 'wss:';
  return url;
}

/** Between two samples where there are fewer. */
function base64At24kHz(pcm: Int16Array): string {
  const length = Math.floor((pcm.length * realtimeRate) / sampleRate);
  const bytes = Buffer.alloc(length * 2);
  for (let index = 0; index < length; index++) {
    const position = (index * sampleRate) / realtimeRate;
    const first = Math.floor(position);
    const before = pcm[first] ?? 0;
    const after = pcm[first + 1] ?? before;
    bytes.writeInt16LE(Math.round(before + (after - before) * (position - first)), index * 2);
  }
  return bytes.toString('base64');
}

/** Tokens are pieces of words; a word is as sure as its least certain token. */
function transcriptionOf({ transcript, logprobs }: Completed, language: string | undefined): Transcription {
  const words: TranscribedWord[] = [];
  for (const { token, logprob } of logprobs ?? []) {
    const confidence = Math.min(1, Math.exp(logprob));
    const last = words.at(-1);
    if (last === undefined || /^\s/.test(token))
      words.push({ text: token.trim(), startMs: null, endMs: null, confidence });
    else
      words[words.length - 1] = {
        ...last,
        text: last.text + token.trim(),
        confidence: Math.min(last.confidence ?? 1, confidence),
      };
  }
  const stated = words.filter(({ text }) => text !== '');
  return {
    ...{ text: transcript.trim(), quality: 'good', language: language ?? null, words: stated },
    ...{ confidence: meanConfidence(stated), noSpeechProbability: null, alternatives: [] },
  };
}
