import { describe, expect, it } from 'vitest';
import { bpeVocab, hotwordsOf, piecesIn } from '../../../daemon/modules/sessions/recognisers/hotwords.js';

const pieces = piecesIn('<blk> 0\n▁HEAL 1\nER 2\n▁ 3\nK 4\nO 5\n▁M 6\nID 7\n\n');

describe('hot words', () => {
  it('are those that the pieces of the model can spell, in their case, once each', () => {
    expect(hotwordsOf(['Healer', 'healer', 'ko mid', 'Zed'], pieces)).toBe('HEALER/KO MID');
    expect(hotwordsOf(['Zed', 'héros'], pieces)).toBeNull();
    expect(hotwordsOf([], pieces)).toBeNull();
  });

  it('are read as rules read words, where the model knows no other spelling', () => {
    expect(hotwordsOf(['Ｈｅａｌｅｒ', 'ko\u00ad mid', '“ko”'], pieces)).toBe('HEALER/KO MID/KO');
  });

  it('are words alone: no number or end of a phrase of the library, and no space around', () => {
    const marks = piecesIn('▁: 0\n▁# 1\n▁@ 2\n/ 3\n5 4\n▁O 5\nK 6\n');
    expect(hotwordsOf([':5', '#5', '@5', 'o/k', ' ok\n', ' '], marks)).toBe('OK');
  });

  it('are found in a text of any length at once', () => {
    const began = performance.now();
    expect(hotwordsOf(['k'.repeat(4_000)], piecesIn('▁K 0\nK 1\n'))).toBe('K'.repeat(4_000));
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it('are split by the order of the pieces', () => {
    expect(bpeVocab(pieces).split('\n').slice(1, 3)).toEqual(['▁HEAL\t-1', 'ER\t-2']);
  });
});
