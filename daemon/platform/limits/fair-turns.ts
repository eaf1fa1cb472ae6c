/**
 * Work in small pieces: few at a time in the whole daemon, owners in turn. An owner with a thousand replays is served as
 * often as one with a single replay.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DomainError } from '../../../src/contract/errors.js';
import { type Limit, type LimitName, limits } from './catalogue.js';
import { FairQueue, unlimited } from './fair-queue.js';
import { countRefusal, countWait } from './refusals.js';

type WaitingPieces = FairQueue<() => void>;

interface TurnOptions {
  /** Pieces at once. Left out: the figure of the limit. */
  readonly concurrency?: number;
  /** Pieces of one owner at once. Left out: no limit of its own. */
  readonly perOwner?: number;
  /** The first goes before all others. Left out: one without limits, because callers are limited before they come here. */
  readonly queues?: readonly [WaitingPieces, ...WaitingPieces[]];
  /** A piece that has waited this long is refused. Left out: it waits as long as it has to. */
  readonly maxWaitMs?: number;
  /** Details of `overloaded`, for pieces that find their queue full or wait for too long. */
  readonly refusal?: { readonly message?: string; readonly retryAfterSeconds: number };
  /** The work is done elsewhere, in other threads or processes: the event loop needs no turn before the next piece. */
  readonly isElsewhere?: boolean;
}

export class FairTurns {
  private readonly concurrency: number;
  private running = 0;
  private readonly ofOwner = new Map<string, number>();
  private readonly queues: readonly [WaitingPieces, ...WaitingPieces[]];

  constructor(
    private readonly name: LimitName,
    private readonly options: TurnOptions = {},
  ) {
    const { max }: Limit = limits[name];
    this.concurrency = options.concurrency ?? (typeof max === 'number' ? max : 1);
    this.queues = options.queues ?? [new FairQueue(name, unlimited)];
  }

  /**
   * Runs the piece when it is the owner's turn. Throws overloaded where its queue is full or it waits for too long, and what the
   * piece throws.
   */
  async run<T>(owner: string, piece: () => Promise<T>, queue = this.queues[0], part?: string): Promise<T> {
    const { isElsewhere = false } = this.options;
    if (this.running < this.concurrency && this.mayBegin(owner)) this.begin(owner);
    else await this.wait(owner, queue, part);
    try {
      return await piece();
    } finally {
      if (!isElsewhere) await nextTurn();
      this.end(owner);
    }
  }

  private readonly mayBegin = (owner: string): boolean =>
    (this.ofOwner.get(owner) ?? 0) < (this.options.perOwner ?? Number.POSITIVE_INFINITY);

  private begin(owner: string): void {
    this.running += 1;
    this.ofOwner.set(owner, (this.ofOwner.get(owner) ?? 0) + 1);
  }

  /** Ends a piece; the next one begins. */
  private end(owner: string): void {
    this.running -= 1;
    const left = (this.ofOwner.get(owner) ?? 1) - 1;
    if (left === 0) this.ofOwner.delete(owner);
    else this.ofOwner.set(owner, left);
    for (const queue of this.queues) {
      const [start] = queue.take(1, Number.POSITIVE_INFINITY, this.mayBegin);
      if (start === undefined) continue;
      start();
      return;
    }
  }

  /** Resolves when the piece has begun. */
  private wait(owner: string, queue: WaitingPieces, part?: string): Promise<void> {
    const { maxWaitMs, refusal = { retryAfterSeconds: 1 } } = this.options;
    countWait(this.name);
    return new Promise((resolve, reject) => {
      let late: NodeJS.Timeout | undefined;
      const start = (): void => {
        clearTimeout(late);
        this.begin(owner);
        resolve();
      };
      if (!queue.push(owner, start, part)) return reject(new DomainError('overloaded', refusal));
      if (maxWaitMs === undefined) return;
      late = setTimeout(() => {
        queue.remove(owner, start, part);
        countRefusal(this.name);
        reject(new DomainError('overloaded', refusal));
      }, maxWaitMs);
    });
  }
}
