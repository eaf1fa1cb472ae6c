/**
 * Ids where thousands are made: UUIDv7 as elsewhere, from the same generator, with random numbers fetched many at a
 * time and the text written into bytes that are kept. An id takes a tenth of the time, and is one text in memory where
 * joined parts are twenty.
 */
import { randomFillSync } from 'node:crypto';
import { V7Generator } from 'uuidv7';

const numbers = new Uint32Array(1_024);
let used = numbers.length;

const generator = new V7Generator({
  nextUint32() {
    if (used === numbers.length) {
      randomFillSync(numbers);
      used = 0;
    }
    const next = numbers[used] ?? 0;
    numbers[used] = 0;
    used += 1;
    return next;
  },
});

const digits = Buffer.from('0123456789abcdef');
/** Positions of the two digits of each byte. */
const places = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const text = Buffer.alloc(36, '-');

/** A UUIDv7, later in order than all that were made here before. */
export function newId(): string {
  const { bytes } = generator.generate();
  for (let index = 0; index < bytes.length; index += 1) {
    const [byte = 0, place = 0] = [bytes[index], places[index]];
    text[place] = digits[byte >> 4] ?? 0;
    text[place + 1] = digits[byte & 15] ?? 0;
  }
  return text.toString('latin1');
}
