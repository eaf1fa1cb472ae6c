/** Lets `perSecond` through each second, with a burst of one second's worth unless stated. Pure: the time is handed in. */
export class RateGate {
  private tokens: number;
  private refilledAtMs: number;

  constructor(
    private readonly perSecond: number,
    nowMs: number,
    private readonly burst = perSecond,
  ) {
    this.tokens = burst;
    this.refilledAtMs = nowMs;
  }

  allows(nowMs: number, cost = 1): boolean {
    const refill = ((nowMs - this.refilledAtMs) / 1_000) * this.perSecond;
    this.tokens = Math.min(this.burst, this.tokens + Math.max(0, refill));
    this.refilledAtMs = nowMs;
    if (this.tokens < cost) return false;
    this.tokens -= cost;
    return true;
  }
}
