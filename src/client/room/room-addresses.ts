/**
 * Where a room may be: of several daemons with one database one has the rooms, and another one once it is lost. All are asked,
 * the one that had them last first.
 */
import { sleep } from '../back-off.js';
import { ApiError } from '../errors.js';
import type { Answer } from '../transport.js';
import { addressElsewhere } from './resource.js';
import type { RoomAccess } from './room-access.js';

/** The others are asked as well once the last one has failed, or has not answered for this long. */
const headStartMs = 1_000;
/** A machine that is gone refuses nothing: it is silent. */
const answerMs = 3_000;
const onlyAnswerMs = 10_000;

export class RoomAddresses {
  /** Address of the room at the daemon that had it last, or that is said to have it. */
  url: string;
  private others: readonly string[];
  /** Those of the token. A daemon that was lost is not named by the others, and may be back when they are lost. */
  private readonly ofToken: readonly string[];

  constructor({ url, otherUrls = [] }: RoomAccess) {
    this.url = url;
    this.others = otherUrls;
    this.ofToken = [url, ...otherUrls];
  }

  learn(otherUrls: readonly string[]): void {
    this.others = otherUrls;
  }

  /** Goes on at the address that a refusal names; false: it names none. */
  follow(refusal: unknown): boolean {
    const part = addressElsewhere(refusal);
    if (part === null) return false;
    this.goOnAt(new URL('.', part).href.replace(/\/$/, ''));
    return true;
  }

  /**
   * Returns the first good answer, and remembers where it came from. The signal also ends that answer. Throws the refusal
   * that settles it, or that names the daemon with the room; without one, an error after which trying again can help.
   *
   * @param ask throws where the answer is a refusal
   */
  async firstAnswer(ask: (url: string, signal: AbortSignal) => Promise<Answer>, left: AbortSignal): Promise<Answer> {
    const urls = [...new Set([this.url, ...this.others, ...this.ofToken])];
    const ends = urls.map(() => new AbortController());
    const endAll = (but: number | null) => {
      for (const [n, end] of ends.entries()) if (n !== but) end.abort();
    };
    left.addEventListener('abort', () => endAll(null));
    let isFound = false;
    const attempt = async (n: number) => {
      if (isFound || left.aborted) throw new Error('not needed');
      const [url = '', end = new AbortController()] = [urls[n], ends[n]];
      const timer = setTimeout(() => end.abort(), urls.length > 1 ? answerMs : onlyAnswerMs);
      const answer = await ask(url, end.signal).finally(() => clearTimeout(timer));
      isFound = true;
      return { n, url, answer };
    };
    const first = attempt(0);
    const headStart = Promise.race([first.catch(() => {}), sleep(headStartMs, left)]);
    const attempts = urls.map((_, n) => (n === 0 ? first : headStart.then(() => attempt(n))));
    try {
      const { n, url, answer } = await Promise.any(attempts);
      endAll(n);
      this.goOnAt(url);
      return answer;
    } catch (error) {
      throw error instanceof AggregateError ? tellingOf(error.errors) : error;
    }
  }

  private goOnAt(url: string): void {
    if (url === this.url) return;
    this.others = [this.url, ...this.others.filter((one) => one !== url)];
    this.url = url;
  }
}

/** Of the errors of all addresses, the first of which is that of the daemon that had the room last. */
function tellingOf(errors: readonly unknown[]): unknown {
  const elsewhere = errors.find((error) => addressElsewhere(error) !== null);
  // Another program may answer by now where a daemon was.
  const settles = (error: unknown) => error instanceof ApiError && !error.isPassing && error.code !== 'unknown';
  const refusal = errors.find((error) => settles(error) && addressElsewhere(error) === null);
  const passing = errors.find((error) => !(error instanceof ApiError) || error.isPassing);
  const asked = errors.find((error) => error instanceof ApiError && error.isPassing);
  return refusal ?? elsewhere ?? asked ?? passing ?? errors[0];
}
