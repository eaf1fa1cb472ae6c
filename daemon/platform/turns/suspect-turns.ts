/**
 * Retries work that was under way when a daemon crashed, because it may be the cause. It rests for a while and is then retried
 * one piece at a time, in all queues together: at the next crash only one piece was under way twice, and is set aside. Work
 * that runs alongside is not suspected.
 */

/** How long such work rests after a start. */
export const restAfterCrashMs = 10_000;
/** Work during which the daemon crashed this often is set aside. */
export const crashesMax = 2;
/** Work that crashes a daemon does so soon after its start; work that takes longer does not delay the next piece. */
const aloneMs = 1_000;

export class SuspectTurns {
  private current: string | null = null;
  private until = 0;

  constructor(private readonly clock: () => number = () => performance.now()) {}

  /** Returns the work without that under suspicion, except for one piece where none has just begun. */
  admit<T extends { readonly id: string; readonly suspect: boolean }>(due: readonly T[]): T[] {
    const isFree = this.current === null || this.clock() >= this.until;
    const next = isFree ? due.find(({ suspect }) => suspect) : undefined;
    if (next !== undefined) {
      this.current = next.id;
      this.until = this.clock() + aloneMs;
    }
    return due.filter((one) => !one.suspect || one === next);
  }

  /** Ends the suspicion: the daemon has not crashed during this piece of work. */
  end(id: string): void {
    if (this.current === id) this.current = null;
  }
}
