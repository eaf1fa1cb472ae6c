/** Time as this process had it: a machine that is busy elsewhere stops the clock, a slow program does not. */
const tickMs = 10;
/** Most milliseconds that one tick counts for, however long it took to come. */
const countedMax = 50;

export interface Stopwatch {
  /** Milliseconds until now. */
  readonly elapsedMs: number;
  stop(): void;
}

/** Runs from now on. For a daemon that lives in this process. */
export function startStopwatch(): Stopwatch {
  let [elapsedMs, last] = [0, performance.now()];
  const timer = setInterval(() => {
    const now = performance.now();
    elapsedMs += Math.min(now - last, countedMax);
    last = now;
  }, tickMs);
  return {
    get elapsedMs() {
      return elapsedMs;
    },
    stop: () => clearInterval(timer),
  };
}
