/** Ten attempts a minute per account and per address, then 429 (contract, section 1). */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../../../src/contract/errors.js';

const attemptsPerMinute = 10;

export class LoginAttempts {
  private readonly limiter = new RateLimiterMemory({ points: attemptsPerMinute, duration: 60 });

  /** Counts one attempt; what a blocked address tries does not count against the account. Throws rate_limited. */
  async count(account: string, address: string): Promise<void> {
    try {
      await this.limiter.consume(`address:${address}`);
      await this.limiter.consume(`account:${account.toLowerCase()}`);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      throw new DomainError('rate_limited', { retryAfterSeconds: error.msBeforeNext / 1000 });
    }
  }
}
