/**
 * A lookup whose answers are kept for a moment: what every request asks is read once a second and not once a request.
 * Whoever changes what was looked up calls `forget` after the commit; another daemon notices within the second.
 */
import { LRUCache } from 'lru-cache';

const keepMs = 1_000;
const entriesMax = 10_000;

export class Remembered<T extends object | string> {
  // The promise is kept from the moment of asking, so an answer that was overtaken by `forget` is never put back.
  private readonly answers = new LRUCache<string, Promise<T | null>>({ max: entriesMax, ttl: keepMs });

  constructor(private readonly look: (key: string) => Promise<T | null>) {}

  /** null, "there is none", is not kept. */
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
