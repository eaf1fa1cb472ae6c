/** Chooses the next runs: shared between tenants first, then between a tenant's instances. */
import { perInstanceMax, perTenantMax, runsMax } from './limits.js';

interface RunOwner {
  readonly tenantId: string;
  readonly instanceId: string;
}

const add = (counts: Map<string, number>, key: string, by = 1): number => {
  const after = (counts.get(key) ?? 0) + by;
  if (after <= 0) counts.delete(key);
  else counts.set(key, after);
  return after;
};

export class RunPlaces {
  private readonly ofTenant = new Map<string, number>();
  private readonly ofInstance = new Map<string, number>();
  private taken = 0;

  get isFull(): boolean {
    return this.taken >= runsMax;
  }

  /** Takes a place; the returned function frees it. */
  acquire({ tenantId, instanceId }: RunOwner): () => void {
    this.count(tenantId, instanceId, 1);
    return () => this.count(tenantId, instanceId, -1);
  }

  /** Returns the due runs that have a slot now, the tenant with the fewest runs in progress first. */
  choose<T extends RunOwner>(due: readonly T[]): T[] {
    const tenants = new Map(this.ofTenant);
    const instances = new Map(this.ofInstance);
    const turns = due.flatMap((one) => {
      if (add(instances, one.instanceId) > perInstanceMax) return [];
      return [{ one, atInstance: instances.get(one.instanceId) ?? 0 }];
    });
    return turns
      .sort((a, b) => a.atInstance - b.atInstance)
      .map(({ one }) => ({ one, turn: add(tenants, one.tenantId) }))
      .filter(({ turn }) => turn <= perTenantMax)
      .sort((a, b) => a.turn - b.turn)
      .slice(0, Math.max(0, runsMax - this.taken))
      .map(({ one }) => one);
  }

  private count(tenantId: string, instanceId: string, by: 1 | -1): void {
    this.taken += by;
    add(this.ofTenant, tenantId, by);
    add(this.ofInstance, instanceId, by);
  }
}
