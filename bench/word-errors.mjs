// How many words a recogniser got wrong.

/** Writing without spaces between words: each sign counts as one. */
const signs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]\p{M}*/gu;
/** Two spellings of one word. */
const spellings = { mr: 'mister', metres: 'meters' };
const wordsOf = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(signs, ' $& ')
    .split(/[^\p{L}\p{M}\p{N}']+/u)
    .filter(Boolean)
    .map((word) => spellings[word] ?? word);

/** Words replaced, left out or put in (Levenshtein), and how many there are. */
export function wordErrors(spoken, heard) {
  const [reference, found] = [wordsOf(spoken), wordsOf(heard)];
  let above = Array.from({ length: found.length + 1 }, (_, index) => index);
  for (const [row, word] of reference.entries()) {
    const here = [row + 1];
    for (const [column, other] of found.entries())
      here.push(Math.min(above[column] + (word === other ? 0 : 1), above[column + 1] + 1, here[column] + 1));
    above = here;
  }
  return { errors: above.at(-1), words: reference.length };
}
