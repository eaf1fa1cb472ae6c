/** Makes new inputs out of known ones. */
import { Chance } from './chance.js';
import type { FuzzTarget } from './target.js';

const stackedMax = 6;
const insertedBytesMax = 8;
const [repeatsUsual, repeatsMax] = [3, 64];

/** Bytes and texts that parsers of every format stumble over. */
const oddBytes = [0, 1, 9, 10, 13, 32, 34, 39, 44, 45, 48, 57, 59, 61, 92, 0x7f, 0x80, 0xbf, 0xc0, 0xf4, 0xff];
const oddNumbers = [
  '0',
  '-1',
  '1',
  '255',
  '256',
  '65535',
  '65536',
  '2147483648',
  '9007199254740993',
  '1e309',
  '00',
  '1.5',
];
const oddTexts = [
  ...['\ufeff', '\u2028', '\u202e', '\ufdfa', '\u0301', '\u0316', 'İ', 'ß', '😀', '\r\n', '\u00a0', '\u0000', '""'],
  ...['__proto__', 'constructor', 'null', '\\u0000', '\\ud800', '%00', '%ff', '%2f', '..'],
];

/** Begins and ends of a stretch of the input, at least one byte long. */
function stretch(input: Buffer, chance: Chance): readonly [start: number, end: number] {
  const start = chance.below(input.length);
  const most = input.length - start;
  return [start, start + 1 + chance.below(chance.below(2) === 0 ? Math.min(most, 8) : most)];
}

const replaced = (input: Buffer, start: number, end: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([input.subarray(0, start), bytes, input.subarray(end)]);

type Words = FuzzTarget['words'];
type Mutation = (input: Buffer, chance: Chance, words: Words, other: Buffer) => Buffer;

const insertText =
  (texts: readonly string[]): Mutation =>
  (input, chance) => {
    const at = chance.below(input.length + 1);
    return replaced(input, at, at, Buffer.from(chance.pick(texts)));
  };

const mutations: readonly Mutation[] = [
  function flipBit(input, chance) {
    const copy = Buffer.from(input);
    const at = chance.below(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << chance.below(8));
    return copy;
  },
  function setByte(input, chance) {
    const copy = Buffer.from(input);
    copy[chance.below(copy.length)] = chance.below(2) === 0 ? chance.pick(oddBytes) : chance.below(256);
    return copy;
  },
  function insertBytes(input, chance) {
    const at = chance.below(input.length + 1);
    const bytes = Buffer.alloc(1 + chance.below(insertedBytesMax), chance.below(256));
    return replaced(input, at, at, bytes);
  },
  function deleteStretch(input, chance) {
    const [start, end] = stretch(input, chance);
    return replaced(input, start, end, Buffer.alloc(0));
  },
  function duplicateStretch(input, chance) {
    const [start, end] = stretch(input, chance);
    const at = chance.below(input.length + 1);
    return replaced(input, at, at, input.subarray(start, end));
  },
  function repeatStretch(input, chance) {
    const [start, end] = stretch(input, chance);
    const times = 2 + chance.below(chance.below(8) === 0 ? repeatsMax : repeatsUsual);
    return replaced(input, start, end, Buffer.concat(Array(times).fill(input.subarray(start, end))));
  },
  function swapStretches(input, chance) {
    const [start, end] = stretch(input, chance);
    const rest = replaced(input, start, end, Buffer.alloc(0));
    const at = chance.below(rest.length + 1);
    return replaced(rest, at, at, input.subarray(start, end));
  },
  function truncate(input, chance) {
    return input.subarray(0, chance.below(input.length + 1));
  },
  function splice(input, chance, _, other) {
    return Buffer.concat([
      input.subarray(0, chance.below(input.length + 1)),
      other.subarray(chance.below(other.length + 1)),
    ]);
  },
  function insertWord(input, chance, words) {
    const at = chance.below(input.length + 1);
    return replaced(input, at, at, Buffer.from(chance.pick(words)));
  },
  function replaceByWord(input, chance, words) {
    const [start, end] = stretch(input, chance);
    return replaced(input, start, end, Buffer.from(chance.pick(words)));
  },
  function changeNumber(input, chance) {
    const found = [...input.toString('latin1').matchAll(/\d+/g)];
    if (found.length === 0) return input;
    const { 0: digits, index } = chance.pick(found);
    return replaced(input, index, index + digits.length, Buffer.from(chance.pick(oddNumbers)));
  },
  insertText(oddTexts),
];

/** Returns a changed copy of at most `maxBytes`. `words` must not be empty. */
export function mutate(
  { input, other, words, maxBytes }: { input: Buffer; other: Buffer; words: Words; maxBytes: number },
  chance: Chance,
): Buffer {
  let made = input;
  for (let count = 1 + chance.below(stackedMax); count > 0; count -= 1) {
    const base = made.length === 0 ? Buffer.from(chance.pick(words)) : made;
    made = chance.pick(mutations)(base, chance, words, other).subarray(0, maxBytes);
  }
  return Buffer.from(made);
}

/**
 * Returns the input grown to about `bytes`: as a whole, by one stretch of it, or by two one after the other. The same seed
 * grows the same stretches.
 */
export function grow(input: Buffer, bytes: number, seed: number): Buffer {
  if (input.length === 0) return input;
  const chance = new Chance(seed);
  const kind = chance.below(3);
  if (kind === 0) return filled(input, bytes);
  const [start, end] = stretch(input, chance);
  const [otherStart, otherEnd] = stretch(input, chance);
  const one = input.subarray(start, end);
  const other = kind === 1 ? one : input.subarray(otherStart, otherEnd);
  const half = Math.max(0, bytes - input.length + one.length) / 2;
  return replaced(input, start, end, Buffer.concat([filled(one, half), filled(other, half)]));
}

const filled = (piece: Buffer, bytes: number): Buffer => Buffer.alloc(Math.max(1, Math.ceil(bytes)), piece);
