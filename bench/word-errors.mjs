// How many words a recogniser got wrong.

/** Writing without spaces between words: each sign counts as one. */
const signs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]\p{M}*/gu;
const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
/** Two spellings of one word. */
const spellings = { ...Object.fromEntries(numbers.entries()), mr: 'mister', metres: 'meters' };
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
  return { errors: distances(reference, found).at(-1).at(-1), words: reference.length };
}

/** Of each word that was heard, whether it was said there. */
export function rightWords(spoken, heard) {
  const [reference, found] = [wordsOf(spoken), wordsOf(heard)];
  const rows = distances(reference, found);
  const right = found.map(() => false);
  for (let [row, column] = [reference.length, found.length]; row > 0 && column > 0; ) {
    const isSame = reference[row - 1] === found[column - 1];
    if (rows[row][column] === rows[row - 1][column - 1] + (isSame ? 0 : 1)) {
      right[column - 1] = isSame;
      row -= 1;
      column -= 1;
    } else if (rows[row][column] === rows[row - 1][column] + 1) row -= 1;
    else column -= 1;
  }
  return right;
}

/** How far the beginnings of both are from each other. */
function distances(reference, found) {
  const rows = [Array.from({ length: found.length + 1 }, (_, index) => index)];
  for (const [row, word] of reference.entries()) {
    const [above, here] = [rows[row], [row + 1]];
    for (const [column, other] of found.entries())
      here.push(Math.min(above[column] + (word === other ? 0 : 1), above[column + 1] + 1, here[column] + 1));
    rows.push(here);
  }
  return rows;
}
