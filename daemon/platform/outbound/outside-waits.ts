/**
 * Requests that wait for somebody outside: a token endpoint, a hosting API, an identity provider. One that never answers
 * must not keep the connections of its tenant's clients busy without end, because other tenants need connections too.
 */
import { DomainError } from '../../../src/contract/errors.js';

/** Requests of one tenant that wait at once. */
const waitsMax = 32;
const retryAfterSeconds = 5;

export class OutsideWaits {
  private readonly waiting = new Map<string, number>();

  /** @param who the tenant, or whom many tenants wait for together; throws overloaded where too many wait already */
  async run<T>(who: string, ask: () => Promise<T>): Promise<T> {
    const before = this.waiting.get(who) ?? 0;
    if (before >= waitsMax)
      throw new DomainError('overloaded', {
        message: `${waitsMax} requests wait for a service outside that has not answered them yet. Try again after the seconds in Retry-After; if it stays so, check whether the service that the settings name answers.`,
        retryAfterSeconds,
      });
    this.waiting.set(who, before + 1);
    try {
      return await ask();
    } finally {
      const after = (this.waiting.get(who) ?? 1) - 1;
      if (after === 0) this.waiting.delete(who);
      else this.waiting.set(who, after);
    }
  }
}
