/**
 * Words and phrases that a project lists. They are looked for as rules look for theirs; what is all words is also found
 * where it is disguised, by what the plugin knows of disguises: accents, repeated letters, digits for letters.
 */
import { PhraseAutomaton } from '../../../../platform/text/phrase-automaton.js';
import { entryOf, type ReadWord, readingsOf, readSigns } from '../../../../platform/text/reader.js';
import { isLetter, type Normalised, normalised } from './normalise.js';
import { listedWordsOf } from './phrases.js';

/** Category of words that the project listed. */
export const listed = 'listed';

interface ListedMatch {
  readonly start: number;
  readonly end: number;
  readonly category: typeof listed;
}

const texts = (read: readonly { readonly text: string }[]): string[] => read.map(({ text }) => text);
const automaton = (phrases: readonly (readonly string[])[]): PhraseAutomaton<null> =>
  PhraseAutomaton.small(phrases.map((symbols) => ({ symbols, value: null })));

/** Shorter ones inside another are left out. */
const placesIn = (read: readonly Omit<ReadWord, 'isLetter'>[], phrases: PhraseAutomaton<null>): ListedMatch[] =>
  phrases.isEmpty
    ? []
    : phrases.longest(texts(read)).map(({ start, end }) => ({
        start: read[start]?.start ?? 0,
        end: read[end - 1]?.end ?? 0,
        category: listed,
      }));

/** A text that several lists are looked for in: it is read once, and only as they need it. */
export class ListedText {
  private read: readonly ReadWord[][] | null = null;
  private written: readonly ReadWord[] | null = null;

  constructor(private readonly text: string) {}

  get readings(): readonly ReadWord[][] {
    this.read ??= readingsOf(this.text);
    return this.read;
  }

  get signs(): readonly ReadWord[] {
    this.written ??= readSigns(this.text);
    return this.written;
  }
}

export class ListedPhrases {
  private readonly words;
  private readonly signs;
  private readonly disguised;

  constructor(terms: readonly string[]) {
    const entries = terms.map((term) => ({ term, entry: entryOf(term) }));
    this.words = automaton(entries.flatMap(({ entry }) => (entry !== null && 'words' in entry ? [entry.words] : [])));
    this.signs = automaton(entries.flatMap(({ entry }) => (entry !== null && 'signs' in entry ? [entry.signs] : [])));
    const readable = entries.filter(({ term, entry }) => entry !== null && 'words' in entry && isLetter(term));
    this.disguised = automaton(readable.map(({ term }) => texts(listedWordsOf(normalised(term).text))));
  }

  /** Places in the text as it was given. */
  inOriginal(text: ListedText): ListedMatch[] {
    return [
      ...(this.words.isEmpty ? [] : text.readings.flatMap((read) => placesIn(read, this.words))),
      ...(this.signs.isEmpty ? [] : placesIn(text.signs, this.signs)),
    ];
  }

  /** Places in the normalised text, of words that are disguised. */
  inNormalised(read: Normalised): ListedMatch[] {
    return this.disguised.isEmpty ? [] : placesIn(listedWordsOf(read.text), this.disguised);
  }
}
