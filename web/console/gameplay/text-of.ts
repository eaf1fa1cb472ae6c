/** A text in the language of the page, else in English, else the first one. */
export const textOf = (texts: Readonly<Record<string, string>> | null): string =>
  texts === null ? '' : (texts[document.documentElement.lang] ?? texts.en ?? Object.values(texts)[0] ?? '');
