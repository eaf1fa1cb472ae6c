/** The kept inputs of every fuzz target, and some thousand changes to them: `npm run fuzz -- TARGET` looks for new ones. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scale } from '../support/scale.js';
import { Chance } from './engine/chance.js';
import { Corpus, keptBytesMax } from './engine/corpus.js';
import { mutate } from './engine/mutate.js';
import { errorOf, growthErrorOf } from './engine/trial.js';
import { targets } from './targets.js';

const corpora = join(import.meta.dirname, 'corpus');
const mutationsMax = 3_000;
const milliseconds = scale(100, 1_000);
const growths = 6;

describe.each(targets)('$name', (target) => {
  const kept = new Corpus(corpora, target).read();

  it('has kept inputs beside its seeds', () => expect(kept.length).toBeGreaterThan(target.seeds.length));

  it('holds for every kept input', async () => {
    for (const input of kept) expect(await errorOf(target, input), shown(input)).toBeNull();
  });

  it('holds for changed inputs', async () => {
    const chance = new Chance(1);
    const until = performance.now() + milliseconds;
    const maxBytes = Math.min(keptBytesMax, target.maxBytes);
    for (let count = 0; count < mutationsMax && performance.now() < until; count += 1) {
      const input = mutate(
        { input: chance.pick(kept), other: chance.pick(kept), words: target.words, maxBytes },
        chance,
      );
      expect(await errorOf(target, input), shown(input)).toBeNull();
    }
  });

  it('takes a time that grows no faster than the input', async () => {
    const chance = new Chance(2);
    for (let count = 0; count < growths; count += 1)
      expect((await growthErrorOf(target, chance.pick(kept), chance))?.error ?? null).toBeNull();
  });
});

/** Base64, because many inputs are no text. */
const shown = (input: Buffer): string => `input ${input.toString('base64')}`;
