/** Things of many rooms, found by their room without looking at the others. */
import type { RoomAddress } from './engine.js';

/** Tells rooms apart; never equal for two. */
export const nameOf = ({ projectId, roomId }: RoomAddress): string => JSON.stringify([projectId, roomId]);

export class ByRoom<Item extends { readonly room: RoomAddress }> {
  private readonly items = new Map<string, Set<Item>>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  add(item: Item): void {
    const name = nameOf(item.room);
    const here = this.items.get(name) ?? new Set();
    if (!here.has(item)) this.count += 1;
    this.items.set(name, here.add(item));
  }

  delete(item: Item): void {
    const name = nameOf(item.room);
    const here = this.items.get(name);
    if (here?.delete(item) !== true) return;
    this.count -= 1;
    if (here.size === 0) this.items.delete(name);
  }

  in = (room: RoomAddress): Item[] => [...(this.items.get(nameOf(room)) ?? [])];

  all = (): Item[] => [...this.items.values()].flatMap((here) => [...here]);

  /** One of each room, by the room's name. */
  rooms(): Map<string, RoomAddress> {
    const found = new Map<string, RoomAddress>();
    for (const [name, [first]] of this.items) if (first !== undefined) found.set(name, first.room);
    return found;
  }
}
