/**
 * Fuzzes one target in a worker thread and watches it: an input that never ends, or takes all memory, is known here.
 * `bin/fuzz.mjs` starts it.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { targets } from '../targets.js';
import { Chance } from './chance.js';
import { Corpus } from './corpus.js';
import { Coverage } from './coverage.js';
import { Fuzzer } from './fuzzer.js';
import type { FuzzTarget } from './target.js';

const hangMs = 20_000;
const watchMs = 500;
const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 64 };
const inputBytesMax = 16 * 1024 * 1024;

const Order = z.object({
  target: z.string(),
  minutes: z.coerce.number().positive(),
  seed: z.coerce.number().int(),
  corpora: z.string(),
  shared: z.instanceof(SharedArrayBuffer).optional(),
});
type Order = z.infer<typeof Order>;

const targetOf = ({ target }: Order): FuzzTarget => {
  const found = targets.find(({ name }) => name === target);
  if (found !== undefined) return found;
  throw new Error(`There is no target "${target}". There are ${targets.map(({ name }) => name).join(', ')}.`);
};

/** The input that runs: a count, its length and its bytes in memory that both threads see. */
class CurrentInput {
  private readonly head: Int32Array;
  private readonly bytes: Uint8Array;

  constructor(readonly shared = new SharedArrayBuffer(8 + inputBytesMax)) {
    this.head = new Int32Array(shared, 0, 2);
    this.bytes = new Uint8Array(shared, 8);
  }

  set(input: Buffer): void {
    this.bytes.set(input.subarray(0, inputBytesMax));
    Atomics.store(this.head, 1, Math.min(input.length, inputBytesMax));
    Atomics.add(this.head, 0, 1);
  }

  get count(): number {
    return Atomics.load(this.head, 0);
  }

  get(): Buffer {
    return Buffer.from(this.bytes.slice(0, Atomics.load(this.head, 1)));
  }
}

async function work(order: Order): Promise<void> {
  const target = targetOf(order);
  const corpus = new Corpus(order.corpora, target);
  const current = new CurrentInput(order.shared);
  const coverage = new Coverage((url) => url === import.meta.url);
  const fuzzer = new Fuzzer(target, coverage, new Chance(order.seed), (input) => current.set(input));
  const broken = await fuzzer.run(corpus.read(), order.minutes * 60_000);
  if (broken === null) corpus.replace(fuzzer.corpus);
  else {
    corpus.add(fuzzer.corpus); // some files may not have been looked at
    reportBroken(corpus, broken.input, broken.error);
  }
  parentPort?.postMessage({ summary: fuzzer.summary, isBroken: broken !== null });
}

function reportBroken(corpus: Corpus, input: Buffer, error: unknown): void {
  const path = corpus.keepBroken(input);
  const shown = JSON.stringify(input.subarray(0, 500).toString('latin1'));
  console.error(
    `${error instanceof Error ? error.stack : String(error)}\nInput (${input.length} bytes): ${shown}\n${path}`,
  );
}

/** Resolves to the exit code. */
function watch(order: Order): Promise<number> {
  const corpus = new Corpus(order.corpora, targetOf(order));
  const current = new CurrentInput();
  const workerData = { ...order, shared: current.shared };
  const worker = new Worker(new URL(import.meta.url), { workerData, resourceLimits });
  return new Promise((resolve) => {
    let [seen, since] = [current.count, performance.now()];
    const timer = setInterval(() => {
      // Until the first input the worker is still starting, which takes its time on a busy machine.
      if (current.count !== seen || seen === 0) [seen, since] = [current.count, performance.now()];
      if (performance.now() - since > hangMs) end(new Error(`It did not end within ${hangMs / 1_000} s.`));
    }, watchMs);
    const end = (error: unknown, isBroken = error !== null): void => {
      clearInterval(timer);
      if (error !== null) reportBroken(corpus, current.get(), error);
      void worker.terminate();
      resolve(isBroken ? 1 : 0);
    };
    worker.on('message', ({ summary, isBroken }) => {
      console.log(`${summary}, seed ${order.seed}`);
      end(null, isBroken);
    });
    worker.on('error', end);
  });
}

if (isMainThread) {
  const [target, minutes, seed, corpora] = process.argv.slice(2);
  if (target === undefined) for (const { name } of targets) console.log(name);
  else process.exitCode = await watch(Order.parse({ target, minutes, seed, corpora }));
} else await work(Order.parse(workerData));
