/** Letters that look like others, as names and words are compared that somebody disguised. Pure, and linear in the text. */
import { resolveConfusablesTransformer } from 'obscenity';
import { compatibleLetters } from './compatible.js';

const confusable = resolveConfusablesTransformer();
/** Characters that the table of confusable characters lacks. */
const more: Readonly<Record<string, string>> = { ß: 'b', ꜰ: 'f', ø: 'o', ł: 'l', đ: 'd', β: 'b', ι: 'i', ı: 'i' };
/** Letters that digits and signs stand for. */
export const leet: Readonly<Record<string, string>> = {
  '4': 'a',
  '@': 'a',
  '8': 'b',
  '(': 'c',
  '3': 'e',
  '€': 'e',
  '6': 'g',
  '9': 'g',
  '1': 'i',
  '!': 'i',
  '|': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
  '+': 't',
};

const isInvisible = (character: string): boolean =>
  /\p{Default_Ignorable_Code_Point}|[\p{Cf}\p{M}\u2800]/u.test(character);

/** Returns the letters that a character looks like; none for an invisible one. */
export function resembled(character: string): string {
  if (character < '\u0080') return character;
  const known = more[character.toLowerCase()];
  if (known !== undefined) return known;
  let letters = '';
  for (const part of compatibleLetters(character)) {
    if (isInvisible(part)) continue;
    const code = part.codePointAt(0) ?? 0;
    letters += code < 128 ? part : String.fromCodePoint(confusable.transform(code) ?? code);
  }
  return letters;
}

/** The same for names that look alike: `Oscar`, `0scar`, `Оscar` with a Cyrillic letter, `os_car`. Empty: no letters. */
export const looksKey = (name: string): string =>
  [...name]
    .map(resembled)
    .join('')
    .toLowerCase()
    .replace(/./gu, (character) => leet[character] ?? character)
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('l', 'i');
