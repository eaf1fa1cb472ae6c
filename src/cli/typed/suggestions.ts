/** Commands that are near to what was typed. */
import { slipsBetween, slipsIn } from '../../contract/nearest.js';

const suggestionsMax = 3;
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
