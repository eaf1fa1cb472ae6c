/** Text as Unicode compares it whatever its style is (NFKC), without the few letters that stand for whole sentences. */
import { streamSafe } from '../../../src/text/stream-safe.js';

/** U+FDFA becomes 18 letters and U+FDFB 8: a text of them would be a sentence for each letter. They stay as they are. */
const sentences = /([\ufdfa\ufdfb]+)/u;

/** At most six times as long as the text. */
export const compatible = (text: string): string =>
  streamSafe(text)
    .split(sentences)
    .map((part, index) => (index % 2 === 1 ? part : part.normalize('NFKC')))
    .join('');

/** The letters that one character stands for (NFKD). */
export const compatibleLetters = (character: string): string =>
  sentences.test(character) ? character : character.normalize('NFKD');
