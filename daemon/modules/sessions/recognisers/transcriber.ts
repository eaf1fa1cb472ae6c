/** Speech to text: the interface of every recogniser. */

/** Sample rate of everything that a transcriber is given, Hz. */
export const sampleRate = 16_000;

/**
 * How far the text can be trusted. `basic`: good enough to try out, for keyword alerts and CI, never as evidence for a
 * sanction; `good`: a modern model.
 */
type AsrQuality = 'basic' | 'good';

/** Result of a probe: whether a recogniser can work here; if not, why, and what to do (a sentence each). */
export type ProbeResult = { ok: true } | { ok: false; reason: string; remedy: string };

/** What is known before the sound is heard; recognisers that cannot use it leave it out. */
export interface RecognitionHints {
  /** As `de` or `pt-BR`; left out: the recogniser's own choice. */
  readonly language?: string | undefined;
  /** Names and terms that are likely to be said. */
  readonly vocabulary?: readonly string[] | undefined;
}

export interface TranscribeOptions extends RecognitionHints {
  /** Ends the work at once; the promise then rejects. */
  readonly signal: AbortSignal;
  /** What `listen` returned for this segment: its sound may be there already. */
  readonly live?: LiveUtterance | null | undefined;
}

/** One word; times in milliseconds from the beginning of the segment. */
export interface TranscribedWord {
  readonly text: string;
  readonly startMs: number | null;
  readonly endMs: number | null;
  /** 0–1; null: the recogniser states none. */
  readonly confidence: number | null;
}

export interface Transcription {
  /** Empty when there was nothing to recognise. */
  text: string;
  quality: AsrQuality;
  language: string | null;
  /** 0–1; null: the recogniser states none. */
  confidence: number | null;
  /** 0–1; null: the recogniser states none. */
  noSpeechProbability: number | null;
  words: readonly TranscribedWord[];
  /** What else it may have been, the likeliest first. */
  alternatives: readonly { readonly text: string; readonly confidence: number | null }[];
}

const englishNames = new Intl.DisplayNames('en', { type: 'language' });
const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const namedLanguages = new Map(
  letters
    .flatMap((first) => letters.map((second) => first + second))
    .map((code) => [englishNames.of(code)?.toLowerCase() ?? code, code]),
);

/** Code of a language that a recogniser names by its code (`en`, `en-US`) or in English (`english`); null: by neither. */
export function languageCode(named: string | null | undefined): string | null {
  const name = named?.toLowerCase() ?? '';
  return namedLanguages.get(name) ?? /^([a-z]{2,3})(?:[-_][a-z0-9]{2,8})*$/.exec(name)?.[1] ?? null;
}

/** The fields of a recogniser that says nothing about how sure it is. */
export const unstated = { confidence: null, noSpeechProbability: null, words: [], alternatives: [] } as const;

/** The mean; null: no word has a confidence. */
export function meanConfidence(words: readonly Pick<TranscribedWord, 'confidence'>[]): number | null {
  const stated = words.flatMap(({ confidence }) => confidence ?? []);
  return stated.length === 0 ? null : stated.reduce((sum, one) => sum + one, 0) / stated.length;
}

/** An utterance that is still being spoken. */
export interface LiveUtterance {
  /** The sound that follows, mono at `sampleRate`. */
  push(pcm: Int16Array): void;
  /** No more sound follows. */
  end(): void;
  /** No more text is wanted. */
  close(): void;
}

export interface LiveOptions {
  /** Called with everything that was said so far, each time that it has changed. Never calls after `close`. */
  onText(text: string): void;
  /** False while finished utterances wait: those come first. */
  mayWork(): boolean;
  /** For recognisers that finish what they have begun to hear. */
  readonly hints?: (() => Promise<RecognitionHints>) | undefined;
}

export interface Transcriber {
  /** Appears in messages as `asr.engine`. */
  readonly name: string;
  /** For operators: which model it is, or what it is worth; left out: the name is enough. */
  readonly label?: string;
  /** Segments that it takes at the same time; the queue never gives it more. */
  readonly concurrency: number;
  /** Tries the recogniser for real. Never throws; needs no start(). */
  probe(): Promise<ProbeResult>;
  start(): Promise<void>;
  /** Ends everything under way; open transcriptions reject. */
  stop(): Promise<void>;
  /** Text of one segment, mono at `sampleRate`. Rejects when the recogniser fails or the signal fires. */
  transcribe(pcm: Int16Array, options: TranscribeOptions): Promise<Transcription>;
  /** Follows an utterance while it is spoken; null: not at the moment. Left out: this recogniser cannot. */
  listen?(options: LiveOptions): LiveUtterance | null;
}

/** Remedy to name wherever no recogniser is found. */
export const otherRecognisers =
  'Or use any OpenAI-compatible service (EARSHOT_OPENAI_BASE_URL), or a sherpa-onnx model: earshotd speech install NAME (earshotd speech list).';
