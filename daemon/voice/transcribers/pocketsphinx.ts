/**
 * The embedded recogniser: resident pocketsphinx decoders. English only, about one word in four wrong on clean read
 * speech, no punctuation. Segments pass through memory-backed files that nobody else can read, never through a disk
 * where one can be avoided.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PocketsphinxDecoder } from './pocketsphinx-decoder.js';
import { findPocketsphinx, type PocketsphinxEngine, unpackedEngineDir } from './pocketsphinx-engine.js';
import {
  otherRecognisers,
  type Probe,
  sampleRate,
  type TranscribeOptions,
  type Transcriber,
  type Transcription,
} from './transcriber.js';

const probeTimeoutMs = 20_000;
const probeSeconds = 0.5;
const scratchPrefix = 'earshot-speech-';
const memoryDir = '/dev/shm';

export interface PocketsphinxOptions {
  dataDir: string;
  /** Processes of about 100 MB each, as many segments at once. */
  decoders: number;
}

export class PocketsphinxTranscriber implements Transcriber {
  readonly name = 'pocketsphinx';
  readonly concurrency: number;
  private scratchDir: string | null = null;
  private decoders: PocketsphinxDecoder[] = [];
  private idle: PocketsphinxDecoder[] = [];

  constructor(private readonly options: PocketsphinxOptions) {
    this.concurrency = options.decoders;
  }

  async probe(): Promise<Probe> {
    const remedy = `Run \`earshotd speech install\`. ${otherRecognisers}`;
    const engines = await findPocketsphinx(unpackedEngineDir(this.options.dataDir));
    let reason = 'pocketsphinx and its English model are not installed.';
    for (const engine of engines) {
      const failure = await failureOf(engine);
      if (failure === null) return { ok: true };
      reason = `${engine.program} does not work: ${failure}`;
    }
    return { ok: false, reason, remedy };
  }

  async start(): Promise<void> {
    const engine = await firstWorking(await findPocketsphinx(unpackedEngineDir(this.options.dataDir)));
    if (engine === null) throw new Error('No working pocketsphinx. Run `earshotd speech install`.');
    const scratchDir = await makeScratchDir();
    this.scratchDir = scratchDir;
    this.decoders = Array.from(
      { length: this.options.decoders },
      (_, index) => new PocketsphinxDecoder(engine, scratchDir, `u${index}`),
    );
    this.idle = [...this.decoders];
    for (const decoder of this.decoders) decoder.start();
  }

  async stop(): Promise<void> {
    for (const decoder of this.decoders) decoder.close();
    this.decoders = [];
    this.idle = [];
    if (this.scratchDir !== null) await rm(this.scratchDir, { recursive: true, force: true });
    this.scratchDir = null;
  }

  async transcribe(pcm: Int16Array, { signal }: TranscribeOptions): Promise<Transcription> {
    const decoder = this.idle.pop();
    if (decoder === undefined) throw new Error('pocketsphinx: no decoder is free, or none was started');
    try {
      return { text: await decoder.transcribe(pcm, signal), quality: 'basic', language: 'en' };
    } finally {
      if (this.decoders.includes(decoder)) this.idle.push(decoder);
    }
  }
}

async function firstWorking(engines: PocketsphinxEngine[]): Promise<PocketsphinxEngine | null> {
  if (engines.length <= 1) return engines[0] ?? null;
  for (const engine of engines) if ((await failureOf(engine)) === null) return engine;
  return null;
}

/** What is wrong with this engine, or null: it has just decoded half a second of silence. */
export async function failureOf(engine: PocketsphinxEngine): Promise<string | null> {
  const scratchDir = await makeScratchDir();
  const decoder = new PocketsphinxDecoder(engine, scratchDir, 'probe');
  try {
    await decoder.transcribe(new Int16Array(sampleRate * probeSeconds), AbortSignal.timeout(probeTimeoutMs));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    decoder.close();
    await rm(scratchDir, { recursive: true, force: true });
  }
}

/** A folder for this process alone, in memory where the system offers that. What a killed daemon left is removed. */
async function makeScratchDir(): Promise<string> {
  const entries = await readdir(memoryDir).catch(() => null);
  const parent = entries === null ? tmpdir() : memoryDir;
  const stale = (entries ?? []).filter((name) => name.startsWith(scratchPrefix) && !ownerLives(name));
  await Promise.all(stale.map((name) => rm(join(parent, name), { recursive: true, force: true }).catch(() => {})));
  return mkdtemp(join(parent, `${scratchPrefix}${process.pid}-`));
}

function ownerLives(folder: string): boolean {
  const pid = Number(folder.slice(scratchPrefix.length).split('-')[0]);
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
