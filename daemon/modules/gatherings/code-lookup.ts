/** Finds gatherings by what people type, and protects codes from being guessed. */
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { DomainError } from '../../../src/contract/errors.js';
import { readJoinCode } from './join-code.js';
import type { GatheringRow, GatheringStore } from './store.js';

/** After this many unknown codes in a minute a caller finds nothing until the minute is over. */
const missesPerMinute = 20;

export class CodeLookup {
  private readonly misses = new RateLimiterMemory({ points: missesPerMinute, duration: 60 });

  constructor(private readonly gatherings: GatheringStore) {}

  /** Throws join_code_unknown, rate_limited. */
  async find(projectId: string, callerId: string, written: string): Promise<GatheringRow> {
    const missed = await this.misses.get(callerId);
    if (missed !== null && missed.consumedPoints >= missesPerMinute)
      throw new DomainError('rate_limited', { retryAfterSeconds: missed.msBeforeNext / 1_000 });
    const code = readJoinCode(written);
    const found = code === null ? null : await this.gatherings.byJoinCode(projectId, code);
    if (found !== null) return found;
    await this.misses.penalty(callerId);
    throw new DomainError('join_code_unknown');
  }
}
