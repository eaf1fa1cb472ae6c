/** The table of ids against a map. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemberIds } from '../../daemon/modules/leaderboards/member-ids.js';

const id = fc.oneof(
  fc.uuid(),
  fc.uuid().map((one) => one.toUpperCase()),
  fc.string({ maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
);

describe('MemberIds', () => {
  it('finds what a map finds, whatever characters the ids have', () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 300, size: 'max' }), fc.infiniteStream(fc.nat()), (all, picks) => {
        const ids = new MemberIds();
        const model = new Map<string, number>();
        for (const [slot, one] of all.entries()) {
          ids.add(slot, one);
          model.set(one, slot);
          const [gone] = [...model].slice(Number(picks.next().value) % (model.size * 2));
          if (gone === undefined) continue;
          ids.remove(gone[1]);
          model.delete(gone[0]);
        }
        expect(ids.size).toBe(model.size);
        for (const one of all) expect(ids.slotOf(one)).toBe(model.get(one) ?? -1);
        for (const [one, slot] of model) expect(ids.idOf(slot)).toBe(one);
      }),
    );
  });

  it('keeps thousands apart while they come and go, and gives back the memory of those that went', () => {
    const ids = new MemberIds();
    const all = Array.from({ length: 20_000 }, () => randomUUID());
    for (const [slot, one] of all.entries()) ids.add(slot, one);
    const full = ids.bytes;
    for (let slot = 0; slot < all.length; slot += 2) ids.remove(slot);
    expect(all.map((one) => ids.slotOf(one))).toEqual(all.map((_, slot) => (slot % 2 === 0 ? -1 : slot)));
    expect(full - ids.bytes).toBeGreaterThan(18 * 8_000);
    for (let slot = 0; slot < all.length; slot += 2) ids.add(slot, `again ${slot}`);
    expect(all.map((one, slot) => ids.slotOf(slot % 2 === 0 ? `again ${slot}` : one))).toEqual([...all.keys()]);
  });

  it('says of ids that resemble each other which is which', () => {
    const ids = new MemberIds();
    const uuid = '0199c0de-0000-7000-8000-00000000abcd';
    const all = ['', 'a', 'ab', 'A', uuid, uuid.toUpperCase(), uuid.replaceAll('-', ''), 'ÿ', 'Ā', '\ud800', '\ufffd'];
    for (const [slot, one] of all.entries()) ids.add(slot, one);
    expect(all.map((one) => ids.slotOf(one))).toEqual([...all.keys()]);
    expect(all.map((_, slot) => ids.idOf(slot))).toEqual(all);
  });
});
