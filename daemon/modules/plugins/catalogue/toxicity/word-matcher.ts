/** Finds words by obscenity: patterns by category in, matches with their category out. */
import { collapseDuplicatesTransformer, parseRawPattern, RegExpMatcher } from 'obscenity';
import { type ToxicityCategory, toxicityCategories } from './settings.js';
import { harmless } from './words.js';

export interface WordMatch {
  /** In the text that was searched; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly category: ToxicityCategory;
}

/** obscenity compares each match with each harmless term that it has met: in pieces, the work stays linear. */
const pieceCharacters = 1_000;

export class WordMatcher {
  private readonly categories: ToxicityCategory[] = [];
  private readonly matcher: RegExpMatcher;

  /** `repeated`: how often a letter may stand side by side, where it is more than once. */
  constructor(
    patterns: Readonly<Record<ToxicityCategory, readonly string[]>>,
    repeated: Readonly<Record<string, number>> = {},
  ) {
    const all = toxicityCategories.flatMap((category) => patterns[category].map((pattern) => ({ category, pattern })));
    this.categories = all.map(({ category }) => category);
    this.matcher = new RegExpMatcher({
      blacklistedTerms: all.map(({ pattern }, id) => ({ id, pattern: parseRawPattern(pattern) })),
      whitelistedTerms: [...harmless],
      blacklistMatcherTransformers: [
        collapseDuplicatesTransformer({ defaultThreshold: 1, customThresholds: new Map(Object.entries(repeated)) }),
      ],
    });
  }

  find(text: string): WordMatch[] {
    const found: WordMatch[] = [];
    for (let from = 0; from < text.length; ) {
      const to = endOfPiece(text, from);
      for (const { termId, startIndex, endIndex } of this.matcher.getAllMatches(text.slice(from, to))) {
        const category = this.categories[termId];
        // The end that obscenity states is inclusive.
        if (category !== undefined) found.push({ start: from + startIndex, end: from + endIndex + 1, category });
      }
      from = to;
    }
    return found;
  }
}

/** Behind a space where there is one. */
function endOfPiece(text: string, from: number): number {
  if (text.length - from <= pieceCharacters) return text.length;
  const space = text.lastIndexOf(' ', from + pieceCharacters);
  return space > from ? space + 1 : from + pieceCharacters;
}
