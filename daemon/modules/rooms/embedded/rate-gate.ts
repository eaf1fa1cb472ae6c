/** Lets `perSecond` through each second, with a burst of one second's worth. Pure: the time is handed in. */
export class RateGate {
  private tokens: number;
  private refilledAtMs: number;

  constructor(
    private readonly perSecond: number,
    nowMs: number,
  ) {
    this.tokens = perSecond;
    this.refilledAtMs = nowMs;
  }

  allows(nowMs: number): boolean {
    const refill = ((nowMs - this.refilledAtMs) / 1_000) * this.perSecond;
    this.tokens = Math.min(this.perSecond, this.tokens + Math.max(0, refill));
    this.refilledAtMs = nowMs;
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
