/** How many exports of one kind run at the same time: of one tenant few, so that none keeps others out. */
import { DomainError } from '../../../src/contract/errors.js';

const exportsPerTenantMax = 2;
const exportsMax = 64;
const retryAfterSeconds = 1;

export class ExportPlaces {
  private readonly running = new Map<string, number>();

  /** Returns what gives the place back. Throws rate_limited. */
  enter(tenantId: string): () => void {
    const own = this.running.get(tenantId) ?? 0;
    const all = [...this.running.values()].reduce((sum, count) => sum + count, 0);
    if (own >= exportsPerTenantMax || all >= exportsMax)
      throw new DomainError('rate_limited', {
        message: 'As many exports run as may at the same time. Wait for the seconds in Retry-After.',
        retryAfterSeconds,
      });
    this.running.set(tenantId, own + 1);
    return () => {
      const left = (this.running.get(tenantId) ?? 1) - 1;
      if (left === 0) this.running.delete(tenantId);
      else this.running.set(tenantId, left);
    };
  }
}
