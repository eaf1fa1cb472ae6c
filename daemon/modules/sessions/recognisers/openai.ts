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
import { withoutRegion } from '../../../../src/contract/language.js';
import { wavFile } from '../wav.js';
import { promptOf } from './prompt.js';
import {
  languageCode,
  meanConfidence,
  type ProbeResult,
  sampleRate,
  type TranscribedWord,
  type TranscribeOptions,
  type Transcriber,
  type Transcription,
} from './transcriber.js';

/** The queue ends a request before: its limit for an utterance of 20 s is at most 2,600 s. */
const requestTimeoutMs = 3_600_000;
const probeTimeoutMs = 5_000;
const retriesMax = 2;
/** Pieces likelier than this to be without speech are left out beside others that are not. */
const noSpeechLimit = 0.6;
export const openAiUrl = 'https://api.openai.com/v1';
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

/** OpenAI's own words have no probability; those of faster-whisper and whisper.cpp do. */
const AnsweredWord = z.object({
  word: z.string(),
  start: z.number().nullish(),
  end: z.number().nullish(),
  probability: z.number().nullish(),
});

/** The answers of such services: OpenAI's own always have segments, others less. */
const Answer = z.object({
  text: z.string(),
  language: z.string().nullish(),
  segments: z
    .array(
      z.object({
        text: z.string(),
        start: z.number().nullish(),
        end: z.number().nullish(),
        avg_logprob: z.number().nullish(),
        no_speech_prob: z.number().nullish(),
        /** Of `earshotd speech serve`: fields whose number means nothing. */
        unstated: z.array(z.string()).nullish(),
        words: z.array(AnsweredWord).nullish(),
      }),
    )
    .nullish(),
  words: z.array(AnsweredWord).nullish(),
});
type AnsweredSegment = NonNullable<NonNullable<z.infer<typeof Answer>['segments']>[number]>;

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
    const segments = answer.segments ?? [];
    const spoken = segments.filter(({ no_speech_prob }) => (no_speech_prob ?? 0) <= noSpeechLimit);
    const heard = spoken.length === 0 ? segments : spoken;
    const text = heard.length === segments.length ? answer.text : joined(heard);
    const words = (answer.words ?? heard.flatMap((segment) => segment.words ?? [])).map(wordOf);
    return {
      ...{ text: text.trim(), quality: 'good', words, alternatives: [] },
      language: languageCode(answer.language ?? options.language),
      confidence: meanConfidence(words) ?? meanBySeconds(heard, (one) => probability(statedIn(one, 'avg_logprob'))),
      noSpeechProbability: meanBySeconds(heard, (one) => statedIn(one, 'no_speech_prob')),
    };
  }

  private async ask(wav: Buffer, options: TranscribeOptions): Promise<unknown> {
    const { format } = this;
    const { signal, vocabulary = [], language } = options;
    const request = new AbortController();
    const abort = (): void => request.abort(signal.reason);
    this.open.add(request);
    signal.addEventListener('abort', abort, { once: true });
    try {
      signal.throwIfAborted();
      const file = await toFile(wav, 'segment.wav', { type: 'audio/wav' });
      return await this.client.audio.transcriptions.create(
        {
          ...{ file, model: this.options.model, response_format: format, prompt: promptOf(vocabulary) },
          ...(language === undefined ? {} : { language: withoutRegion(language) }),
          ...(format === 'verbose_json' ? { timestamp_granularities: ['segment', 'word'] } : {}),
        },
        { signal: request.signal },
      );
    } catch (error) {
      if (format === 'json' || !(error instanceof BadRequestError)) throw error;
      this.format = 'json';
    } finally {
      signal.removeEventListener('abort', abort);
      this.open.delete(request);
    }
    return this.ask(wav, options);
  }
}

const joined = (segments: { text: string }[]): string => segments.map(({ text }) => text.trim()).join(' ');

const wordOf = ({ word, start, end, probability: stated }: z.infer<typeof AnsweredWord>): TranscribedWord => ({
  text: word.trim(),
  startMs: milliseconds(start),
  endMs: milliseconds(end),
  confidence: share(stated),
});

/** null: the service states none. */
const statedIn = (segment: AnsweredSegment, field: 'avg_logprob' | 'no_speech_prob'): number | null =>
  segment.unstated?.includes(field) === true ? null : (segment[field] ?? null);

const milliseconds = (seconds: number | null | undefined): number | null =>
  seconds === null || seconds === undefined ? null : Math.round(seconds * 1_000);

const share = (value: number | null | undefined): number | null =>
  value === null || value === undefined || Number.isNaN(value) ? null : Math.min(1, Math.max(0, value));

/** Mean probability of a token, from the mean of their logarithms. */
const probability = (logarithm: number | null | undefined): number | null =>
  logarithm === null || logarithm === undefined ? null : share(Math.exp(logarithm));

/** The mean over the segments that state a value, longer ones counting for more; null: none states it. */
function meanBySeconds(
  segments: readonly AnsweredSegment[],
  read: (segment: AnsweredSegment) => number | null,
): number | null {
  const stated = segments.flatMap((segment) => {
    const value = share(read(segment));
    return value === null ? [] : [{ value, weight: Math.max(0.01, (segment.end ?? 0) - (segment.start ?? 0)) }];
  });
  const weights = stated.reduce((sum, { weight }) => sum + weight, 0);
  return weights === 0 ? null : stated.reduce((sum, { value, weight }) => sum + value * weight, 0) / weights;
}
