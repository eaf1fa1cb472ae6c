/**
 * Text as the matcher reads it: lower case, without accents and invisible characters, look-alike letters and digits
 * replaced by the letters that they stand for. Remembers where each character came from. Pure, and linear in the text.
 */
import { leet, resembled } from '../../../../platform/text/look-alike.js';
import { markup } from '../../../../platform/text/reader.js';

/** Characters of `text`; each came from [start, end) of the original, in UTF-16 units. */
export interface Normalised {
  readonly text: string;
  readonly start: readonly number[];
  readonly end: readonly number[];
}

export const isLetter = (character: string): boolean => /\p{L}/u.test(character);
const isSpace = (character: string): boolean => /\s/u.test(character);
/** At the end of a word these are punctuation, whatever they look like. */
const isClosing = (character: string): boolean => /[!?.,;:()'"+|-]/.test(character);

class Builder {
  text = '';
  readonly start: number[] = [];
  readonly end: number[] = [];

  add(characters: string, start: number, end: number): void {
    for (let unit = 0; unit < characters.length; unit++) {
      this.start.push(start);
      this.end.push(end);
    }
    this.text += characters;
  }
}

export function normalised(original: string): Normalised {
  return withoutLeet(plain(original));
}

const edgeOfWord = /(?<![\p{L}\p{N}])[_|]+(?=\p{L})|(?<=\p{L})[_|]+(?![\p{L}\p{N}])/gu;

/** The text as a chat shows it, each character in its place: nothing where markup is within a word, spaces around one. */
export const asShown = (text: string): string =>
  text
    .replaceAll(markup, (signs) => '\u200b'.repeat(signs.length))
    .replaceAll(edgeOfWord, (signs) => ' '.repeat(signs.length));

function plain(original: string): Normalised {
  const out = new Builder();
  let at = 0;
  for (const character of original) {
    const end = at + character.length;
    const letters = resembled(character);
    if (letters !== '') out.add(letters.toLowerCase(), at, end);
    at = end;
  }
  return out;
}

/** Digits and signs become letters in words that hold a letter: "1d10t", but neither "455" nor "$5". */
function withoutLeet({ text, start, end }: Normalised): Normalised {
  let result = '';
  for (let at = 0; at < text.length; ) {
    let stop = at;
    let hasLetter = false;
    while (stop < text.length && !isSpace(text.charAt(stop))) hasLetter = isLetter(text.charAt(stop++)) || hasLetter;
    let last = stop;
    while (last > at && isClosing(text.charAt(last - 1))) last--;
    for (; at < last; at++) result += hasLetter ? (leet[text.charAt(at)] ?? text.charAt(at)) : text.charAt(at);
    result += text.slice(at, stop);
    for (at = stop; at < text.length && isSpace(text.charAt(at)); at++) result += ' ';
  }
  return { text: result, start, end };
}

/** At most two separators between letters that are spelled one by one. */
const gapMax = 3;
const spelledMin = 3;
const isGap = (character: string): boolean => /[\s.\-_*,/·~]/u.test(character);

/** Words that are spelled letter by letter ("i d i o t", "f.u.c.k"), put together. */
export function spelled({ text, start, end }: Normalised): Normalised[] {
  const runs: Normalised[] = [];
  let at = 0;
  while (at < text.length) {
    const run = new Builder();
    let next = at;
    while (next < text.length && isAlone(text, next)) {
      run.add(leet[text.charAt(next)] ?? text.charAt(next), start[next] ?? 0, end[next] ?? 0);
      next++;
      let gap = 0;
      while (gap < gapMax && next + gap < text.length && isGap(text.charAt(next + gap))) gap++;
      if (gap === 0) break;
      next += gap;
    }
    if (run.text.length >= spelledMin) runs.push(run);
    at = Math.max(at + 1, next);
  }
  return runs;
}

/** A letter, digit or sign with a gap on both sides. */
function isAlone(text: string, at: number): boolean {
  const character = text.charAt(at);
  if (isGap(character)) return false;
  return (at === 0 || isGap(text.charAt(at - 1))) && (at + 1 === text.length || isGap(text.charAt(at + 1)));
}
