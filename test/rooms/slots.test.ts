/** Choice of speakers when more people speak than a listener has slots, and the rate of packets let through. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateGate } from '../../daemon/modules/rooms/embedded/rate-gate.js';
import { SlotBoard, slotGuardMs, slotHoldMs, takeoverMargin } from '../../daemon/modules/rooms/embedded/slots.js';

const voice = (speaker: string, loudness = 0.5, voiced = true) => ({ speaker, loudness, voiced });

describe('a board of slots', () => {
  it('gives a free slot to a voice, and none to silence', () => {
    const board = new SlotBoard(2);
    expect(board.place(voice('a', 0.9, false), 0)).toBeNull();
    expect(board.place(voice('a'), 0)).toEqual({ slot: 0, fresh: true });
    expect(board.place(voice('a', 0, false), 20)).toEqual({ slot: 0, fresh: false });
    expect(board.place(voice('b'), 40)).toEqual({ slot: 1, fresh: true });
  });

  it.each([
    ['louder by the margin, after the guard', 0.5 + takeoverMargin + 0.01, slotGuardMs, { slot: 0, fresh: true }],
    ['not louder by the margin', 0.5 + takeoverMargin, slotGuardMs, null],
    ['louder, within the guard', 1, slotGuardMs - 1, null],
  ])('gives the slot of somebody else to a newcomer who is %s', (_, loudness, now, expected) => {
    const board = new SlotBoard(1);
    board.place(voice('a'), 0);
    expect(board.place(voice('b', loudness), now)).toEqual(expected);
  });

  it('takes the slot of the quietest', () => {
    const board = new SlotBoard(3);
    for (const loudness of [0.6, 0.2, 0.4]) board.place(voice(`s${loudness}`, loudness), 0);
    expect(board.place(voice('loud', 1), slotGuardMs)).toEqual({ slot: 1, fresh: true });
  });

  it('frees a slot after the hold without voice, or at once', () => {
    const board = new SlotBoard(2);
    board.place(voice('a'), 0);
    board.place(voice('b'), 100);
    board.place(voice('a', 0.1, false), 1_900);
    expect(board.releaseSilent(slotHoldMs - 1)).toEqual([]);
    expect(board.releaseSilent(slotHoldMs)).toEqual([0]);
    expect(board.release('b')).toBe(1);
    expect(board.release('b')).toBeNull();
  });

  it('never has a speaker in two slots, nor two in one', () => {
    const packets = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.float({ min: 0, max: 1, noNaN: true })));
    fc.assert(
      fc.property(packets, (spoken) => {
        const board = new SlotBoard(2);
        const slots = new Map<number, string>();
        spoken.forEach(([speaker, loudness], index) => {
          const placed = board.place(voice(speaker, loudness), index * 100);
          if (placed?.fresh === true) slots.set(placed.slot, speaker);
          if (placed !== null) expect(slots.get(placed.slot)).toBe(speaker);
        });
        expect(new Set(slots.values()).size).toBe(slots.size);
      }),
    );
  });
});

describe('a rate gate', () => {
  it('lets a burst of one second through, then the rate', () => {
    const gate = new RateGate(10, 0);
    const through = (from: number, count: number, stepMs: number) =>
      Array.from({ length: count }, (_, index) => gate.allows(from + index * stepMs)).filter(Boolean).length;
    expect(through(0, 20, 0)).toBe(10);
    expect(through(100, 20, 100)).toBe(20);
  });

  it('never lets more through than the burst and the rate, even when the clock goes back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 200 }), (pauses) => {
        const gate = new RateGate(5, 0);
        let now = 0;
        let passed = 0;
        for (const pause of pauses) {
          now += pause;
          if (gate.allows(now)) passed += 1;
        }
        expect(passed).toBeLessThanOrEqual(5 + (now / 1_000) * 5);
      }),
    );
    const gate = new RateGate(1, 10_000);
    expect([gate.allows(10_000), gate.allows(0), gate.allows(500), gate.allows(1_000)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});
