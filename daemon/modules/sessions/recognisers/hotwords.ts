/**
 * Turns a vocabulary into hot words for a transducer. The library splits them by a list of the model's pieces of words with a
 * rank, `bpe.vocab`, which archives of models leave out; `tokens.txt` has the same pieces in the order of their rank. Pure.
 */
import { readWords } from '../../../platform/text/reader.js';

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

/** Phrases separated by `/`, in the case of the model's pieces; null: none can be written in them. Any text may be given. */
export function hotwordsOf(vocabulary: readonly string[], pieces: ReadonlyMap<string, number>): string | null {
  const longest = [...pieces.keys()].reduce((most, { length }) => Math.max(most, length), 0);
  const isWritable = (phrase: string): boolean =>
    phrase !== '' &&
    phrase.split(/\s+/).every((word) => !readsAsNoWord.test(word) && canSplit(wordMark + word, pieces, longest));
  const phrases = vocabulary.flatMap((named) => {
    const phrase = named.trim();
    // Models know neither other styles of letters nor what nobody sees.
    const read = readWords(phrase)
      .map(({ text }) => text)
      .join(' ');
    return [phrase, phrase.toUpperCase(), phrase.toLowerCase(), read.toUpperCase(), read].find(isWritable) ?? [];
  });
  return phrases.length === 0 ? null : [...new Set(phrases)].join('/');
}

/** The library takes the rest of such words for a number, and of one with `/` for another phrase. */
const readsAsNoWord = /^[:#@]|\//;

/** `longest`: characters of the longest piece. */
function canSplit(word: string, pieces: ReadonlyMap<string, number>, longest: number): boolean {
  const reached = new Set([0]); // lengths of the beginnings that are made of pieces
  for (let end = 1; end <= word.length; end++)
    for (let start = Math.max(0, end - longest); start < end; start++)
      if (reached.has(start) && pieces.has(word.slice(start, end))) {
        reached.add(end);
        break;
      }
  return reached.has(word.length);
}
