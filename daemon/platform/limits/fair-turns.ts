/**
 * Work on the log in small pieces: few at a time in the whole daemon, owners in turn. An owner with a thousand replays
 * is served as often as one with a single replay.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LimitName } from './catalogue.js';
import { FairQueue, unlimited } from './fair-queue.js';
import { countWait } from './refusals.js';

/** Pieces at once. Each makes a few database queries, one after the other. */
const piecesAtOnce = 2;

export class FairTurns {
  private free: number;
  private readonly waiting: FairQueue<() => void>;

  /** The queue has no limits of its own, because callers are limited before they come here. */
  constructor(
    private readonly name: LimitName,
    places: number = piecesAtOnce,
  ) {
    this.free = places;
    this.waiting = new FairQueue(name, unlimited);
  }

  /** Runs the piece when it is the owner's turn. The event loop gets a turn before the next piece begins. */
  async run<T>(owner: string, piece: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else {
      countWait(this.name);
      await new Promise<void>((resolve) => this.waiting.push(owner, resolve));
    }
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
