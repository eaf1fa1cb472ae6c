/**
 * Finds sequences of words. A phrase is written like `you|u are|re? @very* trash !talk`: alternatives with `|`, `?` for
 * once or not at all, `*` for up to three times, `@name` for a named list, `!` for what must not follow. Repeated letters
 * count once on both sides. The work a word is bounded: phrases are looked up by their first word.
 */
import { wordPattern } from '../../../../platform/text/word-pattern.js';

export interface CollapsedWord {
  /** Without repeated letters and apostrophes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface PhraseMatch<T> {
  readonly value: T;
  /** Offset of the first word; `end` is after the last one. In characters of the text. */
  readonly start: number;
  readonly end: number;
}

interface WordSlot {
  readonly words: ReadonlySet<string>;
  readonly least: 0 | 1;
  readonly most: number;
  readonly isRefused: boolean;
}

type PhraseLists = Readonly<Record<string, string>>;

const repeatMax = 3;

const collapsed = (text: string): string => text.replace(/(.)\1+/gsu, '$1');

const inSentences = /\p{L}+(?:['’]\p{L}+)*|[.!?;]/gu;
const inLists = new RegExp(`${wordPattern('\\p{L}')}|[.!?;]`, 'gu');

/** Words as sentences have them, and each end of a sentence as a word of its own. */
export const wordsOf = (text: string): CollapsedWord[] => collapsedWords(text, inSentences);

/** Words as projects list them, and each end of a sentence as a word of its own. */
export const listedWordsOf = (text: string): CollapsedWord[] => collapsedWords(text, inLists);

function collapsedWords(text: string, words: RegExp): CollapsedWord[] {
  return Array.from(text.matchAll(words), ({ 0: word, index }) => ({
    text: collapsed(word.replace(/['’]/g, '')),
    start: index,
    end: index + word.length,
  }));
}

export class Phrases<T> {
  private readonly byFirst = new Map<string, { readonly slots: readonly WordSlot[]; readonly value: T }[]>();

  constructor(private readonly lists: PhraseLists = {}) {}

  /** The first word may be neither optional nor refused. */
  add(phrase: string, value: T): void {
    const slots = phrase.split(' ').map((part) => this.slot(part));
    for (const word of slots[0]?.words ?? []) {
      const others = this.byFirst.get(word) ?? [];
      others.push({ slots, value });
      this.byFirst.set(word, others);
    }
  }

  /** Returns, for each value, the longest match that begins at a word. */
  find(words: readonly CollapsedWord[]): PhraseMatch<T>[] {
    const found: PhraseMatch<T>[] = [];
    for (const [index, word] of words.entries()) {
      const longest = new Map<T, number>();
      for (const { slots, value } of this.byFirst.get(word.text) ?? []) {
        const stop = follow(slots, 0, words, index);
        if (stop !== null && stop > (longest.get(value) ?? index)) longest.set(value, stop);
      }
      for (const [value, stop] of longest)
        found.push({ value, start: word.start, end: words[stop - 1]?.end ?? word.end });
    }
    return found;
  }

  private slot(part: string): WordSlot {
    const isRefused = part.startsWith('!');
    const last = part.at(-1);
    const body = part.replace(/^!/, '').replace(/[?*]$/, '');
    const words = body.startsWith('@') ? (this.lists[body.slice(1)] ?? '') : body;
    return {
      words: new Set(words.split(/[|\s]+/).map(collapsed)),
      least: last === '?' || last === '*' ? 0 : 1,
      most: last === '*' ? repeatMax : 1,
      isRefused,
    };
  }
}

/** Index behind the last word, or null. Tries the longest first; a slot has few repetitions, and a phrase few slots. */
function follow(
  slots: readonly WordSlot[],
  from: number,
  words: readonly CollapsedWord[],
  index: number,
): number | null {
  const slot = slots[from];
  if (slot === undefined) return index;
  const fits = (at: number): boolean => slot.words.has(words[at]?.text ?? '');
  if (slot.isRefused) return fits(index) ? null : follow(slots, from + 1, words, index);
  let count = 0;
  while (count < slot.most && fits(index + count)) count++;
  for (; count >= slot.least; count--) {
    const stop = follow(slots, from + 1, words, index + count);
    if (stop !== null) return stop;
  }
  return null;
}
