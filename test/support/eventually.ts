import { setTimeout as sleep } from 'node:timers/promises';

const firstMs = 10;
/** The longer it has taken, the rarer the looks: each costs the daemon that is waited for a request. */
const shareOfWait = 10;
const slowestMs = 50;
const patienceMs = 30_000;

/** Waits until the expectation holds; then or at the end of its patience lets it speak. */
export async function eventually<T>(expectation: () => T | Promise<T>, withinMs = patienceMs): Promise<T> {
  const begin = Date.now();
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      const waitedMs = Date.now() - begin;
      if (waitedMs > withinMs) throw error;
      await sleep(Math.min(slowestMs, Math.max(firstMs, waitedMs / shareOfWait)));
    }
  }
}
