/** Whether words are in a message: whole words, in either case. */

/** An apostrophe belongs to a word only inside it: elsewhere it is a quotation mark. */
const tokensOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .match(/[\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{N}\p{M}]+)*/gu) ?? [];

/**
 * Whether one of the words and phrases is in the text. A word without letters and digits is looked for as it is
 * written.
 */
export function saysOneOf(text: string, phrases: readonly string[]): boolean {
  const said = ` ${tokensOf(text).join(' ')} `;
  return phrases.some((phrase) => {
    const tokens = tokensOf(phrase);
    return tokens.length === 0 ? text.includes(phrase) : said.includes(` ${tokens.join(' ')} `);
  });
}
