/** Repeatable random numbers: the same seed gives the same numbers on every machine. */

/** From 0 to below 1. */
export type Random = () => number;

/** Mulberry32: 32 bits of state, good enough to throw dice with. */
export function chanceOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The state of another generator, far from the one of its neighbours. */
export const seedOf = (seed: number, index: number): number =>
  Math.floor(chanceOf(Math.imul(index + 1, 0x9e3779b1) ^ seed)() * 2 ** 32);

export const wholeBetween = (chance: Random, from: number, to: number): number =>
  from + Math.floor(chance() * (to - from + 1));

export const oneOf = <T>(chance: Random, choices: readonly T[]): T | undefined =>
  choices[Math.floor(chance() * choices.length)];

/** Above this mean the normal distribution is close enough to Poisson's, and takes two numbers instead of many. */
const exactMax = 30;

/** How often something happens that happens so often on average, each time by itself. */
export function howOften(chance: Random, mean: number): number {
  if (mean <= 0) return 0;
  if (mean > exactMax) {
    const normal = Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
    return Math.max(0, Math.round(mean + normal * Math.sqrt(mean)));
  }
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = chance(); product > limit; product *= chance()) count += 1;
  return count;
}
