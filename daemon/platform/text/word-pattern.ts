/**
 * Words, as people look for them. An apostrophe joins the short ending of a contraction (don't, you're) to its word; an
 * elided article before a word and a possessive `'s` behind it are words of their own, so `idiot` is in `l'idiot` and in
 * `idiot's`. At the edge of a word it is a quotation mark.
 *
 * @param letter what a word consists of, as a class of a regular expression with the flag `u`
 */
export const wordPattern = (letter: string): string =>
  `${letter}+(?:['’](?!s(?!${letter}))${letter}{1,2}(?!${letter}))*`;
