/**
 * Chooses the next delivery. Places are shared between tenants first, then between a tenant's endpoints. An endpoint
 * has to answer before it gets more than one place, and goes back to one while it fails or hangs; all such endpoints
 * together get a part of the places, so that healthy ones always find some free.
 */
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
  /** The place that it would get at its endpoint, from 0. */
  readonly atEndpoint: number;
}

/** Adds one to the count of the key; returns what it was before. */
function countUp(counts: Map<string, number>, key: string): number {
  const before = counts.get(key) ?? 0;
  counts.set(key, before + 1);
  return before;
}

export class Places {
  /** Endpoints with attempts in progress, by subscription. */
  private readonly busy = new Map<string, EndpointAttempts>();
  /** Subscriptions whose last attempt arrived, the longest known first. */
  private readonly proven = new Set<string>();

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
    const turns = fair.flatMap((one) => {
      if (!one.isProven && (unprovenOfTenant.get(one.tenantId) ?? 0) >= perTenantUnprovenMax) return [];
      const turn = ofTenant.get(one.tenantId) ?? 0;
      if (turn >= perTenantMax) return [];
      countUp(ofTenant, one.tenantId);
      if (!one.isProven) countUp(unprovenOfTenant, one.tenantId);
      return [{ one, turn }];
    });
    let free = concurrencyMax - all;
    let freeUnproven = unprovenMax - unproven;
    return turns
      .sort((a, b) => a.turn - b.turn)
      .flatMap(({ one }) => {
        if (free <= 0 || (!one.isProven && freeUnproven <= 0)) return [];
        free -= 1;
        if (!one.isProven) freeUnproven -= 1;
        return [one];
      });
  }

  /** One for each endpoint, failing ones last, then a second one, and so on. The given order breaks ties. */
  private inFairOrder(due: readonly DueDelivery[]): RankedDelivery[] {
    const atEndpoints = new Map<string, number>();
    return due
      .map((one): RankedDelivery => {
        const { subscriptionId } = one;
        const busy = this.busy.get(subscriptionId)?.began.size ?? 0;
        const atEndpoint = busy + countUp(atEndpoints, subscriptionId);
        return { ...one, atEndpoint, isProven: !one.failing && this.isProven(subscriptionId) };
      })
      .filter(({ atEndpoint, isProven }) => atEndpoint < (isProven ? perEndpointMax : perUnprovenEndpointMax))
      .sort((a, b) => a.atEndpoint - b.atEndpoint || Number(a.failing) - Number(b.failing));
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
