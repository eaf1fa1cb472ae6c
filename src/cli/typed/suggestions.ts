/** Names that are near to what was typed: of commands, and of what they act on. */

const suggestionsMax = 3;
/** One letter of a word may be wrong, in long words one of three. */
export const slipsIn = (word: string): number => Math.max(1, Math.floor(word.length / 3));

/** The names nearest to what was typed, whose last words may be arguments; nearest first. */
export function suggestions(typed: readonly string[], names: Iterable<string>): string[] {
  const found: { readonly name: string; readonly slips: number; readonly words: number }[] = [];
  for (const name of names) {
    const words = name.split(':');
    if (words.length > typed.length) continue;
    const slips = words.map((word, index) => slipsBetween(word, typed[index] ?? ''));
    if (slips.every((count, index) => count <= slipsIn(words[index] ?? '')))
      found.push({ name: words.join(' '), slips: slips.reduce((sum, count) => sum + count, 0), words: words.length });
  }
  // More words understood say more than fewer slips: `sanctions lst` is near to `sanctions list`, and begins with
  // `sanctions`.
  return found
    .sort((a, b) => b.words - a.words || a.slips - b.slips || a.name.localeCompare(b.name))
    .filter(({ words }, _, [best]) => words === best?.words)
    .slice(0, suggestionsMax)
    .map(({ name }) => name);
}

/** Letters to insert, drop or replace, or neighbours to exchange, until one word is the other (optimal string alignment). */
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
