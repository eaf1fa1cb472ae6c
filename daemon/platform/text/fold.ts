/** Text as it is compared, the same on every database: they fold differently themselves. Pure. */

/**
 * Without case, for every script. By way of capitals, so that ß becomes ss; final σ becomes plain σ, because a part of a
 * name may end anywhere.
 */
export const foldCase = (text: string): string =>
  text.normalize('NFKC').toLocaleUpperCase('und').toLocaleLowerCase('und').replaceAll('ς', 'σ');

/** Whether the text contains what is searched, in any case; an empty search is in every text. */
export const isPartOf = (search: string | undefined, text: string): boolean =>
  search === undefined || foldCase(text).includes(foldCase(search));
