/**
 * Looks for inputs that reach code which none before has reached, and keeps them to mutate them further. Reading the
 * coverage takes as long as hundreds of runs, so inputs run in batches; where a batch reached something new, its halves run
 * once more, and so on.
 */
import type { Chance } from './chance.js';
import { keptBytesMax } from './corpus.js';
import { type Coverage, Reached, type Run } from './coverage.js';
import { mutate } from './mutate.js';
import type { FuzzTarget } from './target.js';
import { type Broken, errorOf, growthErrorOf } from './trial.js';

/** A batch runs this many times as long as it takes to read what it has reached. */
const batchTimes = 4;
const batchSizeMax = 4_096;
/** Time between two measurements of growth, in times of one. */
const growthPause = 10;
const minimisingRuns = 40;

export class Fuzzer {
  private readonly reached = new Reached();
  private readonly kept: Buffer[] = [];
  private executions = 0;

  /** @param aboutTo called with each input before it runs, so that an input that never ends is known */
  constructor(
    private readonly target: FuzzTarget,
    private readonly coverage: Coverage,
    private readonly chance: Chance,
    private readonly aboutTo: (input: Buffer) => void = () => {},
  ) {}

  /** The inputs that reach everything that was reached. */
  get corpus(): readonly Buffer[] {
    return this.kept;
  }

  /** `csv: 120000 runs, 41 inputs kept, 97 blocks of …` */
  get summary(): string {
    const { target, executions, kept, reached, coverage } = this;
    return `${target.name}: ${executions} runs, ${kept.length} inputs kept, ${reached.summary(coverage.blocks)}`;
  }

  /** Runs until the time is over; returns the first input that breaks an invariant. */
  async run(corpus: readonly Buffer[], milliseconds: number): Promise<Broken | null> {
    const until = performance.now() + milliseconds;
    this.coverage.start();
    try {
      return (await this.begin(corpus)) ?? (await this.search(until));
    } finally {
      this.coverage.stop();
    }
  }

  private async begin(corpus: readonly Buffer[]): Promise<Broken | null> {
    for (const input of corpus) {
      const broken = await this.try(input);
      if (broken !== null) return broken;
      this.keep(input, this.coverage.take());
    }
    return null;
  }

  private async search(until: number): Promise<Broken | null> {
    let readMs = 1;
    let nextGrowth = 0;
    while (performance.now() < until) {
      const batch: Buffer[] = [];
      const begun = performance.now();
      while (batch.length < batchSizeMax && performance.now() - begun < readMs * batchTimes) {
        const input = this.mutated();
        batch.push(input);
        const broken = await this.try(input);
        if (broken !== null) return broken;
      }
      const ran = performance.now();
      if (this.reached.gainOf(this.coverage.take()) > 0) await this.keepFrom(batch);
      else readMs = performance.now() - ran;
      if (performance.now() < nextGrowth) continue;
      const grownAt = performance.now();
      const grown = this.chance.pick(this.kept);
      this.aboutTo(grown);
      const broken = await growthErrorOf(this.target, grown, this.chance);
      if (broken !== null) return broken;
      this.coverage.take(); // what only a long input reaches is not kept
      nextGrowth = performance.now() + (performance.now() - grownAt) * growthPause;
    }
    return null;
  }

  private mutated(): Buffer {
    const [input, other] = [this.chance.pick(this.kept), this.chance.pick(this.kept)];
    const maxBytes = Math.min(keptBytesMax, this.target.maxBytes);
    return mutate({ input, other, words: this.target.words, maxBytes }, this.chance);
  }

  private async try(input: Buffer): Promise<Broken | null> {
    this.aboutTo(input);
    this.executions += 1;
    const error = await errorOf(this.target, input);
    return error === null ? null : { input, error };
  }

  /** Finds the inputs of a batch that reach something new. */
  private async keepFrom(batch: readonly Buffer[]): Promise<void> {
    const [input] = batch;
    if (input !== undefined && batch.length === 1) {
      const run = await this.runOf(input);
      const gain = this.reached.gainOf(run);
      if (gain > 0) this.keep(...(await this.shortened(input, run, gain)));
      return;
    }
    const middle = Math.ceil(batch.length / 2);
    for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
      if (half.length === 0) continue;
      for (const one of half) await this.try(one);
      if (this.reached.gainOf(this.coverage.take()) > 0) await this.keepFrom(half);
    }
  }

  /** The first input is always kept: everything else is made of it. */
  private keep(input: Buffer, run: Run): void {
    if (this.kept.length > 0 && this.reached.gainOf(run) === 0) return;
    this.reached.add(run);
    this.kept.push(input);
  }

  private async runOf(input: Buffer): Promise<Run> {
    await this.try(input);
    return this.coverage.take();
  }

  /** Leaves out what the new code does not need. */
  private async shortened(input: Buffer, run: Run, gain: number): Promise<[Buffer, Run]> {
    let [shortest, shortestRun] = [input, run];
    let runs = minimisingRuns;
    for (let size = Math.ceil(input.length / 2); size > 0 && runs > 0; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let at = 0; at < shortest.length && runs > 0; runs -= 1) {
        const candidate = Buffer.concat([shortest.subarray(0, at), shortest.subarray(at + size)]);
        const candidateRun = await this.runOf(candidate);
        if (this.reached.gainOf(candidateRun) >= gain) [shortest, shortestRun] = [candidate, candidateRun];
        else at += size;
      }
    return [shortest, shortestRun];
  }
}
