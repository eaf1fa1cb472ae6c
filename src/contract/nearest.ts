/** Suggests the names that are closest to a mistyped one. Pure. */

const maxNames = 3;

/** Number of typing mistakes to allow in a word: one, or a third of the letters of a long word. */
export const slipsIn = (word: string): number => Math.max(1, Math.floor(word.length / 3));

/** Returns up to three names within the allowed typing mistakes, closest first. */
export const nearest = (typed: string, names: Iterable<string>): string[] =>
  [...new Set(names)]
    // Each letter of the difference is a mistake of its own, so that a long text is compared with few names.
    .filter((name) => Math.abs(name.length - typed.length) <= slipsIn(typed))
    .map((name) => ({ name, slips: slipsBetween(typed, name) }))
    .filter(({ slips }) => slips <= slipsIn(typed))
    .sort((a, b) => a.slips - b.slips || a.name.localeCompare(b.name))
    .slice(0, maxNames)
    .map(({ name }) => name);

/** Returns `Did you mean toxicity?`, or `otherwise` without names. */
export const didYouMean = (names: readonly string[], otherwise: string): string =>
  names.length === 0 ? otherwise : `Did you mean ${names.join(' or ')}?`;

/** Counts the letters to insert, drop, replace or swap to turn one word into the other (optimal string alignment). */
export function slipsBetween(one: string, other: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (last[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const exchanged = isExchanged ? (beforeLast[j - 2] ?? 0) + 1 : replaced;
      row.push(Math.min(replaced, exchanged, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return last[other.length] ?? 0;
}
