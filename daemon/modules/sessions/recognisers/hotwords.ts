/**
 * Turns a vocabulary into hot words for a transducer. The library splits them by a list of the model's pieces of words with a
 * rank, `bpe.vocab`, which archives of models leave out; `tokens.txt` has the same pieces in the order of their rank. Pure.
 */

const wordMark = '▁';

/** Pieces of a model by their number, from its `tokens.txt`: a piece and its number in each line. */
export const piecesIn = (tokens: string): ReadonlyMap<string, number> =>
  new Map(
    tokens.split('\n').flatMap((line): [string, number][] => {
      const [, piece, id] = /^(\S+)\s+(\d+)\s*$/.exec(line) ?? [];
      return piece === undefined ? [] : [[piece, Number(id)]];
    }),
  );

/** Content of `bpe.vocab`. */
export const bpeVocab = (pieces: ReadonlyMap<string, number>): string =>
  [...pieces].map(([piece, id]) => `${piece}\t${-id}\n`).join('');

/** Phrases separated by `/`, in the case of the model's pieces; null: none can be written in them. */
export function hotwordsOf(vocabulary: readonly string[], pieces: ReadonlyMap<string, number>): string | null {
  const phrases = vocabulary.flatMap(
    (phrase) => [phrase, phrase.toUpperCase(), phrase.toLowerCase()].find((one) => isWritable(one, pieces)) ?? [],
  );
  return phrases.length === 0 ? null : [...new Set(phrases)].join('/');
}

const isWritable = (phrase: string, pieces: ReadonlyMap<string, number>): boolean =>
  phrase.split(/\s+/).every((word) => canSplit(wordMark + word, pieces));

function canSplit(word: string, pieces: ReadonlyMap<string, number>): boolean {
  const reached = new Set([0]); // lengths of the beginnings that are made of pieces
  for (let end = 1; end <= word.length; end++)
    if ([...reached].some((start) => pieces.has(word.slice(start, end)))) reached.add(end);
  return reached.has(word.length);
}
