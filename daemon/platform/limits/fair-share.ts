/**
 * Shares a bounded number of places. Nobody may hold more places than are still free: one holder alone gets half of
 * them, many get equal parts, and a newcomer always finds some.
 */
import type { LimitName } from './catalogue.js';
import { countRefusal } from './refusals.js';

export interface ShareLimits {
  /** For one of them, however many are free. */
  readonly each: number;
  /** For all of them. */
  readonly together: number;
}

export class FairShare {
  private readonly held = new Map<string, number>();
  private total = 0;

  /** @param name left out in the room process: the daemon counts what that refuses */
  constructor(
    private readonly limits: ShareLimits,
    private readonly name: LimitName | null = null,
  ) {}

  /** Takes one more. False: not now. */
  acquire(who: string): boolean {
    const { each, together } = this.limits;
    const mine = this.held.get(who) ?? 0;
    if (mine >= each || mine >= together - this.total) {
      if (this.name !== null) countRefusal(this.name);
      return false;
    }
    this.held.set(who, mine + 1);
    this.total += 1;
    return true;
  }

  /** Gives one back. */
  release(who: string): void {
    const mine = this.held.get(who) ?? 0;
    if (mine === 0) return;
    if (mine === 1) this.held.delete(who);
    else this.held.set(who, mine - 1);
    this.total -= 1;
  }
}
