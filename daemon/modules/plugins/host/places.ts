/** Chooses the next runs: shared between tenants first, then between a tenant's instances. */
import { inRounds } from '../../../platform/limits/in-rounds.js';
import { WaitCount } from '../../../platform/limits/refusals.js';
import { perInstanceMax, perTenantMax, runsMax } from './limits.js';

interface RunOwner {
  readonly tenantId: string;
  readonly instanceId: string;
}

interface DueRun extends RunOwner {
  readonly id: string;
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const after = (counts.get(key) ?? 0) + by;
  if (after <= 0) counts.delete(key);
  else counts.set(key, after);
}

export class RunPlaces {
  private readonly ofTenant = new Map<string, number>();
  private readonly ofInstance = new Map<string, number>();
  private taken = 0;
  private readonly waits = new WaitCount('plugin_runs');

  get isFull(): boolean {
    return this.taken >= runsMax;
  }

  /** Takes a place; the returned function frees it. */
  acquire({ tenantId, instanceId }: RunOwner): () => void {
    this.count(tenantId, instanceId, 1);
    return () => this.count(tenantId, instanceId, -1);
  }

  /** Returns the due runs that have a slot now, the tenant with the fewest runs in progress first. */
  choose<T extends DueRun>(due: readonly T[]): T[] {
    const ofInstances = inRounds(
      due,
      ({ instanceId }) => instanceId,
      this.ofInstance,
      () => perInstanceMax,
    );
    const ofTenants = inRounds(
      ofInstances,
      ({ tenantId }) => tenantId,
      this.ofTenant,
      () => perTenantMax,
    );
    const chosen = ofTenants.slice(0, Math.max(0, runsMax - this.taken));
    const ids = new Set(chosen.map(({ id }) => id));
    this.waits.note(due.filter(({ id }) => !ids.has(id)));
    return chosen;
  }

  private count(tenantId: string, instanceId: string, by: 1 | -1): void {
    this.taken += by;
    add(this.ofTenant, tenantId, by);
    add(this.ofInstance, instanceId, by);
  }
}
