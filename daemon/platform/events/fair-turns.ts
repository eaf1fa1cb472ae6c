/**
 * Work on the log in small pieces: few at a time in the whole daemon, owners in turn. An owner with a thousand replays
 * is served as often as one with a single replay.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Pieces at once. Each makes a few database queries, one after the other. */
const piecesAtOnce = 2;

export class FairTurns {
  private free: number;
  /** Waiting pieces, by owner; the first owner is next. */
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(places: number = piecesAtOnce) {
    this.free = places;
  }

  /** Runs the piece when it is the owner's turn. The event loop gets a turn before the next piece begins. */
  async run<T>(owner: string, piece: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await this.wait(owner);
    try {
      return await piece();
    } finally {
      await nextTurn();
      this.passOn();
    }
  }

  private wait(owner: string): Promise<void> {
    return new Promise((resolve) => {
      const others = this.waiting.get(owner);
      if (others === undefined) this.waiting.set(owner, [resolve]);
      else others.push(resolve);
    });
  }

  /** The place goes to the next owner, who then goes to the end. */
  private passOn(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.free += 1;
      return;
    }
    const [owner, pieces] = next;
    const start = pieces.shift();
    this.waiting.delete(owner);
    if (pieces.length > 0) this.waiting.set(owner, pieces);
    start?.();
  }
}
