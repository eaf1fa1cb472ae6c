/**
 * Limits the offers of one room token: one of a kind at a time, because each replaces the one before, and a number per
 * period. A refusal costs almost nothing: it comes before the token is checked, and a token can only block its own
 * offers.
 */
import { DomainError } from '../../../../src/contract/errors.js';
import { limits } from '../../../platform/limits/catalogue.js';
import { WindowCounter } from '../../../platform/limits/window-counter.js';

const windowMs = 10_000;
const retryAfterSeconds = 1;

export class OfferGate {
  private readonly underWay = new Set<string>();
  /** By token; only valid ones are counted. A client on a bad network that reconnects again and again needs fewer. */
  private readonly offers = new WindowCounter('room_offers', { max: limits.room_offers.max, windowMs });

  /** Throws offer_in_progress, rate_limited, and what the work throws. */
  async pass<Result>(token: string, kind: 'whip' | 'whep', work: () => Promise<Result>): Promise<Result> {
    const key = `${kind} ${token}`;
    if (this.underWay.has(key)) throw new DomainError('offer_in_progress', { retryAfterSeconds });
    this.offers.require(token);
    this.underWay.add(key);
    try {
      return await work();
    } finally {
      this.underWay.delete(key);
    }
  }

  /** Counts an offer with a valid token. */
  count(token: string): void {
    this.offers.count(token);
  }
}
