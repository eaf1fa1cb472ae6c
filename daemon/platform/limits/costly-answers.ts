/**
 * Answers of reads that are costly under load, shared: those who ask the same at once wait for one read, and where that took long it is
 * kept for a while. What is quick, or asked by one at a time, is read anew each time, so that it is never out of date.
 */
import { LRUCache } from 'lru-cache';

/** A read that took no longer is not kept. */
const quickMs = 100;
/** An answer is kept for so many times as long as its read took, and for no longer than the second figure. */
const timesAsLong = 10;
const keptMsMax = 10_000;
const answersMax = 50;

interface ReadUnderWay<T> {
  readonly answer: Promise<T>;
  isShared: boolean;
}

export class CostlyAnswers<T extends object> {
  private readonly kept = new LRUCache<string, T>({ max: answersMax });
  private readonly underWay = new Map<string, ReadUnderWay<T>>();

  /** @param question the same text for what has the same answer, whoever asks. Throws what the read throws. */
  get(question: string, read: () => Promise<T>): Promise<T> {
    const kept = this.kept.get(question);
    if (kept !== undefined) return Promise.resolve(kept);
    const begun = this.underWay.get(question);
    if (begun === undefined) return this.begin(question, read());
    begun.isShared = true;
    return begun.answer;
  }

  /** What was erased is in no answer from here on. */
  forget(): void {
    this.kept.clear();
    this.underWay.clear();
  }

  private begin(question: string, answer: Promise<T>): Promise<T> {
    const began = performance.now();
    const own: ReadUnderWay<T> = { answer, isShared: false };
    this.underWay.set(question, own);
    /** False where somebody has called `forget`. */
    const end = (): boolean => this.underWay.get(question) === own && this.underWay.delete(question);
    answer.then((found) => {
      const tookMs = performance.now() - began;
      if (end() && own.isShared && tookMs > quickMs)
        this.kept.set(question, found, { ttl: Math.min(keptMsMax, tookMs * timesAsLong) });
    }, end);
    return answer;
  }
}
