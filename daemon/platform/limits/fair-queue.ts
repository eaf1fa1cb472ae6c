/**
 * A queue shared fairly between its users: each has a row of its own, and items leave the rows in turn. A share that takes
 * an item of high cost waits for as many turns as that costs. Within a row the parts of a share, such as the projects of a
 * tenant, take turns. A full part refuses its own items; a full queue refuses only shares that have their fair part of it.
 */
import type { LimitName } from './catalogue.js';
import { countRefusal } from './refusals.js';

export interface FairQueueLimits {
  /** Places of one part of a share. */
  readonly shareMax: number;
  /** Places of all together, which shares with less than their part may exceed. */
  readonly queueMax: number;
}

interface QueueRow<Item> {
  /** In the order of their turns; none is empty. */
  readonly parts: Map<string, Item[]>;
  items: number;
  /** Turns until the next item. */
  debt: number;
}

const wholeShare = '';

/** For queues whose callers are limited elsewhere. */
export const unlimited: FairQueueLimits = { shareMax: Infinity, queueMax: Infinity };

export class FairQueue<Item> {
  /** In the order of their turns; none is empty. */
  private readonly rows = new Map<string, QueueRow<Item>>();
  private items = 0;

  /** @param costOf asked when an item is taken; at least 1 */
  constructor(
    private readonly name: LimitName,
    private readonly limits: FairQueueLimits,
    private readonly costOf: (item: Item) => number = () => 1,
  ) {}

  get length(): number {
    return this.items;
  }

  hasPlace(share: string, part = wholeShare): boolean {
    const { shareMax, queueMax } = this.limits;
    const row = this.rows.get(share);
    const shares = this.rows.size + (row === undefined ? 1 : 0);
    return (
      (row?.parts.get(part)?.length ?? 0) < shareMax && (this.items < queueMax || (row?.items ?? 0) < queueMax / shares)
    );
  }

  /** false: there is no place for this share. */
  push(share: string, item: Item, part = wholeShare): boolean {
    if (!this.hasPlace(share, part)) {
      countRefusal(this.name);
      return false;
    }
    this.partOf(share, part).push(item);
    return true;
  }

  /** Puts back an item that was taken, before all others of its part. */
  putBack(share: string, item: Item, part = wholeShare): void {
    this.partOf(share, part).unshift(item);
  }

  /** Removes an item that waits. */
  remove(share: string, item: Item, part = wholeShare): void {
    const row = this.rows.get(share);
    const items = row?.parts.get(part) ?? [];
    const index = items.indexOf(item);
    if (row === undefined || index === -1) return;
    items.splice(index, 1);
    row.items -= 1;
    this.items -= 1;
    if (items.length === 0) row.parts.delete(part);
    if (row.items === 0) this.rows.delete(share);
  }

  /** Up to `count` items, in turn, of shares that may have one; the last is the one that makes them cost `costMax`. */
  take(count: number, costMax = Infinity, mayHave: (share: string) => boolean = () => true): Item[] {
    const taken: Item[] = [];
    let cost = 0;
    // A share that has more goes behind the others, where the same loop comes to it again. One alone has all turns.
    for (const [share, row] of this.rows) {
      if (taken.length >= count || cost >= costMax) break;
      if (!mayHave(share)) continue;
      const isAlone = this.rows.size === 1;
      this.rows.delete(share);
      if (row.debt > 1 && !isAlone) row.debt -= 1;
      else {
        const item = takeFrom(row);
        row.debt = this.costOf(item);
        cost += row.debt;
        taken.push(item);
      }
      if (row.items > 0) this.rows.set(share, row);
    }
    this.items -= taken.length;
    return taken;
  }

  /** Returns the items of the part, where one is to be added. */
  private partOf(share: string, part: string): Item[] {
    const row = this.rows.get(share) ?? { parts: new Map<string, Item[]>(), items: 0, debt: 0 };
    const items = row.parts.get(part) ?? [];
    this.rows.set(share, row);
    row.parts.set(part, items);
    row.items += 1;
    this.items += 1;
    return items;
  }
}

/** Takes the next item of the part whose turn it is. */
function takeFrom<Item>(row: QueueRow<Item>): Item {
  for (const [part, items] of row.parts) {
    row.parts.delete(part);
    const [item] = items.splice(0, 1);
    if (items.length > 0) row.parts.set(part, items);
    if (item === undefined) continue;
    row.items -= 1;
    return item;
  }
  throw new Error('The row of a fair queue is empty.');
}
