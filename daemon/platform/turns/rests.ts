/**
 * Work of one owner leaves time for everybody else: over a longer time, an owner works for half of it at most, and rests
 * for the other half.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { dropWhile } from '../collections/drop-while.js';

/** Work and the rest that follows it, in units of the work. */
const share = 2;
/** An owner with so little rest left begins at once. */
const graceMs = 20;
const restMaxMs = 1_000;

export class Rests {
  /** When owners have rested from all that they did; those who have are forgotten. */
  private readonly until = new Map<string, number>();
  private readonly ending = new AbortController();

  /** Resolves when the owner has rested. */
  async over(owner: string): Promise<void> {
    const { signal } = this.ending;
    for (let ms = this.left(owner); ms > graceMs && !signal.aborted; ms = this.left(owner))
      await sleep(ms, undefined, { signal }).catch(() => {}); // it was ended
  }

  /** Carries out a piece of the owner's work, which has to rest for it. */
  async after<T>(owner: string, piece: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await piece();
    } finally {
      const now = performance.now();
      const rested = Math.max(began, this.until.get(owner) ?? 0) + (now - began) * share;
      this.until.delete(owner);
      this.until.set(owner, Math.min(rested, now + restMaxMs));
      dropWhile(this.until, (restedAtMs) => restedAtMs <= now);
    }
  }

  /** Nobody rests any more. */
  end(): void {
    this.ending.abort();
  }

  private left(owner: string): number {
    return (this.until.get(owner) ?? 0) - performance.now();
  }
}
