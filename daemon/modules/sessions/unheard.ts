/** Decides whether plugins and rules read what a recogniser wrote. Pure. */
import { noSpeechProbabilityDefault } from '../../../src/contract/projects/settings.js';
import type { AsrReport, UnheardReason } from '../../../src/contract/sessions/sessions.js';
import { phantoms } from './phantoms.js';
import { spokenText } from './recognisers/spoken-text.js';

/** Thresholds of a project. */
export interface SpeechThresholds {
  readonly speechConfidenceMin: number | null;
  readonly noSpeechProbabilityMax: number | null;
}

/** Longest phrase that is looked for as a loop, in words. */
const loopWordsMax = 20;
/** A recogniser that is in a loop repeats a phrase so often; fewer times are how people speak. */
const repeatsMin = (words: number): number => (words >= 8 ? 3 : words >= 4 ? 4 : words >= 2 ? 8 : 12);
/** The loop is most of what it wrote. */
const loopShareMin = 0.6;
/** People chant: a loop is the recogniser's own at silence, or where nobody can speak so fast, in words a second. */
const wordsPerSecondMax = 7;
/** A phrase that people say, too, is a phantom at silence alone. */
const phantomNoSpeechMin = 0.3;
const phantomLevelMaxDbfs = -45;

/** What the recogniser said about a line, and how long it lasted. */
type HeardLine = Pick<AsrReport, 'confidence' | 'noSpeechProbability' | 'signal'> & { readonly spokenMs: number };

/** Returns why the line counts as unheard; null: it does not. */
export function unheardReason(
  content: string,
  language: string | null,
  report: HeardLine,
  { speechConfidenceMin, noSpeechProbabilityMax }: SpeechThresholds,
): UnheardReason | null {
  const { confidence, noSpeechProbability } = report;
  const words = wordsOf(content);
  if (spokenText(content, report.spokenMs) === '') return 'phantom';
  if (isAtSilence(report) && isSaidAtSilence(words.join(' '), language)) return 'phantom';
  const isTooFast = words.length * 1_000 > report.spokenMs * wordsPerSecondMax;
  if ((isTooFast || isAtSilence(report)) && isLoop(words)) return 'repetition';
  if ((noSpeechProbability ?? 0) > (noSpeechProbabilityMax ?? noSpeechProbabilityDefault)) return 'no_speech';
  return confidence !== null && confidence < (speechConfidenceMin ?? 0) ? 'low_confidence' : null;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? [];

const isAtSilence = ({ noSpeechProbability, signal }: HeardLine): boolean =>
  (noSpeechProbability ?? 0) >= phantomNoSpeechMin || (signal !== null && signal.levelDbfs <= phantomLevelMaxDbfs);

/** People thank each other, too: a low confidence says nothing against it. */
const isSaidAtSilence = (text: string, language: string | null): boolean =>
  Object.entries(phantoms).some(
    ([code, { atSilence }]) =>
      (language === null || isSameLanguage(code, language)) &&
      atSilence.some((phrase) => text === wordsOf(phrase).join(' ')),
  );

/** Recognisers name a language by its code (`en`, `en-US`) or its English name (`english`). */
const isSameLanguage = (code: string, named: string): boolean => {
  const name = named.toLowerCase();
  return name.split(/[-_]/)[0] === code || name === englishNames.of(code)?.toLowerCase();
};
const englishNames = new Intl.DisplayNames('en', { type: 'language' });

function isLoop(words: readonly string[]): boolean {
  for (let length = 1; length <= loopWordsMax; length++)
    for (let start = 0; start + length * repeatsMin(length) <= words.length; start++) {
      let repeats = 1;
      while (isRepeated(words, start, start + repeats * length, length)) repeats++;
      if (repeats >= repeatsMin(length) && repeats * length >= words.length * loopShareMin) return true;
    }
  return false;
}

const isRepeated = (words: readonly string[], first: number, next: number, length: number): boolean => {
  if (next + length > words.length) return false;
  for (let index = 0; index < length; index++) if (words[first + index] !== words[next + index]) return false;
  return true;
};
