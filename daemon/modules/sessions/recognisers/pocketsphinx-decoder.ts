/**
 * One resident pocketsphinx_batch: the model is loaded once, then one line in per segment, its text out, and a line of CTM
 * (time, duration, word, posterior probability) for each word; alternatives come as a file. Node's
 * pipes are sockets, and /dev/stdin cannot be reopened on a socket: hence the two `cat`s. Without stdbuf the results
 * would stay in the program's buffer. The process is started when first needed, and again, after a growing pause, when
 * it has died; the caller sends the segment it died on again.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ignoreFaults, type OnFault } from '../../../platform/processes/watched-process.js';
import { wavFile, wavHeaderBytes } from '../wav.js';
import type { PocketsphinxEngine } from './pocketsphinx-engine.js';
import { sampleRate, type TranscribedWord } from './transcriber.js';

/** When the program ends, for whatever reason, `kill 0` ends the rest of the group: that is how we notice. */
const pipeline = 'cat | { stdbuf -oL "$0" "$@"; kill 0; } | cat';
const restartPauseFirstMs = 100;
const restartPauseMaxMs = 10_000;
/** About -25 dBFS. Louder input costs accuracy: 33 % instead of 40 % of words wrong over 19 clips, cause unknown. */
const peakWanted = 1842;
const complaintMaxChars = 500;

/** One pass instead of three, every second frame, and fewer candidates. */
const livePruning = '-maxwpf 5 -maxhmmpf 3000 -fwdflat no -bestpath no -ds 2 -topn 2'.split(' ');

/** Likely texts that it writes besides the best one. */
const alternativesAsked = 4;
/** The file of alternatives is written in one piece directly after the last word. */
const alternativesWaitMs = 10;
const alternativesLooksMax = 10;

export interface DecodedSegment {
  readonly text: string;
  readonly words: readonly (TranscribedWord & { readonly confidence: number })[];
  readonly alternatives: readonly string[];
}

interface DecoderJob {
  id: string;
  /** Null until its line has come. */
  text: string | null;
  words: DecodedSegment['words'][number][];
  resolve(decoded: Omit<DecodedSegment, 'alternatives'>): void;
  reject(error: Error): void;
}

export class PocketsphinxDecoder {
  private child: ChildProcessWithoutNullStreams | null = null;
  private job: DecoderJob | null = null;
  private jobsStarted = 0;
  private deathsInARow = 0;
  private startNotBeforeMs = 0;
  private complaint = '';
  private closed = false;

  /** `scratchDir` is private to one daemon; `name` is unique within it. */
  constructor(
    private readonly engine: PocketsphinxEngine,
    private readonly scratchDir: string,
    private readonly name: string,
    private readonly onFault: OnFault = ignoreFaults,
    /** `live`: less exact and three times as fast, without alternatives. */
    private readonly kind: 'whole' | 'live' = 'whole',
  ) {}

  start(): void {
    if (this.child !== null || this.closed) return;
    this.complaint = '';
    const child = spawn('sh', ['-c', pipeline, this.engine.program, ...this.arguments()], {
      detached: true, // a process group of its own, so that the whole pipeline can be ended
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', LD_LIBRARY_PATH: this.engine.libraryDirs.join(':') },
    });
    this.child = child;
    const lines = createInterface(child.stdout);
    lines.on('error', () => {}); // passed on by the output
    lines.on('line', (line) => this.answer(line));
    child.stderr.on('data', (data: Buffer) => {
      this.complaint = (this.complaint + data.toString()).slice(-complaintMaxChars);
    });
    // A broken pipe shows itself as the end of the output.
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on('error', () => {});
    child.on('error', (error) => this.died(child, error.message));
    child.stdout.on('close', () => this.died(child, this.complaint.trim() || 'the decoder ended by itself'));
  }

  /** Recognises one segment; one at a time. Rejects when the process dies meanwhile or the signal fires. */
  async transcribe(pcm: Int16Array, signal: AbortSignal): Promise<DecodedSegment> {
    const pauseMs = this.startNotBeforeMs - performance.now();
    if (this.child === null && pauseMs > 0) await sleep(pauseMs, undefined, { signal });
    this.start();
    const id = `${this.name}-${++this.jobsStarted}`;
    const file = join(this.scratchDir, `${id}.wav`);
    const abandon = () => this.end('given up'); // a segment being decoded can only be stopped by ending its process
    try {
      await writeFile(file, wavFile(quiet(pcm), sampleRate), { signal, mode: 0o600 });
      const decoded = await new Promise<Omit<DecodedSegment, 'alternatives'>>((resolve, reject) => {
        signal.throwIfAborted();
        this.job = { id, text: null, words: [], resolve, reject };
        signal.addEventListener('abort', abandon, { once: true });
        if (this.child === null) this.end('the decoder ended by itself');
        this.child?.stdin.write(`${id}\n`);
      });
      return { ...decoded, alternatives: await this.alternatives(id, decoded.text) };
    } finally {
      signal.removeEventListener('abort', abandon);
      this.job = null;
      await rm(file, { force: true });
      await rm(this.alternativesFile(id), { force: true });
    }
  }

  private alternativesFile = (id: string): string => join(this.scratchDir, `${id}.alternatives`);

  /** Lines as `go for word ten meters -28586`. Empty where nothing was recognised, or the engine writes no such file. */
  private async alternatives(id: string, text: string): Promise<string[]> {
    if (text === '' || this.kind === 'live') return [];
    for (let look = 0; look < alternativesLooksMax; look++) {
      const lines = await readFile(this.alternativesFile(id), 'utf8').catch(() => '');
      if (lines !== '') {
        const texts = lines.split('\n').map((line) => line.replace(/ -?\d+$/, '').trim());
        return [...new Set(texts)].filter((one) => one !== '' && one !== text);
      }
      await sleep(alternativesWaitMs);
    }
    return [];
  }

  /** Permanently: nothing starts it again, and an open transcription rejects. */
  close(): void {
    this.closed = true;
    this.end('the recogniser was stopped');
  }

  private end(reason: string): void {
    const { child } = this;
    this.child = null;
    if (child?.pid !== undefined) killGroup(child.pid);
    this.job?.reject(new Error(`pocketsphinx: ${reason}`));
  }

  private died(child: ChildProcessWithoutNullStreams, reason: string): void {
    if (this.child !== child) return;
    this.onFault({ pid: child.pid ?? null, cause: 'exit', detail: reason });
    const pauseMs = Math.min(restartPauseFirstMs * 2 ** this.deathsInARow, restartPauseMaxMs);
    this.deathsInARow++;
    this.startNotBeforeMs = performance.now() + pauseMs;
    this.end(reason);
  }

  /**
   * The text reads `ten of clubs (u17 -1234)`; nothing recognised: ` (u17 -1234)`. Then come as many lines as it has words:
   * `u17 1 0.34 0.10 of 0.961`.
   */
  private answer(line: string): void {
    const { job } = this;
    if (job === null) return;
    const [, text, textOf] = /^(.*?) ?\((\S+) -?\d+\)$/.exec(line) ?? [];
    const [, wordOf, start, duration, word, posterior] =
      /^(\S+) \S+ ([\d.]+) ([\d.]+) (\S+) ([\d.]+)$/.exec(line) ?? [];
    if (text !== undefined && textOf === job.id) job.text = text;
    else if (word !== undefined && wordOf === job.id) {
      const startMs = Math.round(Number(start) * 1_000);
      const endMs = Math.round((Number(start) + Number(duration)) * 1_000);
      job.words.push({ text: word, startMs, endMs, confidence: Math.min(1, Number(posterior)) });
    }
    if (job.text === null || job.words.length < job.text.split(' ').filter((one) => one !== '').length) return;
    this.deathsInARow = 0;
    job.resolve({ text: job.text, words: job.words });
  }

  private arguments(): string[] {
    const { modelDir } = this.engine;
    const model = ['-hmm', join(modelDir, 'en-us'), '-lm', join(modelDir, 'en-us.lm.bin')];
    const dictionary = ['-dict', join(modelDir, 'cmudict-en-us.dict')];
    const input = ['-ctl', '/dev/stdin', '-cepdir', this.scratchDir, '-cepext', '.wav', '-adcin', 'yes'];
    const output = ['-adchdr', String(wavHeaderBytes), '-hyp', '/dev/stdout', '-logfn', '/dev/null'];
    const common = [...model, ...dictionary, ...input, ...output, '-ctm', '/dev/stdout'];
    if (this.kind === 'live') return [...common, ...livePruning];
    const alternatives = ['-nbest', String(alternativesAsked), '-nbestdir', this.scratchDir];
    return [...common, ...alternatives, '-nbestext', '.alternatives', '-maxwpf', '10', '-maxhmmpf', '10000'];
  }
}

/** Lowers the level, never raises it, to the wanted peak. */
function quiet(pcm: Int16Array): Int16Array {
  const peak = pcm.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0);
  return peak <= peakWanted ? pcm : pcm.map((sample) => Math.round((sample * peakWanted) / peak));
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // already ended
  }
}
