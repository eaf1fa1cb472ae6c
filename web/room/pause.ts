const stepsMs = [500, 1_000, 2_000, 5_000, 10_000];
const jitter = 0.25;

/** Waits before the next attempt, the longer the more have failed; varied, so that a whole room does not return at once. */
export function pause(attempt: number): Promise<void> {
  const step = stepsMs[Math.min(attempt, stepsMs.length - 1)] ?? 0;
  return new Promise((resolve) => setTimeout(resolve, step * (1 - jitter + 2 * jitter * Math.random())));
}
