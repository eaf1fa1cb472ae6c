/** Text as it is compared, the same on every database and in commands: databases fold differently themselves. Pure. */
import { streamSafe } from './stream-safe.js';

/**
 * Without case, for every script. By way of capitals, so that ß becomes ss; final σ becomes plain σ, because a part of a
 * name may end anywhere.
 */
export const foldCase = (text: string): string => withoutCase(streamSafe(text).normalize('NFKC'));

/** The same of a text whose styles of letters are one already. */
export const withoutCase = (text: string): string =>
  text.toLocaleUpperCase('und').toLocaleLowerCase('und').replaceAll('ς', 'σ');

/** Accents of European scripts; the marks of others are vowels. */
const accents = /[\u0300-\u036f]/g;

/** Without case and accents, as words of transcripts and names of people are compared. */
export const foldAccents = (text: string): string => withoutAccents(foldCase(text));

export const withoutAccents = (text: string): string => text.normalize('NFD').replaceAll(accents, '').normalize('NFC');

/** True if the text contains what is searched, in any case; an empty search is in every text. */
export const isPartOf = (search: string | undefined, text: string): boolean =>
  search === undefined || foldCase(text).includes(foldCase(search));
