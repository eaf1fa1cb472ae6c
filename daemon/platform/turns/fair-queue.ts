/**
 * A queue shared fairly between its users: each has a row of its own, and items leave the rows in turn. A full row
 * refuses its own items; a full queue refuses only those that have their fair part of it.
 */
export interface FairQueueLimits {
  /** Places of one share. */
  readonly shareMax: number;
  /** Places of all together, which shares with less than their part may exceed. */
  readonly queueMax: number;
}

export class FairQueue<Item> {
  /** In the order of their turns; none is empty. */
  private readonly rows = new Map<string, Item[]>();
  private items = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  get length(): number {
    return this.items;
  }

  hasPlace(share: string): boolean {
    const { shareMax, queueMax } = this.limits;
    const own = this.rows.get(share)?.length ?? 0;
    const shares = this.rows.size + (own === 0 ? 1 : 0);
    return own < shareMax && (this.items < queueMax || own < queueMax / shares);
  }

  /** false: there is no place for this share. */
  push(share: string, item: Item): boolean {
    if (!this.hasPlace(share)) return false;
    const row = this.rows.get(share) ?? [];
    row.push(item);
    this.rows.set(share, row);
    this.items += 1;
    return true;
  }

  /** Up to `count` items, one of each share in turn. */
  take(count: number): Item[] {
    const taken: Item[] = [];
    // A share that has more goes behind the others, where the same loop comes to it again. One alone has all turns.
    for (const [share, row] of this.rows) {
      if (taken.length >= count) break;
      const isAlone = this.rows.size === 1;
      taken.push(...row.splice(0, isAlone ? count - taken.length : 1));
      if (isAlone && row.length > 0) break;
      this.rows.delete(share);
      if (row.length > 0) this.rows.set(share, row);
    }
    this.items -= taken.length;
    return taken;
  }
}
