/**
 * Words of a text as the transcript search compares them, the same on both databases and where hits are marked: without
 * case and accents, and without stemming. Scripts that write no spaces between words give overlapping pieces of three
 * letters, so that any part of a sentence is found. Pure.
 */
import { withoutAccents } from '../../../../src/text/fold.js';
import { entryOf, type ReadWord, readSigns, readWords } from '../../../platform/text/reader.js';

interface Word {
  readonly text: string;
  /** Start of the word in the text as it was given; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** End of each letter of a piece; null: a whole word. */
  readonly ends: readonly number[] | null;
}

const pieceLength = 3;
/** Longer ones are cut, in texts and in queries alike. */
const wordLengthMax = 64;

/** Letters of scripts without spaces that stand together. */
function* stretches(all: readonly ReadWord[]): Generator<readonly ReadWord[], void> {
  for (let from = 0; from < all.length; ) {
    let to = from + 1;
    while (all[from]?.isLetter === true && all[to]?.isLetter === true && all[to]?.start === all[to - 1]?.end) to += 1;
    yield all.slice(from, to);
    from = to;
  }
}

const joined = (some: readonly ReadWord[]): Word => ({
  text: cut(withoutAccents(some.map(({ text }) => text).join('')).replaceAll("'", '')),
  start: some[0]?.start ?? 0,
  end: some.at(-1)?.end ?? 0,
  ends: some[0]?.isLetter === true ? some.map(({ end }) => end) : null,
});

const cut = (word: string): string =>
  word.length <= wordLengthMax ? word : [...word].slice(0, wordLengthMax).join('');

/** The words of a text, in order. Each letter of a script without spaces begins a piece. */
export function wordsOf(text: string): Word[] {
  return [...stretches(readWords(text))]
    .flatMap((some) => some.map((_, from) => joined(some.slice(from, from + pieceLength))))
    .filter((word) => word.text !== ''); // an accent alone: no index has such a word
}

/** Words that follow each other; the last one may be the beginning of a longer one. */
export interface Phrase {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
  /** Characters of each part with signs, as it is written (`c++`); the index knows the words alone. */
  readonly signs: readonly (readonly string[])[];
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

/** Around what is looked for, these are only punctuation. */
const around = /^[-'"‘’“”„«»¡¿([{]+|['"‘’“”„«»)\]}]+$/gu;

const signsOf = (text: string): Phrase['signs'] =>
  text.split(/\s+/u).flatMap((part) => {
    const entry = entryOf(part.replaceAll(around, ''));
    return entry !== null && 'signs' in entry && readWords(part).length > 0 ? [entry.signs] : [];
  });

function phraseOf(text: string, isBeginning: boolean): Phrase[] {
  const signs = isBeginning ? [] : signsOf(text);
  const words = wordsOf(text);
  const last = words.at(-1);
  if (last === undefined) return [];
  // Korean hangs particles to a word: 치트 is in 치트를.
  const isPrefix = isBeginning || /^[가-힣]+$/.test(last.text);
  if (last.ends === null) return [{ words: words.map((word) => word.text), isPrefix, signs }];
  let from = words.length - 1;
  while ((words[from - 1]?.end ?? 0) > (words[from]?.start ?? 0)) from -= 1;
  // The whole pieces of a stretch say all that the shorter ones at its end say; a stretch shorter than a piece begins one.
  const pieces = words.slice(from);
  const whole = pieces.filter(({ ends }) => ends?.length === pieceLength);
  const kept = [...words.slice(0, from), ...(whole.length > 0 ? whole : pieces.slice(0, 1))];
  return [{ words: kept.map((word) => word.text), isPrefix: whole.length === 0, signs }];
}

interface Mark {
  readonly start: number;
  readonly end: number;
}

/** Returns the places of the phrases in the text, in order and without overlaps. */
export function marksIn(text: string, phrases: readonly Phrase[]): Mark[] {
  const words = wordsOf(text);
  const found = phrases.flatMap((phrase) => {
    const written = phrase.words.length === 1 ? phrase.signs.flatMap((signs) => writtenIn(text, signs)) : [];
    return written.length > 0 ? written : words.flatMap((_, place) => markAt(words, place, phrase) ?? []);
  });
  const merged: Mark[] = [];
  for (const { start, end } of found.sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || start > last.end) merged.push({ start, end });
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, end) };
  }
  return merged;
}

/** Places of the signs, as they are written. */
function writtenIn(text: string, signs: readonly string[]): Mark[] {
  const read = readSigns(text);
  return read.flatMap(({ start }, place) => {
    const isThere = signs.every((sign, index) => read[place + index]?.text === sign);
    return isThere ? [{ start, end: read[place + signs.length - 1]?.end ?? start }] : [];
  });
}

/** Whether the signs of the phrases are in the text, which has their words. */
export const hasSigns = (text: string, phrases: readonly Phrase[]): boolean =>
  phrases.every((phrase) => phrase.signs.every((signs) => writtenIn(text, signs).length > 0));

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

const lettersIn = (text: string): number => readWords(text).length;
