/**
 * A lookup whose answers are cached for a moment: what every request asks is read once a second. A change calls
 * `forget` after its commit; other daemons notice within the second.
 */
import { LRUCache } from 'lru-cache';
import { atMost } from '../collections/at-most.js';

const keepMs = 1_000;
const entriesMax = 10_000;

export class Remembered<T extends object | string, Question = string> {
  // The promise is cached at the time of asking, so an answer overtaken by `forget` is never cached again.
  private readonly answers: LRUCache<string, Promise<T | null>>;
  private readonly keyOf: (question: Question) => string;

  /** @param options.keyOf the same text for equal questions; answers are kept for `keepMs` */
  constructor(
    private readonly look: (question: Question) => Promise<T | null>,
    options: { readonly keyOf?: (question: Question) => string; readonly keepMs?: number } = {},
  ) {
    this.keyOf = options.keyOf ?? String;
    this.answers = new LRUCache({ ...atMost(entriesMax), ttl: options.keepMs ?? keepMs });
  }

  /** null, "there is none", is not cached. */
  get(question: Question): Promise<T | null> {
    return this.answers.get(this.keyOf(question)) ?? this.renew(question);
  }

  /** The answer of now, cached from here on. */
  renew(question: Question): Promise<T | null> {
    const key = this.keyOf(question);
    const answer = this.look(question);
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
