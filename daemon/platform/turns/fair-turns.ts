/**
 * Work on the log in small pieces: few at a time in the whole daemon, owners in turn. An owner with a thousand replays
 * is served as often as one with a single replay.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FairQueue } from './fair-queue.js';

/** Pieces at once. Each makes a few database queries, one after the other. */
const piecesAtOnce = 2;

export class FairTurns {
  private free: number;
  /** It has no limits of its own, because callers are limited before they come here. */
  private readonly waiting = new FairQueue<() => void>({ shareMax: Infinity, queueMax: Infinity });

  constructor(places: number = piecesAtOnce) {
    this.free = places;
  }

  /** Runs the piece when it is the owner's turn. The event loop gets a turn before the next piece begins. */
  async run<T>(owner: string, piece: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(owner, resolve));
    try {
      return await piece();
    } finally {
      await nextTurn();
      this.passOn();
    }
  }

  private passOn(): void {
    const [start] = this.waiting.take(1);
    if (start === undefined) this.free += 1;
    else start();
  }
}
