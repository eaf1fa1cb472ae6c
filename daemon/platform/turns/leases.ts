/**
 * Leases that end by the clocks of daemons. One that was taken while a clock was ahead would end long after its daemon has
 * died, so none may end later than its whole length from now. That never takes a lease from a daemon that lives: what it
 * began before now ends within that length.
 */
import type { Logger } from '../observability/logger.js';
import { Repeat } from '../scheduler/repeat.js';
import type { Clock } from '../time/clock.js';

/** How late a lease is shortened that a daemon took whose clock is ahead. After the own clock was set, all are at once. */
const everyMs = 300_000;

export interface LeaseKind {
  /** The table that holds the leases. */
  readonly table: string;
  /** How long a lease holds that is taken now. */
  readonly lengthMs: number;
  readonly holder: 'daemon' | 'person';
  /** Lets leases that end later than `latest` end then. Returns how many there were. */
  readonly shorten: (latest: Date) => Promise<number>;
}

export class Leases {
  private readonly kinds: LeaseKind[] = [];
  private readonly repeat: Repeat;

  constructor(
    private readonly now: Clock,
    private readonly logger: Logger,
  ) {
    const ofDaemons = () => this.shortenThose(this.kinds.filter(({ holder }) => holder === 'daemon'));
    this.repeat = new Repeat('shorten-leases', everyMs, ofDaemons, logger);
  }

  add(kind: LeaseKind): void {
    this.kinds.push(kind);
  }

  /** The clock may have been ahead before. */
  async start(): Promise<void> {
    await this.shorten();
    this.repeat.start();
  }

  stop = (): Promise<void> => this.repeat.stop();

  /** Shortens the leases of every kind that were taken while the clock of a daemon was ahead. */
  shorten = (): Promise<void> => this.shortenThose(this.kinds);

  private async shortenThose(kinds: readonly LeaseKind[]): Promise<void> {
    for (const { table, lengthMs, shorten } of kinds) {
      const count = await shorten(new Date(this.now().getTime() + lengthMs));
      if (count > 0) this.logger.warn({ table, count }, 'leases that were taken while a clock was ahead are shortened');
    }
  }
}
