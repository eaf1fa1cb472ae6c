/**
 * A summary without a model: the lines that share the most words with the rest of the conversation (TextRank: lines
 * vote for lines that resemble them), in their order.
 */

export interface Line {
  readonly senderName: string;
  readonly content: string;
}

/** Lines that are compared; of a longer conversation evenly spread ones. */
const linesMax = 400;
/** Longer lines are truncated to this many characters before scoring. */
const lineCharactersMax = 400;
const rounds = 20;
const damping = 0.85;
/** Shorter lines say too little to stand alone. */
const wordsMin = 4;

const stopWords = new Set(
  'a an and are as at be but by for from had has have he her his i if in is it its me my no not of on or our she so that the their them then there they this to us was we were what when where which who will with you your yeah ok okay oh um uh'.split(
    ' ',
  ),
);

const termsOf = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []).filter((word) => word.length > 1 && !stopWords.has(word)),
  );

const spread = <T>(items: readonly T[], count: number): T[] =>
  items.length <= count
    ? [...items]
    : Array.from({ length: count }, (_, place) => items[Math.floor((place * items.length) / count)] as T);

/** How alike two lines are: shared words, against the lengths of both. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const term of one) if (other.has(term)) shared += 1;
  return shared === 0 ? 0 : shared / (Math.log(one.size + 1) + Math.log(other.size + 1));
}

/** Up to `count` lines that say the most, in the order of the conversation. */
export function mainLines(lines: readonly Line[], count: number): Line[] {
  const compared = spread(lines, linesMax)
    .map((line) => ({ line, terms: termsOf(line.content.slice(0, lineCharactersMax)) }))
    .filter(({ terms }) => terms.size >= wordsMin);
  const links = compared.map(({ terms }, at) =>
    compared.map((other, place) => (place === at ? 0 : likeness(terms, other.terms))),
  );
  const strengths = links.map((row) => row.reduce((sum, one) => sum + one, 0));
  let ranks = compared.map(() => 1);
  for (let round = 0; round < rounds; round += 1)
    ranks = ranks.map((_, at) => {
      const votes = links.reduce((sum, row, from) => {
        const strength = strengths[from] ?? 0;
        return strength === 0 ? sum : sum + ((row[at] ?? 0) / strength) * (ranks[from] ?? 0);
      }, 0);
      return 1 - damping + damping * votes;
    });
  return compared
    .map(({ line }, place) => ({ line, place, rank: ranks[place] ?? 0 }))
    .sort((a, b) => b.rank - a.rank || a.place - b.place)
    .slice(0, count)
    .sort((a, b) => a.place - b.place)
    .map(({ line }) => line);
}
