/** Limits the open streams of a credential. A slot is acquired before anything is awaited. */
import { DomainError } from '../../../src/contract/errors.js';
import { retryAfterSeconds, type StreamLimits } from './limits.js';

export class ConnectionLimit {
  private readonly byCredential = new Map<string, number>();

  constructor(private readonly limits: StreamLimits) {}

  /** Acquires a slot; returns a function that releases it, once. Throws rate_limited. */
  acquire(credentialId: string): () => void {
    const own = this.byCredential.get(credentialId) ?? 0;
    if (own >= this.limits.perCredential)
      throw new DomainError('rate_limited', {
        message: `This credential has ${own} streams open, which is the most it may. Close one, or wait for the seconds in Retry-After.`,
        retryAfterSeconds,
      });
    this.byCredential.set(credentialId, own + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const left = (this.byCredential.get(credentialId) ?? 1) - 1;
      if (left === 0) this.byCredential.delete(credentialId);
      else this.byCredential.set(credentialId, left);
    };
  }
}
