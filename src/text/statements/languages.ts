/** Languages in which statements of reasons are written. */
import { textIn, withoutRegion } from '../../contract/language.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import type { StatementWords } from './words.js';

const statementLanguages: Readonly<Record<string, StatementWords>> = { en, de, fr, es };

/** Their names for themselves, in order. */
export const languageNames: Readonly<Record<string, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};

/** The first of the languages that there is, `de` for `de-AT` included; English where there is none. */
export const chosenLanguage = (...wanted: readonly (string | null | undefined)[]): string => {
  const found = wanted.find((one) => one != null && textIn(statementLanguages, one) !== undefined);
  if (found == null) return 'en';
  return Object.hasOwn(statementLanguages, found) ? found : withoutRegion(found);
};

/** `de-AT,de;q=0.9,en;q=0.8` → de-AT, de, en: browsers write the preferred one first. */
export const acceptedLanguages = (header: string | undefined): string[] =>
  (header ?? '').split(',').flatMap((part) => part.split(';')[0]?.trim() || []);

export const wordsIn = (language: string): StatementWords => textIn(statementLanguages, language) ?? en;
