/**
 * Words of a text as the transcript search compares them, the same on both databases and where hits are marked: without
 * case and accents, and without stemming. Scripts that write no spaces between words give overlapping pieces of three
 * letters, so that any part of a sentence is found. Pure.
 */
import { foldAccents } from '../../../../src/text/fold.js';

interface Word {
  readonly text: string;
  /** Start of the word in the text as it was given; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** End of each letter of a piece; null: a whole word. */
  readonly ends: readonly number[] | null;
}

const runs = /[\p{L}\p{N}\p{M}]+/gu;
const ascii = /^[\x20-\x7e]*$/;
/** Han, Kana, Thai, Lao, Khmer, Burmese. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]/u;
/** A letter with its marks; parts of a Korean syllable belong together too. */
const letters = /[\u1100-\u11ff]+\p{M}*|\P{M}\p{M}*|\p{M}+/gu;

const pieceLength = 3;
/** Longer ones are cut, in texts and in queries alike. */
const wordLengthMax = 64;

interface Glyph {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly isUnspaced: boolean;
}

/** Some letters fold into signs, such as the stroke of a fraction: they must not reach a query. */
const signs = /[^\p{L}\p{N}\p{M}]/gu;

const folded = (letter: string): string => foldAccents(letter).replaceAll(signs, '');

function lettersOf(run: string, from: number): Glyph[] {
  return [...run.matchAll(letters)].map(({ 0: letter, index }) => ({
    text: folded(letter),
    start: from + index,
    end: from + index + letter.length,
    isUnspaced: unspaced.test(letter),
  }));
}

/** Neighbours of one kind. */
function* stretches(all: readonly Glyph[]): Generator<readonly Glyph[], void> {
  for (let from = 0; from < all.length; ) {
    const kind = all[from]?.isUnspaced;
    let to = from + 1;
    while (to < all.length && all[to]?.isUnspaced === kind) to += 1;
    yield all.slice(from, to);
    from = to;
  }
}

const joined = (some: readonly Glyph[], isPiece: boolean): Word => ({
  text: cut(some.map(({ text }) => text).join('')),
  start: some[0]?.start ?? 0,
  end: some.at(-1)?.end ?? 0,
  ends: isPiece ? some.map(({ end }) => end) : null,
});

const cut = (word: string): string =>
  word.length <= wordLengthMax ? word : [...word].slice(0, wordLengthMax).join('');

/** The words of a text, in order. Each letter of a script without spaces begins a piece. */
export function wordsOf(text: string): Word[] {
  const found: Word[] = [];
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (ascii.test(run)) {
      found.push({ text: cut(run.toLowerCase()), start: index, end: index + run.length, ends: null });
      continue;
    }
    for (const some of stretches(lettersOf(run, index)))
      if (some[0]?.isUnspaced === true)
        for (let from = 0; from < some.length; from += 1)
          found.push(joined(some.slice(from, from + pieceLength), true));
      else found.push(joined(some, false));
  }
  return found.filter((word) => word.text !== '');
}

/** Words that follow each other; the last one may be the beginning of a longer one. */
export interface Phrase {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

const parts = /"([^"]*)"(\*?)|(\S+)/g;

/** Words of a query that stand together, such as `don't`, are a phrase; a trailing `*` asks for beginnings. */
export function phrasesOf(query: string): Phrase[] {
  return [...query.matchAll(parts)].flatMap(([, quoted, star, bare = '']) => {
    const text = quoted ?? bare;
    const isBeginning = quoted === undefined ? bare.endsWith('*') : star === '*';
    return phraseOf(text, isBeginning);
  });
}

function phraseOf(text: string, isBeginning: boolean): Phrase[] {
  const words = wordsOf(text);
  const last = words.at(-1);
  if (last === undefined) return [];
  if (last.ends === null) return [{ words: words.map((word) => word.text), isPrefix: isBeginning }];
  let from = words.length - 1;
  while ((words[from - 1]?.end ?? 0) > (words[from]?.start ?? 0)) from -= 1;
  // The whole pieces of a stretch say all that the shorter ones at its end say; a stretch shorter than a piece begins one.
  const pieces = words.slice(from);
  const whole = pieces.filter(({ ends }) => ends?.length === pieceLength);
  const kept = [...words.slice(0, from), ...(whole.length > 0 ? whole : pieces.slice(0, 1))];
  return [{ words: kept.map((word) => word.text), isPrefix: whole.length === 0 }];
}

interface Mark {
  readonly start: number;
  readonly end: number;
}

/** Returns the places of the phrases in the text, in order and without overlaps. */
export function marksIn(text: string, phrases: readonly Phrase[]): Mark[] {
  const words = wordsOf(text);
  const found = phrases.flatMap((phrase) => words.flatMap((_, place) => markAt(words, place, phrase) ?? []));
  const merged: Mark[] = [];
  for (const { start, end } of found.sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || start > last.end) merged.push({ start, end });
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, end) };
  }
  return merged;
}

function markAt(words: readonly Word[], place: number, { words: wanted, isPrefix }: Phrase): Mark | null {
  const isThere = wanted.every((text, index) => {
    const word = words[place + index]?.text;
    return isPrefix && index === wanted.length - 1 ? word?.startsWith(text) === true : word === text;
  });
  const last = words[place + wanted.length - 1];
  if (!isThere || last === undefined) return null;
  const shown = isPrefix && last.ends !== null ? last.ends[lettersIn(wanted.at(-1) ?? '') - 1] : undefined;
  return { start: words[place]?.start ?? 0, end: shown ?? last.end };
}

const lettersIn = (text: string): number => [...text.matchAll(letters)].length;
