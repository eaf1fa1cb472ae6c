/** One input given to a target: its invariants, and how the time grows with the input. */
import type { Chance } from './chance.js';
import { grow } from './mutate.js';
import { BrokenInvariant, type FuzzTarget } from './target.js';

/** A small input may take this long on a busy machine. */
const slowMs = 300;
const smallBytes = 4_096;
/** Inputs of three lengths, each four times as long as the one before: the square takes 16 times as long at each step. */
const step = 4;
const stepTimesMax = 8;
/** Shorter times say nothing on a shared machine. */
const shortestMs = 0.5;
const noticeableMs = 120;
const repetitions = 4;

export interface Broken {
  readonly input: Buffer;
  readonly error: unknown;
}

/** Returns the error that the input causes; null: everything holds. */
export async function errorOf(target: FuzzTarget, input: Buffer): Promise<unknown> {
  try {
    const begun = performance.now();
    await target.check(input);
    if (performance.now() - begun < slowMs || input.length > smallBytes) return null;
    const tookMs = await shortestOf(target, input);
    if (tookMs < slowMs) return null;
    return new BrokenInvariant(`It took ${Math.round(tookMs)} ms for ${input.length} bytes.`);
  } catch (error) {
    return error;
  }
}

/** Compares the times for inputs of three lengths; null: they grow no faster than the input. */
export async function growthErrorOf(target: FuzzTarget, input: Buffer, chance: Chance): Promise<Broken | null> {
  const seed = chance.below(2 ** 31);
  const [short, middle, long] = [step ** 2, step, 1].map((part) =>
    grow(input, Math.ceil(target.maxBytes / part), seed),
  );
  if (short === undefined || middle === undefined || long === undefined) return null;
  const error = await errorOfParsing(target, long);
  if (error !== null) return { input: long, error };
  const shortTook = await shortestOf(target, short);
  if (!isTooLong(shortTook, await timeOf(target, long), stepTimesMax ** 2)) return null;
  // Garbage was collected meanwhile, perhaps: the shortest times count, and each step.
  const times = [shortTook, await shortestOf(target, middle), await shortestOf(target, long)] as const;
  const [first, second, third] = times;
  if (!isTooLong(first, second, stepTimesMax, 0) || !isTooLong(second, third, stepTimesMax)) return null;
  const measured = [short, middle, long].map(
    ({ length }, index) => `${times[index]?.toFixed(1)} ms for ${length} bytes`,
  );
  return { input: long, error: new BrokenInvariant(`Time grows faster than the input: ${measured.join(', ')}.`) };
}

const isTooLong = (shortMs: number, longMs: number, timesMax: number, leastMs = noticeableMs): boolean =>
  longMs > leastMs && longMs > Math.max(shortestMs, shortMs) * timesMax;

/** Returns what the parser throws beside its documented refusals; null: nothing. */
async function errorOfParsing(target: FuzzTarget, input: Buffer): Promise<unknown> {
  try {
    await target.parse(input);
    return null;
  } catch (error) {
    return error;
  }
}

/** Measures in milliseconds of processor time, which other processes do not distort. */
async function timeOf(target: FuzzTarget, input: Buffer): Promise<number> {
  const begun = process.cpuUsage();
  await target.parse(input);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1_000;
}

async function shortestOf(target: FuzzTarget, input: Buffer): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let count = 0; count < repetitions; count += 1) shortest = Math.min(shortest, await timeOf(target, input));
  return shortest;
}
