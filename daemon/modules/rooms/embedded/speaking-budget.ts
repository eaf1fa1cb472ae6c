/**
 * A token bucket of speaking time: holds a number of seconds, and regains as many each minute. A speaker who has used
 * it up stays silent until there is enough for a few words, because single syllables would be useless. Pure: the time
 * is handed in.
 */

/** A pause costs no more than the longest frame that a packet can hold. */
const longestFrameSeconds = 0.12;
const enoughSeconds = 1;

export class SpeakingBudget {
  private seconds: number;
  private spentUp = false;
  private refilledAtMs: number;
  private spokeAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    readonly secondsPerMinute: number,
    nowMs: number,
  ) {
    this.seconds = secondsPerMinute;
    this.refilledAtMs = nowMs;
  }

  /**
   * True if a packet with voice may be heard; takes its time from the bucket. The time between packets counts, or that
   * of their sound where it is longer.
   */
  allows(nowMs: number, durationMs: number): boolean {
    this.refill(nowMs);
    if (this.spentUp && this.seconds < enoughSeconds) return false;
    const passed = Math.min(Math.max(0, nowMs - this.spokeAtMs) / 1_000, longestFrameSeconds);
    const cost = Math.max(passed, durationMs / 1_000);
    this.spentUp = this.seconds < cost;
    if (this.spentUp) return false;
    this.seconds -= cost;
    this.spokeAtMs = nowMs;
    return true;
  }

  /** True if the bucket is full, so that it can be forgotten. */
  isFull(nowMs: number): boolean {
    this.refill(nowMs);
    return this.seconds >= this.secondsPerMinute;
  }

  private refill(nowMs: number): void {
    const passed = Math.max(0, nowMs - this.refilledAtMs) / 60_000;
    this.seconds = Math.min(this.secondsPerMinute, this.seconds + passed * this.secondsPerMinute);
    this.refilledAtMs = nowMs;
  }
}

/** The budgets by project and person: leaving the room and coming back refills none. */
export class SpeakingBudgets {
  private readonly budgets = new Map<string, SpeakingBudget>();

  allows(
    projectId: string,
    externalUserId: string,
    secondsPerMinute: number,
    nowMs: number,
    durationMs: number,
  ): boolean {
    const person = JSON.stringify([projectId, externalUserId]);
    const known = this.budgets.get(person);
    const budget = known?.secondsPerMinute === secondsPerMinute ? known : new SpeakingBudget(secondsPerMinute, nowMs);
    this.budgets.set(person, budget);
    return budget.allows(nowMs, durationMs);
  }

  forgetFull(nowMs: number): void {
    for (const [person, budget] of this.budgets) if (budget.isFull(nowMs)) this.budgets.delete(person);
  }
}
