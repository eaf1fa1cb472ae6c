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

  /** Places that all of them hold. */
  get taken(): number {
    return this.total;
  }

  /** Takes some more, or none. False: not now. */
  acquire(who: string, places = 1): boolean {
    const { each, together } = this.limits;
    const mine = this.held.get(who) ?? 0;
    if (mine + places > each || mine + places > together - this.total) {
      if (this.name !== null) countRefusal(this.name);
      return false;
    }
    this.held.set(who, mine + places);
    this.total += places;
    return true;
  }

  /** Gives some back. */
  release(who: string, places = 1): void {
    const mine = this.held.get(who) ?? 0;
    const given = Math.min(mine, places);
    if (given === mine) this.held.delete(who);
    else this.held.set(who, mine - given);
    this.total -= given;
  }
}
