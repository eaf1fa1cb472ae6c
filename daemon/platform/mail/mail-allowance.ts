/** How many emails the members of one tenant may cause, so that nobody sends spam through the operator's mail server. */
import { WindowCounter } from '../limits/window-counter.js';

export class MailAllowance {
  private readonly sent: WindowCounter;

  /** @param perHour of one tenant; 0: no limit */
  constructor(perHour: number | (() => number)) {
    this.sent = new WindowCounter('mails', {
      max: perHour,
      windowMs: 3_600_000,
      message:
        'The limit of emails per hour of this daemon is reached (EARSHOT_MAILS_PER_HOUR). Wait for the seconds in Retry-After.',
    });
  }

  /** Counts one email; false: it may not be sent. */
  isFree(tenantId: string): boolean {
    return !this.sent.tryConsume(tenantId).isRefused;
  }

  /** Counts emails before they are sent. Throws rate_limited. */
  consume(tenantId: string, count: number): void {
    this.sent.consume(tenantId, count);
  }

  /** Uncounts emails that are not sent after all. */
  giveBack(tenantId: string, count: number): void {
    this.sent.giveBack(tenantId, count);
  }
}
