/**
 * The matcher of the plugin `toxicity`: text in, what is toxic in it out. Pure, and linear in the text: every piece of it
 * is read by a fixed number of patterns without repetition. What it can and cannot do: docs/toxicity.md.
 */
import { LRUCache } from 'lru-cache';
import { addTo } from '../../../../platform/collections/add-to.js';
import { ListedPhrases, ListedText, listed } from './listed-phrases.js';
import { asShown, isLetter, type Normalised, normalised, spelled } from './normalise.js';
import { type CollapsedWord, Phrases, wordsOf } from './phrases.js';
import { lists, misheardSentences, toxicSentences } from './sentences.js';
import { type ToxicityCategory, type ToxicitySettings, toxicityCategories } from './settings.js';
import { type WordMatch, WordMatcher } from './word-matcher.js';
import { doubledWords, maskedWords, mistypedWords, spelledWords, toxicWords } from './words.js';

/** Lists of projects that are kept as phrases. */
const listsMax = 200;

interface ToxicSpan {
  /** In UTF-16 units of the text; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly category: ToxicityCategory | typeof listed;
  /** The beginning of that part of the text. */
  readonly word: string;
}

interface Toxicity {
  /** 0: nothing found. A slur, a threat or a listed word alone make 1. */
  readonly score: number;
  readonly categories: readonly ToxicSpan['category'][];
  /** In the order of the text; at most `spansMax`. */
  readonly spans: readonly ToxicSpan[];
}

const weights: Readonly<Record<ToxicSpan['category'], number>> = {
  slur: 1,
  harassment: 1,
  listed: 1,
  sexual: 0.8,
  insult: 0.8,
  profanity: 0.6,
};
/** Weight that every further span adds. */
const furtherWeight = 0.1;
const spansMax = 50;
/** People may write words of any length; an annotation has a limit. */
const wordCharactersMax = 100;

/** Phrases of the project. */
interface OwnPhrases {
  readonly words: ListedPhrases;
  readonly allow: ListedPhrases;
}

/** Match in normalised text. */
interface TextMatch {
  readonly start: number;
  readonly end: number;
  readonly category: ToxicSpan['category'];
}

export class ToxicityMatcher {
  private readonly words = [new WordMatcher(toxicWords), new WordMatcher(doubledWords, { s: 2, g: 2, o: 2 })];
  private readonly spelledWords = new WordMatcher(spelledWords);
  private readonly masked = maskedByLength();
  private readonly sentences = phrasesOf(toxicSentences);
  private readonly misheard = phrasesOf(misheardSentences);
  private readonly listed = new LRUCache<string, ListedPhrases>({ max: listsMax });

  /** Returns the toxic spans of a message, spoken or written. */
  judge(text: string, source: 'speech' | 'text', settings: ToxicitySettings): Toxicity {
    const read = normalised(text);
    const shown = asShown(text);
    const reads = shown === text ? [read] : [read, normalised(shown)];
    const listedText = new ListedText(text);
    const own = { words: this.listedPhrases(settings.words), allow: this.listedPhrases(settings.allow) };
    const runs = source === 'text' ? spelled(read) : [];
    const inEach = (find: (one: Normalised) => TextMatch[]) =>
      reads.flatMap((one) => find(one).map((match) => inOriginal(match, one, text)));
    const inWhole = inEach((one) => [...this.inText(one, source), ...own.words.inNormalised(one)]);
    const allowed = new Cover(text.length, [
      ...own.allow.inOriginal(listedText),
      ...inEach((one) => own.allow.inNormalised(one)),
    ]);
    const found = [
      ...own.words.inOriginal(listedText).map((one) => spanOf(one, text)),
      ...inWhole.filter(({ word }) => !isOfAnotherScript(word)),
    ].filter(({ start, end }) => !allowed.covers(start, end));
    const inRuns = runs.flatMap((run) => this.inSpelled(run, own).map((one) => inOriginal(one, run, text)));
    const spans = withoutContained([...found, ...inRuns].filter(({ category }) => isWanted(category, settings)));
    return {
      score: scoreOf(spans),
      categories: [...new Set(spans.map(({ category }) => category))],
      spans: spans.slice(0, spansMax),
    };
  }

  private inText(read: Normalised, source: 'speech' | 'text'): TextMatch[] {
    const tokens = wordsOf(read.text);
    const whole = [
      { text: '^', start: 0, end: 0 },
      ...tokens,
      { text: '$', start: read.text.length, end: read.text.length },
    ];
    const phrases = [this.sentences, ...(source === 'speech' ? [this.misheard] : [])];
    return [
      ...this.words.flatMap((matcher) => matcher.find(read.text).map((match) => wholeWord(match, read.text))),
      ...this.maskedIn(read.text),
      ...mistypedIn(tokens),
      ...phrases.flatMap((one) => one.find(whole).map(({ start, end, value }) => ({ start, end, category: value }))),
    ];
  }

  private inSpelled(run: Normalised, { words, allow }: OwnPhrases): TextMatch[] {
    if (allow.inNormalised(run).length > 0) return [];
    return [...this.spelledWords.find(run.text), ...words.inNormalised(run)];
  }

  /** Read once, and not for every message. */
  private listedPhrases(terms: readonly string[]): ListedPhrases {
    const key = terms.join('\n');
    const known = this.listed.get(key);
    if (known !== undefined) return known;
    const read = new ListedPhrases(terms);
    this.listed.set(key, read);
    return read;
  }

  /** "sh*t": at least the first letter, and one letter for three stars. */
  private maskedIn(text: string): TextMatch[] {
    return Array.from(text.matchAll(/[a-z][a-z*]*/g)).flatMap(({ 0: word, index }) => {
      const stars = word.split('*').length - 1;
      const last = word.replace(/\*+$/, '').length;
      if (stars === 0 || (word.length - stars) * 3 < stars || last === 0) return [];
      const fitting = this.masked.get(word.length)?.find(({ known }) => fits(word, known));
      return fitting === undefined ? [] : [{ start: index, end: index + word.length, category: fitting.category }];
    });
  }
}

const mistyped = new Map(
  toxicityCategories.flatMap((category) => mistypedWords[category].map((word) => [word, category] as const)),
);
const mistypedLengths = { least: 5, most: 12 };

/** Words with one more letter inside, or with two letters exchanged there. */
function mistypedIn(words: readonly CollapsedWord[]): TextMatch[] {
  return words.flatMap(({ text, start, end }) => {
    if (text.length < mistypedLengths.least || text.length > mistypedLengths.most) return [];
    for (let at = 1; at < text.length - 1; at++) {
      const [before, one, next, after] = [text.slice(0, at), text.charAt(at), text.charAt(at + 1), text.slice(at + 2)];
      const exchanged = after === '' ? undefined : mistyped.get(before + next + one + after);
      const category = mistyped.get(before + next + after) ?? exchanged;
      if (category !== undefined) return [{ start, end, category }];
    }
    return [];
  });
}

const fits = (masked: string, word: string): boolean =>
  [...masked].every((letter, index) => letter === '*' || letter === word.charAt(index));

function maskedByLength() {
  const byLength = new Map<number, { known: string; category: ToxicityCategory }[]>();
  for (const category of toxicityCategories)
    for (const known of maskedWords[category]) addTo(byLength, known.length, { known, category });
  return byLength;
}

function phrasesOf(sentences: Readonly<Record<ToxicityCategory, readonly string[]>>): Phrases<ToxicityCategory> {
  const phrases = new Phrases<ToxicityCategory>(lists);
  for (const category of toxicityCategories) for (const one of sentences[category]) phrases.add(one, category);
  return phrases;
}

const isWanted = (category: ToxicSpan['category'], { categories }: ToxicitySettings): boolean =>
  category === listed || categories.includes(category);

/** "clusterfuck" for "fuck". */
function wholeWord({ start, end, category }: WordMatch, text: string): TextMatch {
  let [from, to] = [start, end];
  while (from > 0 && isLetter(text.charAt(from - 1))) from--;
  while (to < text.length && isLetter(text.charAt(to))) to++;
  return { start: from, end: to, category };
}

/** A word that is Cyrillic or Greek throughout is one of that language, however much its letters look like Latin ones. */
const isOfAnotherScript = (word: string): boolean =>
  /^(?:[\P{L}\p{Script=Cyrillic}]+|[\P{L}\p{Script=Greek}]+)$/u.test(word) && /\p{L}/u.test(word);

const inOriginal = ({ start, end, category }: TextMatch, read: Normalised, text: string): ToxicSpan =>
  spanOf({ start: read.start[start] ?? 0, end: read.end[end - 1] ?? text.length, category }, text);

const spanOf = ({ start, end, category }: TextMatch, text: string): ToxicSpan => ({
  ...{ start, end, category },
  word: text.slice(start, Math.min(end, start + wordCharactersMax)).toWellFormed(),
});

/** In the order of the text; what lies inside something at least as bad is left out. */
function withoutContained(spans: readonly ToxicSpan[]): ToxicSpan[] {
  const kept: ToxicSpan[] = [];
  let widest: ToxicSpan | null = null;
  for (const span of spans.toSorted(
    (a, b) => a.start - b.start || b.end - a.end || weights[b.category] - weights[a.category],
  )) {
    if (widest !== null && span.end <= widest.end && weights[span.category] <= weights[widest.category]) continue;
    kept.push(span);
    if (widest === null || span.end > widest.end) widest = span;
  }
  return kept;
}

function scoreOf(spans: readonly ToxicSpan[]): number {
  const worst = spans.reduce((most, { category }) => Math.max(most, weights[category]), 0);
  const score = Math.min(1, worst + Math.max(0, spans.length - 1) * furtherWeight);
  return Math.round(score * 100) / 100;
}

/** Parts of a text. Linear to make, and at once to ask. */
class Cover {
  /** How many characters before an index are covered. */
  private readonly before: Uint32Array;

  constructor(length: number, parts: readonly { readonly start: number; readonly end: number }[]) {
    const edges = new Int32Array(length + 1);
    for (const { start, end } of parts) {
      edges[start] = (edges[start] ?? 0) + 1;
      edges[end] = (edges[end] ?? 0) - 1;
    }
    this.before = new Uint32Array(length + 1);
    for (let at = 0, depth = 0; at < length; at++) {
      depth += edges[at] ?? 0;
      this.before[at + 1] = (this.before[at] ?? 0) + (depth > 0 ? 1 : 0);
    }
  }

  covers(start: number, end: number): boolean {
    return (this.before[end] ?? 0) - (this.before[start] ?? 0) === end - start;
  }
}
