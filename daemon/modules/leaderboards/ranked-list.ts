/**
 * Members in the order of their keys, with ranks: an order-statistic structure in memory. Members are sorted in blocks
 * of limited length; sums of the blocks' lengths say how many come before a block. An operation on one member takes a
 * search among the blocks and one in a block. Keys are kept in typed arrays, one slot for each member.
 */
import { MemberIds } from './member-ids.js';
import { PrefixSums } from './prefix-sums.js';

/** Sort key of a member: the lowest sort key leads, then the lowest id of the event that brought it. */
export interface Key {
  readonly sortKey: number;
  /** UUID in small letters; two members of a board never share one. */
  readonly reachedId: string;
}

/** Fields of a member that a ranking shows. */
export type Placed = Pick<Ranked, 'memberId' | 'sortKey'>;

export interface Ranked extends Key {
  readonly memberId: string;
}

const blockMax = 512;
/** The list itself, and each block beside its slots: objects, and the buffers that they point to. */
const listBytes = 1_024;
const blockBytes = 256 + blockMax * Uint32Array.BYTES_PER_ELEMENT;
/** Words of 32 bits in a UUID. */
const words = 4;
const slotsAtFirst = 64;
const growth = 1.25;

export const compareKeys = (a: Key, b: Key): number =>
  a.sortKey - b.sortKey || (a.reachedId < b.reachedId ? -1 : a.reachedId > b.reachedId ? 1 : 0);

const hexOf = (digits: string): number => Number.parseInt(digits, 16);
/** The text has hyphens before its digits 9, 13, 17 and 21. */
const wordsOf = (uuid: string): number[] => [
  hexOf(uuid.slice(0, 8)),
  hexOf(uuid.slice(9, 13) + uuid.slice(14, 18)),
  hexOf(uuid.slice(19, 23) + uuid.slice(24, 28)),
  hexOf(uuid.slice(28)),
];

const hex = (word: number): string => word.toString(16).padStart(8, '0');

interface Block {
  readonly slots: Uint32Array;
  length: number;
}

const newBlock = (): Block => ({ slots: new Uint32Array(blockMax), length: 0 });

export class RankedList {
  private sortKeys = new Float64Array(slotsAtFirst);
  private reached = new Uint32Array(slotsAtFirst * words);
  private readonly ids = new MemberIds();
  private slots = 0;
  private readonly free: number[] = [];
  private blocks: Block[] = [newBlock()];
  private lengths = new PrefixSums([0]);

  get size(): number {
    return this.ids.size;
  }

  /** Memory that it takes: that of its arrays, and an estimate of the objects around them. */
  get bytes(): number {
    const keys = this.sortKeys.byteLength + this.reached.byteLength;
    return listBytes + keys + this.blocks.length * blockBytes + this.ids.bytes;
  }

  get(memberId: string): Ranked | null {
    const slot = this.ids.slotOf(memberId);
    return slot === -1 ? null : this.ranked(slot);
  }

  set(memberId: string, key: Key): void {
    const known = this.ids.slotOf(memberId);
    const slot = known === -1 ? this.takeSlot() : known;
    if (known === -1) this.ids.add(slot, memberId);
    else this.takeOut(slot);
    this.sortKeys[slot] = key.sortKey;
    this.reached.set(wordsOf(key.reachedId), slot * words);
    this.insert(slot);
  }

  delete(memberId: string): boolean {
    const slot = this.ids.slotOf(memberId);
    if (slot === -1) return false;
    this.takeOut(slot);
    this.ids.remove(slot);
    this.free.push(slot);
    return true;
  }

  /** Takes the slot from its block. */
  private takeOut(slot: number): void {
    const at = this.blockOf(slot);
    const block = this.block(at);
    const index = this.indexIn(block, slot);
    block.slots.copyWithin(index, index + 1, block.length);
    block.length -= 1;
    if (block.length === 0 && this.blocks.length > 1) {
      this.blocks.splice(at, 1);
      this.countAnew();
    } else this.lengths.add(at, -1);
  }

  /** From 1; null: not in the list. */
  rankOf(memberId: string): number | null {
    const slot = this.ids.slotOf(memberId);
    if (slot === -1) return null;
    const at = this.blockOf(slot);
    return this.lengths.before(at) + this.indexIn(this.block(at), slot) + 1;
  }

  /** How many members rank before a key, whether or not a member has it. */
  countBefore(key: Key): number {
    const slot = this.takeSlot();
    this.sortKeys[slot] = key.sortKey;
    this.reached.set(wordsOf(key.reachedId), slot * words);
    const at = this.blockOf(slot);
    const count = this.lengths.before(at) + this.indexIn(this.block(at), slot);
    this.free.push(slot);
    return count;
  }

  /** Up to `limit` members behind the first `offset`, in order; without the ids of events, whose texts cost the most. */
  page(offset: number, limit: number): Placed[] {
    const found: Placed[] = [];
    let { at, index } = this.place(offset);
    while (found.length < limit && at < this.blocks.length) {
      const { slots, length } = this.block(at);
      for (; index < length && found.length < limit; index += 1) found.push(this.placed(slots[index] ?? 0));
      at += 1;
      index = 0;
    }
    return found;
  }

  private placed(slot: number): Placed {
    return { memberId: this.ids.idOf(slot), sortKey: this.sortKeys[slot] ?? 0 };
  }

  private ranked(slot: number): Ranked {
    const [a = 0, b = 0, c = 0, d = 0] = this.reached.subarray(slot * words, slot * words + words);
    const digits = `${hex(a)}-${hex(b).slice(0, 4)}-${hex(b).slice(4)}-${hex(c).slice(0, 4)}-${hex(c).slice(4)}${hex(d)}`;
    return { ...this.placed(slot), reachedId: digits };
  }

  private compare(a: number, b: number): number {
    const difference = (this.sortKeys[a] ?? 0) - (this.sortKeys[b] ?? 0);
    if (difference !== 0) return difference;
    for (let word = 0; word < words; word += 1) {
      const apart = (this.reached[a * words + word] ?? 0) - (this.reached[b * words + word] ?? 0);
      if (apart !== 0) return apart;
    }
    return 0;
  }

  private takeSlot(): number {
    const free = this.free.pop();
    if (free !== undefined) return free;
    const slot = this.slots;
    this.slots += 1;
    if (slot === this.sortKeys.length) this.grow();
    return slot;
  }

  private grow(): void {
    const length = Math.ceil(this.sortKeys.length * growth);
    const sortKeys = new Float64Array(length);
    sortKeys.set(this.sortKeys);
    this.sortKeys = sortKeys;
    const reached = new Uint32Array(length * words);
    reached.set(this.reached);
    this.reached = reached;
  }

  /** Index of the block that the slot stands in, or would. */
  private blockOf(slot: number): number {
    let low = 0;
    let high = this.blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const { slots, length } = this.block(middle);
      if (this.compare(slots[length - 1] ?? 0, slot) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private indexIn({ slots, length }: Block, slot: number): number {
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(slots[middle] ?? 0, slot) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private insert(slot: number): void {
    let at = this.size === 1 ? 0 : this.blockOf(slot);
    if (this.block(at).length === blockMax) {
      this.split(at);
      const { slots, length } = this.block(at);
      if (this.compare(slots[length - 1] ?? 0, slot) < 0) at += 1;
    }
    const block = this.block(at);
    const index = this.indexIn(block, slot);
    block.slots.copyWithin(index + 1, index, block.length);
    block.slots[index] = slot;
    block.length += 1;
    this.lengths.add(at, 1);
  }

  /** A full last block is split at its end, so that members that are loaded in order fill the blocks. */
  private split(at: number): void {
    const block = this.block(at);
    const kept = at === this.blocks.length - 1 ? Math.floor(blockMax * 0.9) : blockMax / 2;
    const next = newBlock();
    next.slots.set(block.slots.subarray(kept, block.length));
    next.length = block.length - kept;
    block.length = kept;
    this.blocks.splice(at + 1, 0, next);
    this.countAnew();
  }

  private block(at: number): Block {
    const block = this.blocks[at];
    if (block === undefined) throw new Error('A ranked list has no such block.');
    return block;
  }

  private countAnew(): void {
    this.lengths = new PrefixSums(this.blocks.map(({ length }) => length));
  }

  /** Block and index of the member at a place; behind the last member: behind the last block. */
  private place(offset: number): { at: number; index: number } {
    if (offset >= this.size) return { at: this.blocks.length, index: 0 };
    const { index: at, rest: index } = this.lengths.find(offset);
    return { at, index };
  }
}
