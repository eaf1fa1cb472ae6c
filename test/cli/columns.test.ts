/** Columns as a terminal counts them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipped, cut, fitted, prose, widthOf, wrapped } from '../../src/terminal/columns.js';

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.lorem(),
  fc.constantFrom('漢字かな', 'e\u0301te\u0301', '👩‍👩‍👧 hi'),
);
const width = fc.integer({ min: 2, max: 60 });

describe('the width of a text', () => {
  it.each([
    ['abc', 3],
    ['漢字', 4],
    ['e\u0301', 1],
    ['👍', 2],
    ['👩‍👩‍👧', 2],
    ['ﾊ', 1],
    ['', 0],
  ])('of %s is %i', (of, columns) => {
    expect(widthOf(of)).toBe(columns);
  });
});

describe('a text in columns', () => {
  it('is cut to the width and says so, or stays as it is', () => {
    fc.assert(
      fc.property(text, width, (one, columns) => {
        const shown = cut(one, columns);
        expect(widthOf(shown)).toBeLessThanOrEqual(columns);
        expect(shown === one || (widthOf(one) > columns && shown.endsWith('…'))).toBe(true);
        expect(widthOf(fitted(one, columns))).toBe(columns);
      }),
    );
  });

  it('of a message breaks between words, and never within a command that is to be copied', () => {
    const hint = 'The stored login is for another daemon. Type `earshot login --url http://127.0.0.1:8080`.';
    const undo = `To undo: earshot sanctions revoke ${'x'.repeat(60)}`;
    expect(prose(`${hint}\n${undo}`, 50).split('\n')).toEqual([
      'The stored login is for another daemon. Type',
      '`earshot login --url http://127.0.0.1:8080`.',
      undo,
    ]);
  });

  it('is wrapped without losing a letter, where lines enough are given', () => {
    fc.assert(
      fc.property(text, width, (one, columns) => {
        const lines = wrapped(one, columns, Number.POSITIVE_INFINITY);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
        expect(lines.join('').replaceAll(/\s/gu, '')).toBe(one.replaceAll(/\s/gu, ''));
        expect(wrapped(one, columns, 2).length).toBeLessThanOrEqual(2);
      }),
    );
  });

  it('keeps its colours where it is clipped', () => {
    expect(clipped('\u001b[31mabc\u001b[39m def', 5)).toBe('\u001b[31mabc\u001b[39m d');
    expect(clipped('\u001b[31mabcdef\u001b[39m', 4)).toBe('\u001b[31mabcd\u001b[39m');
  });
});
