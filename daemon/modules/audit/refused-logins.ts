/**
 * How many refused logins are recorded: enough to see an attack, too few to fill the log by one. What an unknown address
 * is tried with is never recorded, because anybody could write into the log that way.
 */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../platform/at-most.js';
import type { Clock } from '../../platform/clock.js';

const hourMs = 3_600_000;
const perAccountMax = 20;
const inAllMax = 1_000;
const accountsMax = 10_000;

export class RefusedLogins {
  private hour = 0;
  private inAll = 0;
  private readonly ofAccounts = new LRUCache<string, number>(atMost(accountsMax));

  constructor(private readonly now: Clock) {}

  /** Whether one more of this account may be recorded within this hour. */
  mayRecord(accountId: string): boolean {
    const hour = Math.floor(this.now().getTime() / hourMs);
    if (hour !== this.hour) {
      this.hour = hour;
      this.inAll = 0;
      this.ofAccounts.clear();
    }
    const own = this.ofAccounts.get(accountId) ?? 0;
    if (own >= perAccountMax || this.inAll >= inAllMax) return false;
    this.ofAccounts.set(accountId, own + 1);
    this.inAll += 1;
    return true;
  }
}
