/**
 * Limits the offers of one room token: one of a kind at a time, because each replaces the one before, and a number per
 * period. A refusal costs almost nothing: it comes before the token is checked, and a token can only block its own
 * offers.
 */
import { DomainError } from '../../../../src/contract/errors.js';
import { dropWhile } from '../../../platform/collections/drop-while.js';

/** Three a second: a client on a bad network that reconnects again and again needs fewer. */
const offersMax = 30;
const windowMs = 10_000;
const retryAfterSeconds = 1;

interface Window {
  readonly endsAtMs: number;
  offers: number;
}

export class OfferGate {
  private readonly underWay = new Set<string>();
  /** Valid tokens that were used lately, oldest first. */
  private readonly windows = new Map<string, Window>();

  /** Throws offer_in_progress, rate_limited, and what the work throws. */
  async pass<Result>(token: string, kind: 'whip' | 'whep', work: () => Promise<Result>): Promise<Result> {
    const key = `${kind} ${token}`;
    if (this.underWay.has(key)) throw new DomainError('offer_in_progress', { retryAfterSeconds });
    const leftMs = this.closedForMs(token);
    if (leftMs > 0) throw new DomainError('rate_limited', { retryAfterSeconds: Math.ceil(leftMs / 1_000) });
    this.underWay.add(key);
    try {
      return await work();
    } finally {
      this.underWay.delete(key);
    }
  }

  /** Counts an offer with a valid token. */
  count(token: string): void {
    const nowMs = performance.now();
    dropWhile(this.windows, ({ endsAtMs }) => endsAtMs <= nowMs);
    const window = this.windows.get(token) ?? { endsAtMs: nowMs + windowMs, offers: 0 };
    window.offers += 1;
    this.windows.set(token, window);
  }

  private closedForMs(token: string): number {
    const window = this.windows.get(token);
    return window === undefined || window.offers < offersMax ? 0 : window.endsAtMs - performance.now();
  }
}
