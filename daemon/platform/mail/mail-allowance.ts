/** How many emails the members of one tenant may cause, so that nobody sends spam through the operator's mail server. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../../../src/contract/errors.js';

export class MailAllowance {
  private readonly sent: RateLimiterMemory | null;

  /** @param perHour of one tenant; 0: no limit */
  constructor(perHour: number) {
    this.sent = perHour === 0 ? null : new RateLimiterMemory({ points: perHour, duration: 3_600 });
  }

  /** Counts one email; false: it may not be sent. */
  isFree(tenantId: string): Promise<boolean> {
    return this.consume(tenantId, 1).then(
      () => true,
      () => false,
    );
  }

  /** Counts emails before they are sent. Throws rate_limited. */
  async consume(tenantId: string, count: number): Promise<void> {
    if (count === 0 || this.sent === null) return;
    try {
      await this.sent.consume(tenantId, count);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      throw new DomainError('rate_limited', {
        message: 'So many emails may be sent in an hour (EARSHOT_MAILS_PER_HOUR). Wait for the seconds in Retry-After.',
        retryAfterSeconds: error.msBeforeNext / 1_000,
      });
    }
  }
}
