/** Phrases found in one reading, compared with looking for each of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PhraseAutomaton } from '../../../daemon/platform/text/phrase-automaton.js';
import { scale } from '../../support/scale.js';

const symbol = fc.constantFrom('a', 'b', 'ab', 'c');
const phrases = fc.array(fc.array(symbol, { maxLength: 4 }), { maxLength: 8 });
const text = fc.array(fc.oneof(symbol, fc.constant('unknown')), { maxLength: 30 });

const automatonOf = (all: readonly (readonly string[])[]) =>
  PhraseAutomaton.build(all.map((symbols, index) => ({ symbols, value: index })));
const standsAt = (phrase: readonly string[], at: number, read: readonly string[]) =>
  phrase.every((one, index) => read[at + index] === one);

describe('a phrase automaton', () => {
  it('finds each phrase that is in the text, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(phrases, text, async (all, read) => {
        const expected = [...all.entries()]
          .filter(([, phrase]) => phrase.length > 0 && read.some((_, at) => standsAt(phrase, at, read)))
          .map(([index]) => index);
        const found = [...(await automatonOf(all)).found(read)].sort((a, b) => a - b);
        expect(found).toEqual(expected);
      }),
      { numRuns: scale(500, 20_000) },
    );
  });

  it('says of the phrases that end at a symbol the longest', async () => {
    await fc.assert(
      fc.asyncProperty(phrases, text, async (all, read) => {
        const expected = read.flatMap((_, last) => {
          const lengths = all
            .map(({ length }) => length)
            .filter((length, index) => length > 0 && standsAt(all[index] ?? [], last + 1 - length, read));
          return lengths.length === 0 ? [] : [{ start: last + 1 - Math.max(...lengths), end: last + 1 }];
        });
        expect((await automatonOf(all)).longest(read)).toEqual(expected);
      }),
      { numRuns: scale(500, 20_000) },
    );
  });

  it('lets other work run while it is built', async () => {
    const all = Array.from({ length: 100_000 }, (_, index) => ['a', `${index}`, 'b']);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await automatonOf(all);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
  });
});
