/**
 * Text that can be normalised in a time that grows with its length. Normalising sorts the marks on a letter, which takes
 * the square of their number: thousands of marks on one letter would take a second. Imports nothing.
 */

/** No language puts as many on a letter (Unicode Standard Annex 15, section 13: Stream-Safe Text Format). */
const longestRun = /\p{M}{30}(?=\p{M})/gu;
/** Combining grapheme joiner: shows nothing, and marks are not sorted across it. */
const joiner = '\u034f';

/** Inserts a joiner after each run of 30 combining marks. */
export const streamSafe = (text: string): string => text.replaceAll(longestRun, `$&${joiner}`);
