import { describe, expect, it } from 'vitest';
import { ReorderBuffer } from '../../../daemon/modules/sessions/bot/reorder.js';
import type { BotPacket } from '../../../daemon/modules/sessions/bot/speaker-packet.js';

const packet = (sequence: number, arrivedAtMs = 0, timestamp = 0): BotPacket => ({
  externalUserId: 'u',
  publicationId: 'p',
  audible: true,
  sequence,
  timestamp,
  arrivedAtMs,
  payload: new Uint8Array(),
});

/** Returns the sequence numbers that come out when these come in; a flush at the end. */
function through(sequences: number[]): number[] {
  const buffer = new ReorderBuffer<BotPacket>();
  return [...sequences.flatMap((sequence) => buffer.push(packet(sequence))), ...buffer.flush()].map(
    ({ sequence }) => sequence,
  );
}

describe('ReorderBuffer', () => {
  it.each([
    ['in order', [1, 2, 3], [1, 2, 3]],
    ['swapped', [1, 3, 2, 4], [1, 2, 3, 4]],
    ['swapped across the end of the numbers', [65_534, 0, 65_535, 1], [65_534, 65_535, 0, 1]],
    ['twice', [1, 2, 2, 3, 1], [1, 2, 3]],
    ['one lost: the others wait, then go on', [1, 3, 4, 5, 6, 7, 8], [1, 3, 4, 5, 6, 7, 8]],
    ['one later than the others waited', [1, 3, 4, 5, 6, 7, 8, 2, 9], [1, 3, 4, 5, 6, 7, 8, 9]],
    ['two lost', [1, 3, 5, 6, 7, 8], [1, 3, 5, 6, 7, 8]],
    ['a jump: a new beginning', [1, 2, 4, 5_000, 5_001], [1, 2, 4, 5_000, 5_001]],
    ['a jump back', [5_000, 5_001, 1, 2], [5_000, 5_001, 1, 2]],
    ['a new beginning whose first packets are swapped', [5_000, 2, 1, 3], [5_000, 1, 2, 3]],
    ['a single packet that is much too late', [500, 501, 380, 502, 504, 503], [500, 501, 502, 503, 504]],
    ['several of them', [500, 501, 380, 502, 300, 503], [500, 501, 502, 503]],
    ['one of them twice, in the middle of a disorder', [500, 502, 380, 380, 501, 503], [500, 501, 502, 503]],
  ])('%s', (_, incoming, outgoing) => {
    expect(through(incoming)).toEqual(outgoing);
  });

  it('waits for a missing packet no longer than five packets', () => {
    const buffer = new ReorderBuffer<BotPacket>();
    buffer.push(packet(1));
    const counts = [3, 4, 5, 6, 7, 8].map((sequence) => buffer.push(packet(sequence)).length);
    expect(counts).toEqual([0, 0, 0, 0, 0, 6]);
  });

  it('begins anew after a pause, when numbers that come again mean nothing any more', () => {
    const buffer = new ReorderBuffer<BotPacket>();
    buffer.push(packet(100, 0));
    expect(buffer.push(packet(60, 1_000))).toEqual([]); // late
    expect(buffer.push(packet(60, 2_001))).toEqual([]); // late, or the first
    expect(buffer.push(packet(61, 2_021))).toHaveLength(2);
    expect(buffer.push(packet(62, 2_041))).toHaveLength(1);
  });

  it('begins anew within a pause that a stall hides, where numbers come again for other sound', () => {
    const buffer = new ReorderBuffer<BotPacket>();
    for (let sequence = 100; sequence < 150; sequence += 1) buffer.push(packet(sequence, 0, sequence * 960));
    expect(buffer.push(packet(120, 0, 120 * 960))).toEqual([]); // twice
    expect([120, 121, 122].map((sequence) => buffer.push(packet(sequence, 0, sequence)).length)).toEqual([0, 2, 1]);
    expect([60, 61].map((sequence) => buffer.push(packet(sequence, 0, sequence)).length)).toEqual([0, 2]);
  });

  it('leaves out a single packet of an earlier beginning whose number is a little ahead', () => {
    const sequences = [500, 501, 560, ...Array.from({ length: 70 }, (_, index) => 502 + index)];
    const all = Array.from({ length: 72 }, (_, index) => 500 + index);
    const buffer = new ReorderBuffer<BotPacket>();
    const out = sequences.flatMap((sequence, index) => buffer.push(packet(sequence, 0, index === 2 ? 7 : sequence)));
    expect(out.map(({ sequence }) => sequence)).toEqual(all);
    expect(out.some(({ timestamp }) => timestamp === 7)).toBe(false);
  });

  it('goes on after a pause where numbers go on', () => {
    const buffer = new ReorderBuffer<BotPacket>();
    buffer.push(packet(100, 0));
    expect(buffer.push(packet(99, 8_000))).toEqual([]);
    expect(buffer.push(packet(101, 8_000))).toHaveLength(1);
    expect(buffer.push(packet(103, 8_000))).toHaveLength(0);
    expect(buffer.push(packet(102, 8_000))).toHaveLength(2);
  });
});
