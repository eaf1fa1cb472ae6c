/**
 * Tells whether stored work may be due, mostly without asking the database: work becomes due when something is stored or
 * when its time comes, and the database says cheaply whether anything was stored.
 */
import type { Clock } from '../time/clock.js';

/** A database, or what stands for it. */
interface Versioned {
  /** Another number once anything was stored; null: unknown. */
  readonly version: () => number | null;
}

/** Returns the earliest time at which stored work is due, also a past one; null: there is no work. */
export type NextDue = () => Promise<Date | null>;

/** The time of work that waits for nothing. */
export const atOnce = new Date(0);
/** For work that becomes due only when something is stored. */
export const nothingByTime: NextDue = async () => null;
/** For work that waits for nothing: `isThere` says whether there is some. */
export const whileThere =
  (isThere: () => Promise<boolean>): NextDue =>
  async () =>
    (await isThere()) ? atOnce : null;
/** Returns the earliest of the times that there are. */
export function earliestOf(times: readonly (Date | string | null)[]): Date | null {
  const known = times.flatMap((time) => (time === null ? [] : [new Date(time).getTime()]));
  return known.length === 0 ? null : new Date(Math.min(...known));
}
export const earliest =
  (...all: readonly NextDue[]): NextDue =>
  async () =>
    earliestOf(await Promise.all(all.map((one) => one())));

export class DueWork {
  private seen: number | null = null;
  /** undefined: not known for the version that was seen. */
  private next: Date | null | undefined;

  constructor(
    private readonly database: Versioned,
    private readonly now: Clock,
    private readonly nextDue: NextDue,
  ) {}

  /** Never rejects: where the database does not answer, whoever does the work meets the error and reports it. */
  mayBeDue(): Promise<boolean> {
    return this.ask().catch(() => true);
  }

  private async ask(): Promise<boolean> {
    const version = this.database.version();
    if (version === null || version !== this.seen) {
      this.seen = version;
      this.next = undefined;
      return true;
    }
    if (this.next === undefined) {
      const next = await this.nextDue();
      if (this.seen !== version) return true;
      this.next = next;
    }
    if (this.next === null || this.next > this.now()) return false;
    this.next = undefined; // the work may leave the database as it is
    return true;
  }

  /** Forgets what was seen, because the work has failed: it may be due at the next call. */
  again(): void {
    this.seen = null;
  }

  /** Does the work if it may be due. */
  async run(work: () => Promise<unknown>): Promise<void> {
    if (!(await this.mayBeDue())) return;
    try {
      await work();
    } catch (error) {
      this.again();
      throw error;
    }
  }
}
