/**
 * Limits how many refused logins are recorded: enough to see an attack, too few for an attack to fill the log. Logins
 * at unknown addresses are never recorded, because anybody could write into the log that way.
 */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../platform/collections/at-most.js';
import type { Clock } from '../../platform/time/clock.js';
import { hourMs } from '../../platform/time/spans.js';

const perAccountMax = 20;
const perTenantMax = 500;
const inAllMax = 5_000;
const accountsMax = 10_000;

export class RefusedLogins {
  private hour = 0;
  private inAll = 0;
  private readonly ofAccounts = new LRUCache<string, number>(atMost(accountsMax));
  /** Never more tenants than refusals are recorded. */
  private readonly ofTenants = new Map<string, number>();

  constructor(private readonly now: Clock) {}

  /**
   * True if one more refused login of this account may be recorded within this hour. Tenants do not use up each other's
   * share.
   */
  mayRecord({ id, tenantId }: { readonly id: string; readonly tenantId: string }): boolean {
    const hour = Math.floor(this.now().getTime() / hourMs);
    if (hour !== this.hour) {
      this.hour = hour;
      this.inAll = 0;
      this.ofAccounts.clear();
      this.ofTenants.clear();
    }
    const own = this.ofAccounts.get(id) ?? 0;
    const ofTenant = this.ofTenants.get(tenantId) ?? 0;
    if (own >= perAccountMax || ofTenant >= perTenantMax || this.inAll >= inAllMax) return false;
    this.ofAccounts.set(id, own + 1);
    this.ofTenants.set(tenantId, ofTenant + 1);
    this.inAll += 1;
    return true;
  }
}
