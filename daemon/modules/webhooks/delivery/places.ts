/**
 * Chooses the next delivery. Places are shared between tenants first, then between a tenant's endpoints. An endpoint
 * has to answer before it gets more than one place, and goes back to one while it fails or hangs; all such endpoints
 * together get a part of the places, so that healthy ones always find some free.
 */
import { inRounds } from '../../../platform/limits/in-rounds.js';
import { WaitCount } from '../../../platform/limits/refusals.js';
import {
  concurrencyMax,
  perEndpointMax,
  perTenantMax,
  perTenantUnprovenMax,
  perUnprovenEndpointMax,
  provenMax,
  slowMs,
  unprovenMax,
} from './limits.js';
import type { DueDelivery } from './queue-store.js';

type DeliveryOwner = Pick<DueDelivery, 'tenantId' | 'subscriptionId'>;

interface EndpointAttempts {
  readonly tenantId: string;
  /** Start times of the attempts in progress, oldest first, in ms of `performance.now()`. */
  readonly began: Set<{ readonly at: number }>;
}

interface RankedDelivery extends DueDelivery {
  readonly isProven: boolean;
}

const tenantOf = ({ tenantId }: DeliveryOwner): string => tenantId;

export class Places {
  /** Endpoints with attempts in progress, by subscription. */
  private readonly busy = new Map<string, EndpointAttempts>();
  /** Subscriptions whose last attempt arrived, the longest known first. */
  private readonly proven = new Set<string>();
  private readonly waits = new WaitCount('webhook_attempts');

  /** True if no slot is free. */
  get isFull(): boolean {
    return this.taken().all >= concurrencyMax;
  }

  /** Takes a place. The returned function frees it; `arrived` null: the result of the attempt is unknown. */
  acquire({ tenantId, subscriptionId }: DeliveryOwner): (arrived: boolean | null) => void {
    const endpoint = this.busy.get(subscriptionId) ?? { tenantId, began: new Set() };
    this.busy.set(subscriptionId, endpoint);
    const attempt = { at: performance.now() };
    endpoint.began.add(attempt);
    return (arrived) => {
      endpoint.began.delete(attempt);
      if (endpoint.began.size === 0) this.busy.delete(subscriptionId);
      if (arrived !== null) this.learn(subscriptionId, arrived);
    };
  }

  /** The due deliveries that have a place now, the tenant with the fewest attempts in progress first. */
  choose(due: readonly DueDelivery[]): DueDelivery[] {
    const { all, ofTenant, unproven, unprovenOfTenant } = this.taken();
    const fair = this.inFairOrder(due);
    const isUnproven = ({ isProven }: RankedDelivery): boolean => !isProven;
    const tried = new Set(inRounds(fair.filter(isUnproven), tenantOf, unprovenOfTenant, () => perTenantUnprovenMax));
    const within = fair.filter((one) => one.isProven || tried.has(one));
    let free = concurrencyMax - all;
    let freeUnproven = unprovenMax - unproven;
    const chosen = inRounds(within, tenantOf, ofTenant, () => perTenantMax).filter(({ isProven }) => {
      if (free <= 0 || (!isProven && freeUnproven <= 0)) return false;
      free -= 1;
      if (!isProven) freeUnproven -= 1;
      return true;
    });
    const ids = new Set(chosen.map(({ id }) => id));
    this.waits.note(due.filter(({ id }) => !ids.has(id)));
    return chosen;
  }

  /** One for each endpoint, failing ones last, then a second one, and so on. The given order breaks ties. */
  private inFairOrder(due: readonly DueDelivery[]): RankedDelivery[] {
    const ranked = due
      .map((one) => ({ ...one, isProven: !one.failing && this.isProven(one.subscriptionId) }))
      .sort((a, b) => Number(a.failing) - Number(b.failing));
    const busy = new Map([...this.busy].map(([id, { began }]) => [id, began.size]));
    return inRounds(
      ranked,
      ({ subscriptionId }) => subscriptionId,
      busy,
      ({ isProven }) => (isProven ? perEndpointMax : perUnprovenEndpointMax),
    );
  }

  private taken() {
    const ofTenant = new Map<string, number>();
    const unprovenOfTenant = new Map<string, number>();
    let all = 0;
    let unproven = 0;
    for (const [subscriptionId, { tenantId, began }] of this.busy) {
      all += began.size;
      ofTenant.set(tenantId, (ofTenant.get(tenantId) ?? 0) + began.size);
      if (this.isProven(subscriptionId)) continue;
      unproven += began.size;
      unprovenOfTenant.set(tenantId, (unprovenOfTenant.get(tenantId) ?? 0) + began.size);
    }
    return { all, ofTenant, unproven, unprovenOfTenant };
  }

  /** Its last attempt arrived, and none has run for long. */
  private isProven(subscriptionId: string): boolean {
    if (!this.proven.has(subscriptionId)) return false;
    const [oldest] = this.busy.get(subscriptionId)?.began ?? [];
    return oldest === undefined || performance.now() - oldest.at < slowMs;
  }

  private learn(subscriptionId: string, arrived: boolean): void {
    this.proven.delete(subscriptionId);
    if (!arrived) return;
    this.proven.add(subscriptionId);
    if (this.proven.size <= provenMax) return;
    const [longest] = this.proven;
    if (longest !== undefined) this.proven.delete(longest);
  }
}
