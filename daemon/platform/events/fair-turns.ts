/**
 * Work on the log in small pieces: few at a time in the whole daemon, and whoever waits gets a turn in turn with the
 * others, owner by owner. One owner with a thousand replays is served as often as one with a single replay.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Pieces at once. Each asks the database a few questions, one after the other. */
const piecesAtOnce = 2;

export class FairTurns {
  private free: number;
  /** Those who wait, by owner; the owner in front is next. */
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(places: number = piecesAtOnce) {
    this.free = places;
  }

  /** Runs the piece when it is the owner's turn. Others of the event loop come in before the next piece begins. */
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

  /** The place goes to the next owner, who then waits behind all others. */
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
