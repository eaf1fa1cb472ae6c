import { describe, expect, it } from 'vitest';
import { bpeVocab, hotwordsOf, piecesIn } from '../../../daemon/modules/sessions/recognisers/hotwords.js';

const pieces = piecesIn('<blk> 0\n▁HEAL 1\nER 2\n▁ 3\nK 4\nO 5\n▁M 6\nID 7\n\n');

describe('hot words', () => {
  it('are those that the pieces of the model can spell, in their case, once each', () => {
    expect(hotwordsOf(['Healer', 'healer', 'ko mid', 'Zed'], pieces)).toBe('HEALER/KO MID');
    expect(hotwordsOf(['Zed', 'héros'], pieces)).toBeNull();
    expect(hotwordsOf([], pieces)).toBeNull();
  });

  it('are split by the order of the pieces', () => {
    expect(bpeVocab(pieces).split('\n').slice(1, 3)).toEqual(['▁HEAL\t-1', 'ER\t-2']);
  });
});
