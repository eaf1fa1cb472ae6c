/**
 * Work that was under way when a daemon ended without giving it back may be what ended it. It rests for a while and is then
 * begun one piece at a time, in all queues together: if the daemon ends again, one piece alone has been begun twice, and is
 * set aside. What runs beside it is not suspected.
 */

/** How long such work rests after a start. */
export const restAfterCrashMs = 10_000;
/** Work that was claimed when the daemon ended this often is set aside. */
export const crashesMax = 2;
/** Work that kills a daemon does so soon after it has begun; work that takes longer does not delay the next piece. */
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

  /** The daemon has survived this piece of work. */
  end(id: string): void {
    if (this.current === id) this.current = null;
  }
}
