/**
 * Finds the end of the log for a reader, in most cases without a query: the newest events that were passed on are kept
 * here, without their data.
 */
import { LRUCache } from 'lru-cache';
import type { DomainEvent } from '../../../src/contract/events.js';
import { atMost } from '../../platform/collections/at-most.js';
import type { LogFollower } from '../../platform/events/follower.js';
import type { EventLog } from '../../platform/events/log.js';
import type { PositionedEvent } from '../../platform/events/logged.js';
import { isWithin, partsOf } from './filter.js';
import type { Permission } from './permissions.js';

type Passed = Pick<DomainEvent, 'id' | 'tenantId' | 'projectId'> & { readonly position: bigint };

/** The newest event that an owner may read, among those up to a position; null when there is none. */
interface Newest {
  readonly upTo: bigint;
  readonly id: Promise<string | null>;
}

/** Events that are kept here at least; at twice as many the older ones are dropped. */
const passedMin = 1_000;
const reachesMax = 10_000;

export class LogEnd {
  private passed: Passed[] = [];
  private readonly known = new LRUCache<string, Newest>(atMost(reachesMax));

  constructor(
    private readonly log: EventLog,
    private readonly follower: Pick<LogFollower, 'position'>,
  ) {}

  /** Every event up to here was passed on. */
  get position(): bigint {
    const last = this.passed.at(-1)?.position ?? 0n;
    return last > this.follower.position ? last : this.follower.position;
  }

  /** True if something that this daemon has stored is still to be passed on. */
  get isBehind(): boolean {
    return this.position < this.log.stored;
  }

  append(events: readonly PositionedEvent[]): void {
    for (const { position, event } of events) {
      const { id, tenantId, projectId } = event;
      this.passed.push({ position, id, tenantId, projectId });
    }
    if (this.passed.length > 2 * passedMin) this.passed = this.passed.slice(-passedMin);
  }

  /** The newest event that the owner may read among those passed on, and the position up to which that holds. */
  async newest(permission: Permission): Promise<{ id: string | null; position: bigint }> {
    for (;;) {
      const known = this.known.get(permission.key) ?? this.newestFor(permission);
      const id = await known.id;
      const { position } = this;
      if (!this.reachesBack(known.upTo)) {
        this.known.delete(permission.key);
        continue;
      }
      const later = this.passed.findLast((one) => one.position > known.upTo && isWithin(permission.reach, one));
      const newest = later?.id ?? id;
      this.known.set(permission.key, { upTo: position, id: Promise.resolve(newest) });
      return { id: newest, position };
    }
  }

  private newestFor({ reach, key }: Permission): Newest {
    const upTo = this.position;
    const id = this.log.pages.newestAt(partsOf(reach), upTo).then((found) => found?.id ?? null);
    const newest = { upTo, id };
    this.known.set(key, newest);
    id.catch(() => this.known.delete(key));
    return newest;
  }

  /** True if everything after the position is kept here. */
  private reachesBack(position: bigint): boolean {
    const [oldest] = this.passed;
    return oldest === undefined
      ? position >= this.position
      : oldest.position <= position + 1n || position >= this.position;
  }
}
