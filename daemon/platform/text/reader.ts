/**
 * How text is read wherever words are looked for: by rules, by the plugin `toxicity`, and by the search of transcripts. Pure,
 * and linear in the text.
 *
 * - Case is folded whole (`straße` is `STRASSE`), and styles of letters are one (full width, bold).
 * - What nobody sees is not there: soft hyphens, joiners, fillers; nor are marks that only decorate a letter.
 * - A word that mixes Latin letters with Cyrillic or Greek ones that look like them is read as Latin.
 * - Markup inside a word is not there: `**f**uck`, `f||uc||k`.
 * - Scripts that write no spaces give a word for each letter, so that a phrase is found within a sentence.
 */
import { withoutCase } from '../../../src/text/fold.js';
import { compatible } from './compatible.js';
import { resembled } from './look-alike.js';
import { wordPattern } from './word-pattern.js';

export interface ReadWord {
  readonly text: string;
  /** Start of the word in the text as it was given; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /** A letter of a script that writes no spaces between words. */
  readonly isLetter: boolean;
}

/** Folded characters, each with its place in the text as it was given. */
interface Folded {
  readonly text: string;
  readonly start: readonly number[];
  readonly end: readonly number[];
}

const word = '[\\p{L}\\p{N}\\p{M}]';
const words = new RegExp(wordPattern(word), 'gu');
const inWord = new RegExp(word, 'u');
/** Han, Kana, Thai, Lao, Khmer, Burmese. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]/u;
/** A letter with its marks; parts of a Korean syllable belong together too. */
const letters = /[\u1100-\u1112\u1161-\u1175\u11a8-\u11c2]+\p{M}*|\P{M}\p{M}*|\p{M}+/gu;
const ascii = /^[\n\x20-\x7e]*$/;

/** Joiners, soft hyphens, fillers that look like nothing, selectors of styles, colours of skin. */
const invisible = /\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Emoji_Modifier}|\u2800/u;
/** Marks that only decorate letters of these scripts: what belongs to a letter is composed with it. */
const decorated = /(?<=[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}])\p{M}+/gu;
/** Signs of chats within a word, which shows without them. */
export const markup = /(?<=\p{L})(?:\*+|`+|_{2,}|~{2,}|\|{2,})(?=\p{L})/gu;

const isMixed = (text: string): boolean =>
  /\p{Script=Latin}/u.test(text) &&
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(text);

const foldedLetter = (letter: string): string =>
  withoutCase(compatible(letter)).normalize('NFC').replaceAll(decorated, '');

function folded(text: string): Folded {
  if (ascii.test(text)) {
    const places = Array.from(text, (_, at) => at);
    return { text: text.toLowerCase(), start: places, end: places.map((at) => at + 1) };
  }
  const out = { text: '', start: [] as number[], end: [] as number[] };
  for (const { 0: letter, index } of text.matchAll(letters)) {
    const seen = Array.from(letter)
      .filter((character) => !invisible.test(character))
      .join('');
    const read = seen === '' ? '' : foldedLetter(seen);
    out.text += read;
    for (let unit = 0; unit < read.length; unit += 1) {
      out.start.push(index);
      out.end.push(index + letter.length);
    }
  }
  return out;
}

/** Without what `pattern` finds, each other character keeping its place. */
function without({ text, start, end }: Folded, pattern: RegExp): Folded {
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return { text, start, end };
  const isKept = new Uint8Array(text.length).fill(1);
  for (const { 0: part, index } of found) isKept.fill(0, index, index + part.length);
  const kept = <T>(list: readonly T[]): T[] => list.filter((_, at) => isKept[at] === 1);
  return { text: kept(text.split('')).join(''), start: kept(start), end: kept(end) };
}

/** Neighbours within a word: letters of scripts without spaces alone, all others together. */
function* partsOf(text: string): Generator<{ readonly at: number; readonly text: string; readonly isLetter: boolean }> {
  if (!unspaced.test(text)) return yield { at: 0, text, isLetter: false };
  let [from, rest] = [0, ''];
  for (const { 0: letter, index } of text.matchAll(letters)) {
    if (!unspaced.test(letter)) {
      if (rest === '') from = index;
      rest += letter;
      continue;
    }
    if (rest !== '') yield { at: from, text: rest, isLetter: false };
    rest = '';
    yield { at: index, text: letter, isLetter: true };
  }
  if (rest !== '') yield { at: from, text: rest, isLetter: false };
}

const asLatin = (text: string): string => (isMixed(text) ? [...text].map(resembled).join('').toLowerCase() : text);

/** The words of a text, in order. */
export function readWords(text: string): ReadWord[] {
  const read = without(folded(text), markup);
  return [...read.text.matchAll(words)].flatMap(({ 0: found, index }) =>
    [...partsOf(found)].map((part) => ({
      text: asLatin(part.text).replaceAll('’', "'"),
      start: read.start[index + part.at] ?? 0,
      end: read.end[index + part.at + part.text.length - 1] ?? text.length,
      isLetter: part.isLetter,
    })),
  );
}

/** What Korean hangs to a word, the longest first. */
const particles = [
  ...[
    '이라고는',
    '에서부터',
    '으로부터',
    '한테서',
    '에게서',
    '에서는',
    '에서도',
    '으로는',
    '으로도',
    '이라고',
    '이라는',
  ],
  ...[
    '이라도',
    '이지만',
    '에서',
    '에게',
    '한테',
    '으로',
    '부터',
    '까지',
    '처럼',
    '보다',
    '마다',
    '조차',
    '밖에',
    '이나',
  ],
  ...[
    '이랑',
    '하고',
    '라고',
    '라는',
    '이야',
    '이다',
    '이네',
    '들은',
    '들이',
    '들을',
    '들의',
    '에는',
    '에도',
    '은',
    '는',
  ],
  ...['이', '가', '을', '를', '의', '에', '께', '와', '과', '도', '만', '로', '나', '랑', '야', '아', '들'],
].toSorted((one, other) => other.length - one.length);

function withoutParticle(text: string): string {
  if (!/^[가-힣]{2,}$/.test(text)) return text;
  const particle = particles.find((one) => text.length > one.length && text.endsWith(one));
  return particle === undefined ? text : text.slice(0, -particle.length);
}

/** A particle may follow another: 치트에서는. */
const particlesMax = 2;

/** The words as they stand, and without the particles that Korean hangs to them: a phrase is looked for in each. */
export function readingsOf(text: string): ReadWord[][] {
  const readings = [readWords(text)];
  for (let removed = 0; removed < particlesMax; removed += 1) {
    const last = readings.at(-1) ?? [];
    const next = last.map((one) => ({ ...one, text: withoutParticle(one.text) }));
    if (next.every(({ text: shorter }, at) => shorter === last[at]?.text)) break;
    readings.push(next);
  }
  return readings;
}

/** Stands where a word begins or ends, so that `18+` is not in `118+`. */
const edge = '\0';

/** Characters as they are written, with the edges of words: for what holds signs, such as `c++`, `18+`, `:D` or an emoji. */
export function readSigns(text: string): ReadWord[] {
  const read = folded(text);
  const found: ReadWord[] = [];
  let wasWord = false;
  let at = 0;
  for (const character of read.text) {
    const [start, end] = [read.start[at] ?? 0, read.end[at + character.length - 1] ?? text.length];
    const isNow = inWord.test(character) && !unspaced.test(character);
    if (isNow !== wasWord) found.push({ text: edge, start, end: start, isLetter: false });
    found.push({ text: /\s/u.test(character) ? ' ' : character, start, end, isLetter: false });
    wasWord = isNow;
    at += character.length;
  }
  if (wasWord) found.push({ text: edge, start: text.length, end: text.length, isLetter: false });
  return found;
}

/** What a list names: words that follow each other, or signs as they are written. null: nothing that a text can hold. */
export type Entry = { readonly words: readonly string[] } | { readonly signs: readonly string[] };

const texts = (found: readonly ReadWord[]): string[] => found.map(({ text }) => text);
/** Between words, and what a sentence ends with, these are only punctuation. */
const punctuation = /[\s\-‐-―'’"“”„«».,;:!?…/&()[\]{}_*~|`¡¿。、！？・]/gu;
const betweenWords = new RegExp(`(?<=${word})(?:${punctuation.source})+(?=${word})`, 'gu');
const onlyWords = new RegExp(`^${word}+$`, 'u');
const endsOfSentence = new RegExp(`(?<=${word})[.,;!?…。、！？]+$`, 'u');

/** How an entry of a list is looked for. */
export function entryOf(phrase: string): Entry | null {
  const trimmed = phrase.trim();
  const { text } = without(folded(trimmed), markup);
  const signs = text.replace(endsOfSentence, '').replaceAll(betweenWords, '');
  if (onlyWords.test(signs)) return { words: texts(readWords(trimmed)) };
  const written = texts(readSigns(trimmed));
  return written.some((one) => one !== edge && one !== ' ') ? { signs: written } : null;
}
