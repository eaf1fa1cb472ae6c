/**
 * Shares something that is bounded between those who want it. Nobody takes more than is still free, so one alone gets
 * half of it, many get equal parts, and somebody new always finds a part of their own. Pure.
 */
export interface ShareLimits {
  /** For one of them, however much is free. */
  readonly each: number;
  /** For all of them. */
  readonly together: number;
}

export class FairShare {
  private readonly held = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: ShareLimits) {}

  /** Takes one more. False: not now. */
  take(who: string): boolean {
    const { each, together } = this.limits;
    const mine = this.held.get(who) ?? 0;
    if (mine >= each || mine >= together - this.total) return false;
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
