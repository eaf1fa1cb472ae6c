import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packetCost } from '../../daemon/modules/mqtt/packet-budget.js';
import { PacketGuard } from '../../daemon/modules/mqtt/packet-guard.js';

/** A packet of MQTT 3.1.1 (2.2): type, length in groups of seven bits, body. */
const packet = (bodyBytes: number): Buffer => {
  const length: number[] = [];
  for (let rest = bodyBytes; length.length === 0 || rest > 0; rest >>= 7)
    length.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
  return Buffer.concat([Buffer.from([0x82, ...length]), Buffer.alloc(bodyBytes, 0xff)]);
};

/** Feeds the bytes in pieces; false as soon as one is refused. */
const feed = (bytes: Buffer, cuts: number[], max: number): boolean => {
  const guard = new PacketGuard(max);
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).every((end, index) => guard.admit(bytes.subarray(at[index], end), Infinity) !== null);
};

describe('PacketGuard', () => {
  it('lets packets of any cutting through up to the limit, and none beyond', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat()),
        (lengths, cuts) => {
          const packets = Buffer.concat(lengths.map(packet));
          const largest = Math.max(...lengths);
          expect(feed(packets, cuts, largest)).toBe(true);
          expect(feed(packets, cuts, largest - 1)).toBe(false);
        },
      ),
    );
  });

  it('refuses a length of more than four bytes', () => {
    const take = (bytes: number[]) => new PacketGuard(10 ** 9).admit(Buffer.from(bytes), Infinity);
    expect(take([0x82, 0xff, 0xff, 0xff])).toMatchObject({ bytes: 4 });
    expect(take([0x82, 0x80, 0x80, 0x80, 0x80, 0x01])).toBeNull();
  });

  it('hands over a few packets at a time, all of them in the end and each whole', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 1 }),
        fc.integer({ min: 1 }),
        (sizes, max) => {
          const heads: number[] = [];
          const guard = new PacketGuard(2_000, (type, bodyBytes) => type === 8 && heads.push(bodyBytes) > 0);
          const bytes = Buffer.concat(sizes.map(packet));
          const ends = new Set(sizes.map((_, index) => Buffer.concat(sizes.slice(0, index + 1).map(packet)).length));
          let at = 0;
          while (at < bytes.length) {
            const before = heads.length;
            at += guard.admit(bytes.subarray(at), max)?.bytes ?? Number.NaN;
            expect(ends.has(at)).toBe(true);
            const costs = heads.slice(before).map(packetCost);
            expect(costs.slice(0, -1).reduce((sum, cost) => sum + cost, 0)).toBeLessThan(max);
          }
          expect(heads).toEqual(sizes);
        },
      ),
    );
  });

  it('asks whether the packet is admitted before its body arrives', () => {
    const guard = new PacketGuard(16, (type) => type !== 6);
    expect(guard.admit(Buffer.from([0xc0, 0x00]), Infinity)).toEqual({ bytes: 2, cost: 1 });
    expect(guard.admit(Buffer.from([0x62, 0x02]), Infinity)).toBeNull();
  });
});
