/**
 * The embedded recogniser: resident pocketsphinx decoders. English only, about one word in four wrong on clean read
 * speech, no punctuation. Segments pass through files that only the daemon can read, in memory where the system offers
 * that.
 */
import { ignoreFaults, type OnFault } from '../../../platform/processes/watched-process.js';
import { PocketsphinxDecoder } from './pocketsphinx-decoder.js';
import type { PocketsphinxEngine } from './pocketsphinx-engine.js';
import { workingPocketsphinx } from './pocketsphinx-probe.js';
import { Redecoder } from './redecoder.js';
import { makeScratchDir, type ScratchDir } from './scratch.js';
import {
  type LiveOptions,
  type LiveUtterance,
  meanConfidence,
  otherRecognisers,
  type ProbeResult,
  type TranscribeOptions,
  type Transcriber,
  type Transcription,
} from './transcriber.js';

interface PocketsphinxOptions {
  /** Folders in which an engine may have been unpacked. */
  speechDirs: readonly string[];
  /** Processes of about 100 MB each; each handles one segment at a time. */
  decoders: number;
}

/** A step takes a fraction of a second. */
const liveTimeoutMs = 10_000;

export class PocketsphinxTranscriber implements Transcriber {
  readonly name = 'pocketsphinx';
  readonly label =
    'pocketsphinx, which is poor: about one word in four is wrong (`earshotd speech install` fetches a better one)';
  readonly concurrency: number;
  private scratch: ScratchDir | null = null;
  private decoders: PocketsphinxDecoder[] = [];
  private idle: PocketsphinxDecoder[] = [];
  private redecoder: Redecoder | null = null;

  constructor(
    private readonly options: PocketsphinxOptions,
    private readonly onFault: OnFault = ignoreFaults,
  ) {
    this.concurrency = options.decoders;
  }

  async probe(): Promise<ProbeResult> {
    const found = await workingPocketsphinx(this.options.speechDirs);
    if (found.engine !== null) return { ok: true };
    return { ok: false, reason: found.failure, remedy: `Run \`earshotd speech install\`. ${otherRecognisers}` };
  }

  /** Throws when no engine works here. */
  async start(): Promise<void> {
    const found = await workingPocketsphinx(this.options.speechDirs);
    if (found.engine === null) throw new Error(found.failure);
    const { engine } = found;
    this.scratch = await makeScratchDir();
    const { path: scratchDir } = this.scratch;
    this.decoders = Array.from(
      { length: this.options.decoders },
      (_, index) => new PocketsphinxDecoder(engine, scratchDir, `u${index}`, this.onFault),
    );
    this.idle = [...this.decoders];
    for (const decoder of this.decoders) decoder.start();
    this.redecoder = this.liveDecoding(engine, scratchDir);
  }

  /** A process of its own, which starts when somebody first wants to read along. */
  private liveDecoding(engine: PocketsphinxEngine, scratchDir: string): Redecoder {
    const live = new PocketsphinxDecoder(engine, scratchDir, 'live', this.onFault, 'live');
    this.decoders.push(live);
    return new Redecoder((pcm) => live.transcribe(pcm, AbortSignal.timeout(liveTimeoutMs)));
  }

  async stop(): Promise<void> {
    for (const decoder of this.decoders) decoder.close();
    this.decoders = [];
    this.idle = [];
    this.redecoder = null;
    await this.scratch?.remove();
    this.scratch = null;
  }

  listen(options: LiveOptions): LiveUtterance | null {
    return this.redecoder?.listen(options) ?? null;
  }

  async transcribe(pcm: Int16Array, { signal }: TranscribeOptions): Promise<Transcription> {
    const decoder = this.idle.pop();
    if (decoder === undefined) throw new Error('pocketsphinx: no decoder is free, or none was started');
    try {
      const { text, words, alternatives } = await decoder.transcribe(pcm, signal);
      return {
        ...{ text, words, quality: 'basic', language: 'en', noSpeechProbability: null },
        confidence: meanConfidence(words),
        alternatives: alternatives.map((one) => ({ text: one, confidence: null })),
      };
    } finally {
      if (this.decoders.includes(decoder)) this.idle.push(decoder);
    }
  }
}
