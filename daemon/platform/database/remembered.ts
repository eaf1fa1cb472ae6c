/**
 * A lookup whose answers are cached for a moment: what every request asks is read once a second. A change calls
 * `forget` after its commit; other daemons notice within the second.
 */
import { LRUCache } from 'lru-cache';

const keepMs = 1_000;
const entriesMax = 10_000;

export class Remembered<T extends object | string> {
  // The promise is cached at the time of asking, so an answer overtaken by `forget` is never cached again.
  private readonly answers = new LRUCache<string, Promise<T | null>>({ max: entriesMax, ttl: keepMs });

  constructor(private readonly look: (key: string) => Promise<T | null>) {}

  /** null, "there is none", is not cached. */
  get(key: string): Promise<T | null> {
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    const answer = this.look(key);
    this.answers.set(key, answer);
    const drop = () => {
      if (this.answers.peek(key) === answer) this.answers.delete(key);
    };
    answer.then((found) => {
      if (found === null) drop();
    }, drop);
    return answer;
  }

  forget(): void {
    this.answers.clear();
  }
}
