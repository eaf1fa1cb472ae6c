/**
 * Any service that speaks OpenAI's `POST /audio/transcriptions`: one request per segment. `verbose_json` states how
 * likely a piece contains no speech; a service that refuses that format is asked for plain `json` from then on.
 */
import OpenAI, {
  APIConnectionError,
  APIError,
  AuthenticationError,
  BadRequestError,
  PermissionDeniedError,
  toFile,
} from 'openai';
import { z } from 'zod';
import { wavFile } from '../wav.js';
import {
  type ProbeResult,
  sampleRate,
  type TranscribeOptions,
  type Transcriber,
  type Transcription,
} from './transcriber.js';

const requestTimeoutMs = 30_000;
const probeTimeoutMs = 5_000;
const retriesMax = 2;
/** Pieces at least this likely to be without speech are left out: models invent words for silence. */
const noSpeechLimit = 0.6;
const openAiUrl = 'https://api.openai.com/v1';
/** Services in a private network seldom need a key, but the client insists on one. */
const noKey = 'none';

export interface OpenAiOptions {
  /** With the version, as the client takes it: `https://host/v1`. Null: OpenAI's own. */
  baseUrl: string | null;
  apiKey: string | null;
  model: string;
  /** Requests under way at the same time. */
  requestsMax: number;
}

/** The answers of such services: OpenAI's own always have segments, others less. */
const Answer = z.object({
  text: z.string(),
  language: z.string().nullish(),
  segments: z.array(z.object({ text: z.string(), no_speech_prob: z.number().nullish() })).nullish(),
});

export class OpenAiTranscriber implements Transcriber {
  readonly name = 'openai';
  readonly concurrency: number;
  private readonly client: OpenAI;
  private readonly open = new Set<AbortController>();
  private format: 'verbose_json' | 'json' = 'verbose_json';

  constructor(private readonly options: OpenAiOptions) {
    this.concurrency = options.requestsMax;
    this.client = new OpenAI({
      baseURL: options.baseUrl ?? openAiUrl, // every field is set: the client would read absent ones from the environment
      apiKey: options.apiKey ?? noKey,
      organization: null,
      project: null,
      webhookSecret: null,
      logLevel: 'off',
      timeout: requestTimeoutMs,
      maxRetries: retriesMax,
    });
  }

  /** Any answer except a refused key is enough: not every service lists its models. */
  async probe(): Promise<ProbeResult> {
    try {
      await this.client.models.list({ timeout: probeTimeoutMs, maxRetries: 0 });
      return { ok: true };
    } catch (error) {
      if (error instanceof AuthenticationError || error instanceof PermissionDeniedError) {
        return {
          ok: false,
          reason: 'The transcription service rejects the key.',
          remedy: 'Set EARSHOT_OPENAI_API_KEY.',
        };
      }
      if (error instanceof APIError && !(error instanceof APIConnectionError)) return { ok: true };
      return {
        ok: false,
        reason: `The transcription service at ${this.client.baseURL} does not answer.`,
        remedy: 'Start it, or set EARSHOT_OPENAI_BASE_URL.',
      };
    }
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {
    for (const request of this.open) request.abort();
  }

  async transcribe(pcm: Int16Array, options: TranscribeOptions): Promise<Transcription> {
    const answer = Answer.parse(await this.ask(wavFile(pcm, sampleRate), options));
    const { segments } = answer;
    const heard = segments?.filter(({ no_speech_prob }) => (no_speech_prob ?? 0) <= noSpeechLimit);
    const text = heard === undefined || heard.length === segments?.length ? answer.text : joined(heard);
    return { text: text.trim(), quality: 'good', language: answer.language ?? options.language ?? null };
  }

  private async ask(wav: Buffer, { signal, prompt, language }: TranscribeOptions): Promise<unknown> {
    const { format } = this;
    const request = new AbortController();
    const abort = (): void => request.abort(signal.reason);
    this.open.add(request);
    signal.addEventListener('abort', abort, { once: true });
    try {
      signal.throwIfAborted();
      const file = await toFile(wav, 'segment.wav', { type: 'audio/wav' });
      return await this.client.audio.transcriptions.create(
        { file, model: this.options.model, response_format: format, prompt, language },
        { signal: request.signal },
      );
    } catch (error) {
      if (format === 'json' || !(error instanceof BadRequestError)) throw error;
      this.format = 'json';
    } finally {
      signal.removeEventListener('abort', abort);
      this.open.delete(request);
    }
    return this.ask(wav, { signal, prompt, language });
  }
}

const joined = (segments: { text: string }[]): string => segments.map(({ text }) => text.trim()).join(' ');
