/** The time as the daemon sees it. Passed in everywhere, so that tests can stop it or make it jump. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();

/**
 * True once this time has passed since a moment, by a clock that may be set: also where it was set back to before the
 * moment, so that nothing lasts longer than it should by more than once its time.
 */
export const hasPassed = (ms: number, sinceMs: number, now: Date): boolean => {
  const passedMs = now.getTime() - sinceMs;
  return passedMs < 0 || passedMs >= ms;
};
