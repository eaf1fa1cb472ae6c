/**
 * Takes what nobody said out of what a recogniser wrote: marks of sounds, loops inside a word, and credits of subtitles. The
 * one filter for every recogniser. Pure.
 */
import { phantoms } from '../phantoms.js';
import type { TranscribedWord, Transcription } from './transcriber.js';

/** Longer texts in brackets are no marks; a mark may lack its end, because a model stopped or somebody still speaks. */
const inBrackets = [
  ...[String.raw`[[［【〔][^\]］】〕\n]{0,60}(?:[\]］】〕]|$)`, String.raw`[(（][^)）\n]{0,60}(?:[)）]|$)`],
  // Between borders of words, so that `f**k you a**hole` is none.
  String.raw`(?<![\p{L}\p{N}*])\*{1,2}(?=[^\s*])[^*\n]{1,60}(?<=\S)\*{1,2}(?![\p{L}\p{N}*])`,
];
/** `<|nospeech|>`, `<unk>`, `++NOISE++` */
const tokens = [String.raw`<\|?[^<>\s]{1,30}>`, String.raw`(?<![\p{L}\p{N}+])\+\+\w{1,30}\+\+`];
const notes = '[♩♪♫♬♭♯🎵🎶🎼]';
const marks = new RegExp([...inBrackets, ...tokens, notes].join('|'), 'gu');

/** A phrase that is repeated without a space between, so often and in so many characters. */
const loop = /(\S{1,20}?)\1{11,}/gu;
const loopCharactersMin = 40;
/** Who laughs writes fewer. */
const charactersPerSecondMax = 15;

const letter = /[\p{L}\p{N}]/u;
/** Scripts that write no space between words: a credit begins and ends anywhere. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** A credit with the year that may follow, in any case and with any signs between its words. */
function creditPattern(phrase: string): string {
  const words = phrase.match(/[\p{L}\p{N}]+/gu) ?? [];
  const pattern = words.join(String.raw`[^\p{L}\p{N}]*`);
  const year = String.raw`(?:[\s,]*(?:19|20)\d\d)?`;
  return unspaced.test(phrase) ? pattern + year : String.raw`(?<![\p{L}\p{N}])${pattern}${year}(?![\p{L}\p{N}])`;
}

const longestFirst = Object.values(phantoms)
  .flatMap(({ never }) => never)
  .sort((a, b) => b.length - a.length);
const credits = new RegExp(longestFirst.map(creditPattern).join('|'), 'giu');

/** `end` is behind the last character. */
interface TextRange {
  readonly start: number;
  readonly end: number;
  /** Put in its place. */
  readonly instead: '' | ' ';
}

/**
 * Returns what somebody said of a text; empty: nobody said anything, for no letter is left.
 * `spokenMs` is how long they spoke; left out: loops stay.
 */
export function spokenText(text: string, spokenMs = Number.POSITIVE_INFINITY): string {
  const heard = without(text, [...rangesOf(marks, text), ...loopsIn(text, spokenMs)]);
  const rest = without(heard, rangesOf(credits, heard));
  if (!letter.test(rest)) return '';
  return rest === text ? text : tidy(rest);
}

/** Where nobody said anything, the text stays as it was written, for those who read the transcript. */
export function withSpokenText(heard: Transcription, spokenMs: number): Transcription {
  const text = spokenText(heard.text, spokenMs);
  if (text === '' || text === heard.text) return heard;
  const alternatives = heard.alternatives
    .map((one) => ({ ...one, text: spokenText(one.text, spokenMs) }))
    .filter((one) => one.text !== '');
  return { ...heard, text, alternatives, words: spokenWords(heard.words, spokenMs) };
}

function spokenWords(words: readonly TranscribedWord[], spokenMs: number): TranscribedWord[] {
  const text = words.map((word) => word.text).join(' ');
  const ranges = [...rangesOf(marks, text), ...rangesOf(credits, text), ...loopsIn(text, spokenMs)];
  let at = 0;
  return words.flatMap((word) => {
    const own = ranges.map((range) => ({ ...range, start: range.start - at, end: range.end - at }));
    at += word.text.length + 1;
    const rest = without(word.text, own).trim();
    if (rest === word.text) return word;
    return letter.test(rest) ? { ...word, text: rest } : [];
  });
}

const rangesOf = (pattern: RegExp, text: string): TextRange[] =>
  [...text.matchAll(pattern)].map(({ 0: match, index }) => ({ start: index, end: index + match.length, instead: ' ' }));

/** A loop that is a word of its own goes; of one inside a word the phrase stays once. */
function loopsIn(text: string, spokenMs: number): TextRange[] {
  const charactersMax = Math.max(loopCharactersMin, (spokenMs / 1_000) * charactersPerSecondMax);
  return [...text.matchAll(loop)].flatMap(({ 0: match, 1: phrase = '', index }) => {
    if (match.length <= charactersMax) return [];
    const [before = ''] = /\S*$/u.exec(text.slice(0, index)) ?? [];
    const [behind = ''] = /^\S*/u.exec(text.slice(index + match.length)) ?? [];
    const isWholeWord = [...(before + behind)].every((sign) => !letter.test(sign) || phrase.includes(sign));
    return isWholeWord
      ? { start: index - before.length, end: index + match.length + behind.length, instead: ' ' }
      : { start: index + phrase.length, end: index + match.length, instead: '' };
  });
}

function without(text: string, ranges: readonly TextRange[]): string {
  let rest = '';
  let at = 0;
  for (const { start, end, instead } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (end <= at || start >= text.length) continue;
    rest += text.slice(at, Math.max(at, start)) + instead;
    at = end;
  }
  return rest + text.slice(at);
}

/** Spaces and signs that a mark left behind. */
const tidy = (text: string): string =>
  text
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/ (?=[.,!?;:…、。，！？])/gu, '')
    .replace(/^[\s.,;:!?…、。，！？–—-]+/u, '')
    .trim();
