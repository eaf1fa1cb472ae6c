/** Texts of the room page and the invitation page, in the browser's language; in English where it has none of them. */
import { en, type PageWords } from './en.js';

/** Other languages are loaded where the browser asks for them. */
const catalogues: Readonly<Record<string, () => Promise<PageWords>>> = {
  en: async () => en,
  de: async () => (await import('./de.js')).de,
  es: async () => (await import('./es.js')).es,
  fr: async () => (await import('./fr.js')).fr,
};

const languages = navigator.languages.map((tag) => tag.split('-')[0] ?? '');
const language = languages.find((one) => Object.hasOwn(catalogues, one)) ?? 'en';

export const words: PageWords = (await catalogues[language]?.()) ?? en;

/** Puts the texts into the elements that name one by `data-text`. */
export function fillPage(): void {
  document.documentElement.lang = language;
  const texts: Readonly<Record<string, string>> = words.texts;
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]'))
    element.textContent = texts[element.dataset.text ?? ''] ?? '';
}
