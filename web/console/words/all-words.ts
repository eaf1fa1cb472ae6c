/** The texts of the larger screens as well, which are loaded with the first of them. Suspends until they are there. */
import { use, useMemo } from 'react';
import { usePreferences } from '../frame/preferences.js';
import type { FirstWords } from './en.js';
import type { MoreWords } from './more-en.js';
import { useWords as useFirstWords } from './words.js';

export type Words = FirstWords & MoreWords;

const catalogues = {
  en: async (): Promise<MoreWords> => (await import('./more-en.js')).moreEn,
  de: async (): Promise<MoreWords> => (await import('./more-de.js')).moreDe,
} as const;
const loaded = new Map<keyof typeof catalogues, Promise<MoreWords>>();

function load(language: keyof typeof catalogues): Promise<MoreWords> {
  const found = loaded.get(language) ?? catalogues[language]();
  loaded.set(language, found);
  return found;
}

export function useWords(): Words {
  const first = useFirstWords();
  const [{ language }] = usePreferences();
  const more = use(load(language));
  return useMemo(() => ({ ...first, ...more }), [first, more]);
}
