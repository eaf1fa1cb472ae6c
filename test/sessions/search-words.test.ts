/** Words, as the search finds them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { marksIn, phrasesOf, wordsOf } from '../../daemon/modules/sessions/search/search-words.js';

const text = fc.string({ unit: 'grapheme', maxLength: 60 });

describe('the words of a text', () => {
  it('are never empty, where an accent stands alone', () => {
    expect(wordsOf('a \u00b4 b \u0301 c').map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  });

  it('are the same however it is written: composed or not, in capitals or not', () => {
    const plain = (given: string) => wordsOf(given).map((word) => word.text);
    fc.assert(
      fc.property(text, (given) => {
        expect(plain(given.normalize('NFD'))).toEqual(plain(given.normalize('NFC')));
      }),
    );
    expect(plain('ÀÉÎÕÜ ŞİĞ')).toEqual(plain('aeiou sig'));
  });

  it('stand where they say, and hold nothing that has a meaning in a query', () => {
    fc.assert(
      fc.property(text, (given) => {
        for (const { text: word, start, end } of wordsOf(given)) {
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(given.length);
          expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
        }
      }),
    );
  });
});

describe('a query', () => {
  it('finds each text by the whole of it, and marks every word', () => {
    fc.assert(
      fc.property(text, (given) => {
        const words = wordsOf(given);
        const quoted = given.replaceAll('"', ' ');
        fc.pre(words.length > 0);
        const marks = marksIn(given, phrasesOf(`"${quoted}"`));
        for (const { start, end } of words)
          expect(marks.some((mark) => mark.start <= start && end <= mark.end)).toBe(true);
      }),
    );
  });
});
