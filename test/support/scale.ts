/** Scale of a suite: seconds in `npm test`, all of it in `npm run torture`. */
export const torture = process.env.EARSHOT_TORTURE === '1';

/** `npm run torture -- --share 0.1` runs a tenth of the counts that docs/reliability.md is about. */
const share = Number(process.env.EARSHOT_TORTURE_SHARE ?? 1);

export const scale = (small: number, full: number): number => (torture ? full : small);

/** Count of a promise in docs/reliability.md. */
export const published = (small: number, full: number): number =>
  torture ? Math.max(small, Math.round(full * share)) : small;

const untilMs = Number(process.env.EARSHOT_TORTURE_UNTIL ?? Number.POSITIVE_INFINITY);

/** True once a run that may take so long has taken it: what was counted until then is the count. */
export const isTimeUp = (): boolean => Date.now() > untilMs;

/** Seed of the suites in docs/reliability.md: `npm run torture -- --seed 7` has others made up. */
export const seedOr = (usual: number): number => Number(process.env.EARSHOT_FUZZ_SEED ?? usual);
