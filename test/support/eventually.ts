import { setTimeout as sleep } from 'node:timers/promises';

const everyMs = 10;
const patienceMs = 30_000;

/** Waits until the expectation holds; then or at the end of its patience lets it speak. */
export async function eventually<T>(expectation: () => T | Promise<T>, withinMs = patienceMs): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (Date.now() > end) throw error;
      await sleep(everyMs);
    }
  }
}
