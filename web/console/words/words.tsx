import { createContext, type PropsWithChildren, useContext, useEffect, useState } from 'react';
import { usePreferences } from '../frame/preferences.js';
import { en, type FirstWords } from './en.js';

/** Other languages are loaded when they are chosen. */
const catalogues = {
  en: async () => en,
  de: async () => (await import('./de.js')).de,
} as const;

const WordsContext = createContext<FirstWords>(en);
export const useWords = (): FirstWords => useContext(WordsContext);

/** Shows nothing until the texts of the chosen language are there. */
export function WordsProvider({ children }: PropsWithChildren) {
  const [{ language }] = usePreferences();
  const [words, setWords] = useState<FirstWords | null>(language === 'en' ? en : null);
  useEffect(() => {
    let isLatest = true;
    document.documentElement.lang = language;
    void catalogues[language]().then((loaded) => {
      if (isLatest) setWords(loaded);
    });
    return () => {
      isLatest = false;
    };
  }, [language]);
  return words === null ? null : <WordsContext value={words}>{children}</WordsContext>;
}
