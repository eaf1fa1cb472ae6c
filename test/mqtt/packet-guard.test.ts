import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
  return at.slice(1).every((end, index) => guard.accepts(bytes.subarray(at[index], end)));
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
    expect(new PacketGuard(10 ** 9).accepts(Buffer.from([0x82, 0xff, 0xff, 0xff]))).toBe(true);
    expect(new PacketGuard(10 ** 9).accepts(Buffer.from([0x82, 0x80, 0x80, 0x80, 0x80, 0x01]))).toBe(false);
  });
});
