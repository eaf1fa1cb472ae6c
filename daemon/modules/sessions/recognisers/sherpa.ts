/**
 * A sherpa-onnx model, in a process of its own; one segment at a time on all its threads.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { withoutRegion } from '../../../../src/contract/language.js';
import { programFile } from '../../../platform/package.js';
import { ignoreFaults, type OnFault, WatchedProcess } from '../../../platform/processes/watched-process.js';
import { worthOf } from '../speech-install/catalogue.js';
import { hotwordsOf, piecesIn } from './hotwords.js';
import { languagesOf } from './model-languages.js';
import { Redecoder } from './redecoder.js';
import { detectSherpaModel, type SherpaModelConfig, sileroIn } from './sherpa-model.js';
import { StreamedUtterance } from './streamed-utterance.js';
import {
  type LiveOptions,
  type LiveUtterance,
  languageCode,
  meanConfidence,
  type ProbeResult,
  type RecognitionHints,
  sampleRate,
  type TranscribedWord,
  type TranscribeOptions,
  type Transcriber,
  type Transcription,
} from './transcriber.js';

const gaveUp = 'sherpa-onnx: given up';
const probeTimeoutMs = 60_000;
/** A step of live text that takes longer ends the process, and a finished utterance waits no longer for it. */
const liveTimeoutMs = 5_000;
/** Utterances that a streaming model follows; the state of each takes megabytes. */
const streamedMax = 32;
const outputMaxChars = 16_000;
/** What a process has written before its answer comes this much after it at the latest. */
const outputDelayMs = 30;
const complaintMaxChars = 500;
const modelWanted =
  'Install one with `earshotd speech install NAME` (`earshotd speech list`), or set EARSHOT_SHERPA_MODEL_DIR.';

interface SherpaOptions {
  /** Folder of one model. */
  modelDir: string;
  threads: number;
}

/** A model may state what is no number; the text counts all the same. */
const MaybeNumber = z
  .unknown()
  .transform((value) => (typeof value === 'number' && Number.isFinite(value) ? value : null));

const Answer = z.object({
  text: z.string(),
  language: z.string().optional(),
  /** Pieces of words; a new word begins with a space, or with ▁. */
  tokens: z.array(z.string()).optional(),
  /** When each token begins, in seconds. */
  timestamps: z.array(MaybeNumber).optional(),
  /** Logarithm of each token's probability; not every model states it. */
  logProbabilities: z.array(MaybeNumber).optional(),
});

/** The answer about an utterance that a streaming model has heard in part. */
const PartialAnswer = z.object({ soFar: z.string() });

/** What is known of the model once it has been loaded. */
interface LoadedModel {
  /** Pieces of words that a transducer knows; null: the model is of another family, and takes no hot words. */
  readonly pieces: ReadonlyMap<string, number> | null;
  /** Search for hot words: it is slower, so it is used from the first ones on. */
  beam: 'unused' | 'used' | 'refused';
  /** That it can be told to expect; empty: none. */
  readonly languages: ReadonlySet<string>;
  readonly isStreaming: boolean;
}

const piecesOf = async (config: SherpaModelConfig | null): Promise<LoadedModel['pieces']> =>
  config === null || !('transducer' in config) ? null : piecesIn(await readFile(config.tokens, 'utf8'));

/** Returns the folder into which `speech install --from` puts models, each in a folder of its own. */
export const sherpaModelsDir = (speechDir: string): string => join(speechDir, 'models');

/** The wanted model if it is installed, else the first by name in the first of these folders that has one, or null. */
export async function installedSherpaModel(speechDirs: readonly string[], wanted?: string): Promise<string | null> {
  const found = await installedSherpaModels(speechDirs);
  return found.find((folder) => basename(folder) === wanted) ?? found[0] ?? null;
}

/** Those that the set-up installs by itself; one that somebody has chosen is used before them. */
const isUsual = (name: string): boolean => name.startsWith('moonshine-');

/** Folders of the installed models, by name within each of these folders, those of the set-up last. */
export async function installedSherpaModels(speechDirs: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const dir of speechDirs)
    for (const name of (await readdir(sherpaModelsDir(dir)).catch(() => [])).sort(byChoice)) {
      const folder = join(sherpaModelsDir(dir), name);
      if ((await detectSherpaModel(folder)) !== null) found.push(folder);
    }
  return found;
}

const byChoice = (one: string, other: string): number =>
  Number(isUsual(one)) - Number(isUsual(other)) || (one < other ? -1 : 1);

export class SherpaTranscriber implements Transcriber {
  readonly name = 'sherpa';
  readonly concurrency = 1;
  private process: WatchedProcess | null = null;
  private model: LoadedModel | null = null;
  /** The process works on one piece at a time. */
  private turn: Promise<unknown> = Promise.resolve();
  /** Utterances that a streaming model follows. */
  private readonly streamed = new Set<StreamedUtterance>();
  private utterances = 0;
  private readonly redecoder = new Redecoder(async (pcm, { hints, mayWork }) => {
    const language = (await hints?.().catch(() => null))?.language;
    return this.inTurn(async () =>
      mayWork() ? await this.decode(pcm, { signal: AbortSignal.timeout(liveTimeoutMs), language }) : null,
    );
  });

  /** `program` is what runs the model. */
  constructor(
    private readonly options: SherpaOptions,
    private readonly onFault: OnFault = ignoreFaults,
    private readonly program = programFile('modules/sessions/recognisers/sherpa-process'),
  ) {}

  get label(): string {
    const folder = basename(this.options.modelDir);
    return `${this.name} (${folder}: ${worthOf(folder)})`;
  }

  async probe(): Promise<ProbeResult> {
    const { modelDir } = this.options;
    const names = await readdir(modelDir).catch(() => null);
    if (names === null) return { ok: false, reason: `The model folder ${modelDir} is missing.`, remedy: modelWanted };
    if ((await detectSherpaModel(modelDir)) === null) {
      return { ok: false, reason: `The folder ${modelDir} holds no known sherpa-onnx model.`, remedy: modelWanted };
    }
    const trial = new SherpaTranscriber(this.options);
    try {
      await trial.transcribe(new Int16Array(sampleRate), { signal: AbortSignal.timeout(probeTimeoutMs) });
      return { ok: true };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { ok: false, reason: `The model in ${modelDir} does not work: ${reason}`, remedy: modelWanted };
    } finally {
      await trial.stop();
    }
  }

  async start(): Promise<void> {
    this.process = await this.load(AbortSignal.timeout(probeTimeoutMs));
  }

  async stop(): Promise<void> {
    this.process?.kill(null);
    this.process = null;
  }

  transcribe(pcm: Int16Array, options: TranscribeOptions): Promise<Transcription> {
    return this.inTurn(() => this.decode(pcm, options));
  }

  /** In the process that decodes it in the end. A model that is no streaming one decodes it again and again. */
  listen(options: LiveOptions): LiveUtterance | null {
    if (this.model?.isStreaming !== true) return this.redecoder.listen(options);
    return this.streamed.size < streamedMax ? this.follow(options) : null;
  }

  private follow(options: LiveOptions): StreamedUtterance {
    const one: StreamedUtterance = new StreamedUtterance(
      ++this.utterances,
      options,
      (pcm) => this.inTurn(() => this.hear(one, pcm)),
      () => {
        this.streamed.delete(one);
        one.heardBy?.child.send({ forget: one.number }, () => {}); // a process that has ended has forgotten it
      },
    );
    this.streamed.add(one);
    return one;
  }

  /** Null: it has ended meanwhile. Rejects where the process that heard its beginning is gone. */
  private async hear(one: StreamedUtterance, pcm: Int16Array): Promise<string | null> {
    if (one.isOver) return null;
    const signal = AbortSignal.timeout(liveTimeoutMs);
    one.heardBy ??= this.process ??= await this.load(signal);
    if (one.heardBy !== this.process) throw new Error(gaveUp);
    const request = { pcm, language: null, hotwords: null, utterance: one.number, isLast: false };
    const { soFar } = await this.ask(PartialAnswer, request, signal);
    one.heardSamples += pcm.length;
    return soFar;
  }

  private inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => {});
    return done;
  }

  private async decode(pcm: Int16Array, { signal, live, ...hints }: TranscribeOptions): Promise<Transcription> {
    if (signal.aborted) throw new Error(gaveUp);
    this.process ??= await this.load(signal);
    const hotwords = hints.vocabulary === undefined ? null : await this.hotwords(hints.vocabulary, signal);
    if (signal.aborted) throw new Error(gaveUp);
    const language = this.expected(hints);
    const request = { ...this.unheard(pcm, live ?? null), language, hotwords, isLast: true };
    const answer = await this.ask(Answer, request, signal);
    const words = wordsOf(answer);
    return {
      ...{ text: answer.text.trim(), quality: 'good', words, noSpeechProbability: null, alternatives: [] },
      language: languageCode(answer.language?.replace(/[<|>]/g, '')),
      confidence: meanConfidence(words),
    };
  }

  /** What the process has not heard of it yet. */
  private unheard(
    pcm: Int16Array,
    live: LiveUtterance | null,
  ): { readonly pcm: Int16Array; readonly utterance: number } {
    const isKnown = live instanceof StreamedUtterance && !live.isOver && live.heardBy === this.process;
    return isKnown
      ? { pcm: pcm.subarray(live.heardSamples), utterance: live.number }
      : { pcm, utterance: ++this.utterances };
  }

  /** One answer of the process; where there is none in time, or a wrong one, the process is ended. */
  private async ask<Schema extends z.ZodType>(
    schema: Schema,
    request: object,
    signal: AbortSignal,
  ): Promise<z.output<Schema>> {
    const { process } = this;
    if (process === null) throw new Error(gaveUp);
    const answered = answerOf(process.child, signal);
    // Without a callback a broken channel would be an `error` event; the end of the process says the same.
    process.child.send(request, () => {});
    try {
      return schema.parse(await answered);
    } catch (error) {
      process.kill(null); // a segment being decoded can only be stopped by ending its process
      if (this.process === process) this.process = null;
      throw error;
    }
  }

  /** The language to expect; null: the model finds out. */
  private expected({ language }: RecognitionHints): string | null {
    const code = language === undefined ? null : withoutRegion(language);
    return code !== null && this.model?.languages.has(code) === true ? code : null;
  }

  /** What the model is to favour; the first time it is loaded again, for a search that can. Null: nothing, or it cannot. */
  private async hotwords(vocabulary: readonly string[], signal: AbortSignal): Promise<string | null> {
    const { model } = this;
    if (model === null || model.pieces === null || model.beam === 'refused') return null;
    const hotwords = hotwordsOf(vocabulary, model.pieces);
    if (hotwords === null || model.beam === 'used') return hotwords;
    this.process?.kill(null);
    model.beam = 'used';
    try {
      this.process = await this.load(signal);
      return hotwords;
    } catch {
      signal.throwIfAborted();
      model.beam = 'refused';
      this.process = await this.load(signal);
      return null;
    }
  }

  private async load(signal: AbortSignal): Promise<WatchedProcess> {
    const config: SherpaModelConfig | null = await detectSherpaModel(this.options.modelDir);
    this.model ??= {
      ...{ pieces: await piecesOf(config), beam: 'unused', languages: await languagesOf(config) },
      isStreaming: config !== null && 'streamingTransducer' in config,
    };
    const { modelDir, threads } = this.options;
    const settings = { model: config, threads, beam: this.model.beam === 'used', silero: await sileroIn(modelDir) };
    const child = fork(this.program, [JSON.stringify(settings)], {
      serialization: 'advanced', // audio is passed as binary
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: [],
    });
    child.on('error', () => {}).stderr?.on('error', () => {}); // callers that wait for an answer learn of the end by a listener of their own
    const process = new WatchedProcess(child, this.onFault);
    child.once('exit', () => {
      if (this.process === process) this.process = null;
    });
    try {
      await answerOf(child, signal);
      return process;
    } catch (error) {
      process.kill(null);
      throw error;
    }
  }
}

/** The next message of the process; rejects with its last output when it ends, or when the signal fires. */
function answerOf(child: ChildProcess, signal: AbortSignal): Promise<unknown> {
  let output = '';
  const listening = new AbortController();
  const listen = (data: Buffer) => {
    output = (output + data.toString()).slice(-outputMaxChars);
  };
  return new Promise<unknown>((resolve, reject) => {
    const gone = () => reject(new Error(`sherpa-onnx: ${complaintOf(output) || 'the process ended'}`));
    const onMessage = (message: unknown) => {
      if (!isEmptyAnswer(message)) return resolve(message);
      // Some models catch what goes wrong in them, write it down, and answer that nobody spoke.
      setTimeout(() => {
        const caught = /Caught exception:\s+(.+)/.exec(output)?.[1];
        if (caught === undefined) resolve(message);
        else reject(new Error(`sherpa-onnx: ${caught}`));
      }, outputDelayMs);
    };
    child.stderr?.on('data', listen);
    child.once('message', onMessage).once('close', gone);
    child.on('error', reject);
    signal.addEventListener('abort', () => reject(new Error(gaveUp)), {
      once: true,
      signal: listening.signal,
    });
    listening.signal.addEventListener('abort', () => {
      child.stderr?.off('data', listen);
      child.off('message', onMessage).off('close', gone).off('error', reject);
    });
  }).finally(() => listening.abort());
}

/** What V8 writes around the line that says why it ends the process. */
const frame = /^#(?: Fatal error in .*)?$/gm;

/** The end of what the process wrote; where Node.js itself has ended it, that is a stack, and one line before says why. */
function complaintOf(output: string): string {
  const told = output.replaceAll(frame, '').trim();
  return /^(?:FATAL ERROR: .*|# .+)$/m.exec(told)?.[0] ?? told.slice(-complaintMaxChars);
}

const isEmptyAnswer = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'text' in message && message.text === '';

const wordStart = /^[ ▁]/;

/** Joins tokens to words. A word's confidence is that of its least certain token; it ends where the next one begins. */
function wordsOf({
  tokens = [],
  timestamps = [],
  logProbabilities = [],
}: Pick<z.infer<typeof Answer>, 'tokens' | 'timestamps' | 'logProbabilities'>): TranscribedWord[] {
  const words: TranscribedWord[] = [];
  const isStated = logProbabilities.length === tokens.length;
  for (const [index, token] of tokens.entries()) {
    const seconds = timestamps[index] ?? null;
    const startMs = seconds === null ? null : Math.round(seconds * 1_000);
    const logarithm = (isStated ? logProbabilities[index] : null) ?? null;
    const confidence = logarithm === null ? null : Math.min(1, Math.exp(logarithm));
    const last = words.at(-1);
    if (last === undefined || wordStart.test(token)) {
      if (last !== undefined) words[words.length - 1] = { ...last, endMs: startMs };
      words.push({ text: token.replace(wordStart, ''), startMs, endMs: null, confidence });
    } else {
      const least = last.confidence === null || confidence === null ? null : Math.min(last.confidence, confidence);
      words[words.length - 1] = { ...last, text: last.text + token, confidence: least };
    }
  }
  return words.filter(({ text }) => text !== '');
}
