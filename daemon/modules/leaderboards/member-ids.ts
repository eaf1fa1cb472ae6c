/**
 * Ids of members by slot, and slots by id, in bytes beside the heap: a map of strings takes twice as much, and the garbage
 * collector visits each of them. Players choose ids, so a hash with a secret key (HalfSipHash-1-3) places them in the table.
 */
import { randomBytes } from 'node:crypto';

const [keyLow, keyHigh] = [randomBytes(4).readInt32LE(), randomBytes(4).readInt32LE()];

/** An id begins with two bytes: how it is written, and how many bytes follow. */
const headBytes = 2;
const [latin1, utf16, uuid] = [0x0000, 0x4000, 0x8000];
const lengthMax = 0x3fff;
const uuidBytes = 16;
const uuidForm = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const uuidLength = 36;
/** Bytes of removed ids that may stay, whatever the share of them. */
const removedMin = 1_024;
const slotsAtFirst = 8;
const bytesAtFirst = 128;
const growth = 1.25;
const none = 0xffff_ffff;

export class MemberIds {
  /** Where the id of a slot begins; `none`: the slot has none. */
  private offsets = new Uint32Array(slotsAtFirst).fill(none);
  private text = Buffer.allocUnsafeSlow(bytesAtFirst);
  private end = 0;
  private removed = 0;
  /** Open addressing: a slot is in its place, or in the first free one behind it. One more than the slot; 0: free. */
  private table = new Uint32Array(slotsAtFirst * 2);
  private count = 0;
  private scratch = Buffer.allocUnsafeSlow(headBytes + uuidLength);

  get size(): number {
    return this.count;
  }

  get bytes(): number {
    return this.offsets.byteLength + this.text.byteLength + this.table.byteLength + this.scratch.byteLength;
  }

  /** Returns the slot of the id, or -1. */
  slotOf(id: string): number {
    return (this.table[this.placeOf(this.write(id))] ?? 0) - 1;
  }

  /** Gives a slot without an id one that no slot has. */
  add(slot: number, id: string): void {
    const length = this.write(id);
    if (this.end + length > this.text.length) this.makeRoom(length);
    if (slot >= this.offsets.length) this.growOffsets(slot);
    this.scratch.copy(this.text, this.end, 0, length);
    this.offsets[slot] = this.end;
    this.end += length;
    this.count += 1;
    if (this.count > this.table.length * 0.75) this.growTable();
    else this.table[this.placeOf(length)] = slot + 1;
  }

  /** Takes its id from the slot. */
  remove(slot: number): void {
    const length = this.write(this.idOf(slot));
    this.free(this.placeOf(length));
    this.offsets[slot] = none;
    this.count -= 1;
    this.removed += length;
    if (this.removed > removedMin && this.removed > this.end / 4) this.moveText(this.end - this.removed);
  }

  /** Returns the id of a slot that has one. */
  idOf(slot: number): string {
    const at = this.offsets[slot] ?? none;
    const head = this.text.readUInt16LE(at);
    const begin = at + headBytes;
    const end = at + this.lengthAt(at);
    if (head === uuid) {
      const digits = this.text.toString('hex', begin, end);
      return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
    }
    return this.text.toString((head & utf16) === 0 ? 'latin1' : 'utf16le', begin, end);
  }

  /** Writes the id to the scratch; returns how many bytes it takes there. Each id is written in one way. */
  private write(id: string): number {
    const needed = headBytes + id.length * 2;
    if (needed > this.scratch.length) this.scratch = Buffer.allocUnsafeSlow(needed);
    if (id.length === uuidLength && uuidForm.test(id)) {
      this.scratch.writeUInt16LE(uuid, 0);
      this.scratch.write(id.replaceAll('-', ''), headBytes, 'hex');
      return headBytes + uuidBytes;
    }
    let isLatin1 = true;
    for (let at = 0; isLatin1 && at < id.length; at += 1) isLatin1 = id.charCodeAt(at) < 0x100;
    const length = this.scratch.write(id, headBytes, isLatin1 ? 'latin1' : 'utf16le');
    if (length > lengthMax) throw new Error(`The id of a member has ${length} bytes.`);
    this.scratch.writeUInt16LE((isLatin1 ? latin1 : utf16) | length, 0);
    return headBytes + length;
  }

  /** Returns how many bytes the id takes that begins there. */
  private lengthAt(at: number): number {
    const head = this.text.readUInt16LE(at);
    return headBytes + (head === uuid ? uuidBytes : head & lengthMax);
  }

  /** Returns the place of the id in the scratch in the table, or the free one where it belongs. */
  private placeOf(length: number): number {
    const mask = this.table.length - 1;
    let place = hashOf(this.scratch, 0, length) & mask;
    for (let entry = this.table[place] ?? 0; entry !== 0; entry = this.table[place] ?? 0) {
      if (this.isWritten(entry - 1, length)) return place;
      place = (place + 1) & mask;
    }
    return place;
  }

  /** True if the slot has the id that is in the scratch. */
  private isWritten(slot: number, length: number): boolean {
    const at = this.offsets[slot] ?? none;
    // The head has the length, so ids of other lengths differ there.
    for (let index = 0; index < length; index += 1) if (this.text[at + index] !== this.scratch[index]) return false;
    return true;
  }

  /** Frees a place; those behind it move up, so that each is found from its own place without a gap. */
  private free(freed: number): void {
    const mask = this.table.length - 1;
    let gap = freed;
    for (let place = (gap + 1) & mask; ; place = (place + 1) & mask) {
      const entry = this.table[place] ?? 0;
      if (entry === 0) break;
      if (((place - this.homeOf(entry - 1)) & mask) < ((place - gap) & mask)) continue;
      this.table[gap] = entry;
      gap = place;
    }
    this.table[gap] = 0;
  }

  /** Returns the place where the slot would be in an empty table. */
  private homeOf(slot: number): number {
    const at = this.offsets[slot] ?? none;
    return hashOf(this.text, at, this.lengthAt(at)) & (this.table.length - 1);
  }

  private growTable(): void {
    const mask = this.table.length * 2 - 1;
    this.table = new Uint32Array(mask + 1);
    for (const [slot, offset] of this.offsets.entries()) {
      if (offset === none) continue;
      let place = this.homeOf(slot);
      while (this.table[place] !== 0) place = (place + 1) & mask;
      this.table[place] = slot + 1;
    }
  }

  private growOffsets(slot: number): void {
    const offsets = new Uint32Array(Math.max(slot + 1, Math.ceil(this.offsets.length * growth))).fill(none);
    offsets.set(this.offsets);
    this.offsets = offsets;
  }

  private makeRoom(length: number): void {
    this.moveText(Math.ceil((this.end - this.removed + length) * growth));
  }

  /** Moves the ids to a buffer of so many bytes, without those that were removed. */
  private moveText(bytes: number): void {
    const text = Buffer.allocUnsafeSlow(Math.max(bytes, bytesAtFirst));
    let end = 0;
    for (const [slot, at] of this.offsets.entries()) {
      if (at === none) continue;
      const length = this.lengthAt(at);
      this.text.copy(text, end, at, at + length);
      this.offsets[slot] = end;
      end += length;
    }
    this.text = text;
    this.end = end;
    this.removed = 0;
  }
}

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

/** HalfSipHash-1-3 of bytes, 32 bits: one round for each word of four bytes, three at the end. */
function hashOf(bytes: Uint8Array, begin: number, length: number): number {
  let v0 = keyLow;
  let v1 = keyHigh;
  let v2 = keyLow ^ 0x6c796765;
  let v3 = keyHigh ^ 0x74656462;
  const round = () => {
    v0 = (v0 + v1) | 0;
    v1 = rotate(v1, 5) ^ v0;
    v0 = rotate(v0, 16);
    v2 = (v2 + v3) | 0;
    v3 = rotate(v3, 8) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = rotate(v3, 7) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = rotate(v1, 13) ^ v2;
    v2 = rotate(v2, 16);
  };
  const absorb = (word: number) => {
    v3 ^= word;
    round();
    v0 ^= word;
  };
  const byte = (at: number) => bytes[begin + at] ?? 0;
  let at = 0;
  for (; at + 4 <= length; at += 4)
    absorb(byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16) | (byte(at + 3) << 24));
  let last = length << 24;
  for (let shift = 0; at < length; at += 1, shift += 8) last |= byte(at) << shift;
  absorb(last);
  v2 ^= 0xff;
  round();
  round();
  round();
  return v1 ^ v3;
}
