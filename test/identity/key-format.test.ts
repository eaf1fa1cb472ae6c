/** Format of a key: 59 characters, of which the last six reveal typing errors before any look-up. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  generateKey,
  isWellFormedKey,
  keyHash,
  shownPrefix,
} from '../../daemon/modules/identity/api-keys/key-format.js';
import { scale } from '../support/scale.js';

const base62 = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
const runs = { numRuns: scale(300, 100_000) };
const key = fc.constant(null).map(generateKey);
/** A place behind the prefix. */
const place = fc.integer({ min: 'earshot_live_'.length, max: 58 });

describe('a key', () => {
  it('has its prefix and 59 characters of an alphabet that a double click selects', () => {
    fc.assert(
      fc.property(key, (made) => {
        expect(made).toMatch(/^earshot_live_[0-9A-Za-z]{46}$/);
        expect(isWellFormedKey(made)).toBe(true);
        expect(shownPrefix(made)).toBe(made.slice(0, 19));
        expect(keyHash(made)).toMatch(/^[0-9a-f]{64}$/);
      }),
      runs,
    );
  });

  it('is never made twice', () => {
    const count = scale(1_000, 100_000);
    expect(new Set(Array.from({ length: count }, generateKey)).size).toBe(count);
  });

  it('with one character changed is refused', () => {
    fc.assert(
      fc.property(key, place, fc.constantFrom(...base62), (made, at, other) => {
        fc.pre(made[at] !== other);
        expect(isWellFormedKey(made.slice(0, at) + other + made.slice(at + 1))).toBe(false);
      }),
      runs,
    );
  });

  it('with two neighbours swapped is refused', () => {
    fc.assert(
      fc.property(key, fc.integer({ min: 13, max: 57 }), (made, at) => {
        const [first = '', second = ''] = made.slice(at, at + 2);
        fc.pre(first !== second);
        expect(isWellFormedKey(made.slice(0, at) + second + first + made.slice(at + 2))).toBe(false);
      }),
      runs,
    );
  });

  it('cut short, drawn out or not a key at all is refused', () => {
    fc.assert(
      fc.property(key, place, fc.string(), (made, at, tail) => {
        expect(isWellFormedKey(made.slice(0, at))).toBe(false);
        fc.pre(tail !== '');
        expect(isWellFormedKey(made + tail)).toBe(false);
        expect(isWellFormedKey(tail)).toBe(false);
      }),
      runs,
    );
  });
});
