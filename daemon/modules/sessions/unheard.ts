/** Decides whether plugins and rules read what a recogniser wrote. Pure. */
import { noSpeechProbabilityDefault } from '../../../src/contract/projects/settings.js';
import type { AsrReport, UnheardReason } from '../../../src/contract/sessions/sessions.js';
import { phantoms } from './phantoms.js';

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
/** A phrase that people say, too, is a phantom if something else speaks against it. */
const phantomNoSpeechMin = 0.3;
const phantomLevelMaxDbfs = -45;
const phantomConfidenceMax = 0.5;

/** Returns why the line counts as unheard; null: it does not. */
export function unheardReason(
  content: string,
  language: string | null,
  report: Pick<AsrReport, 'confidence' | 'noSpeechProbability' | 'signal'>,
  { speechConfidenceMin, noSpeechProbabilityMax }: SpeechThresholds,
): UnheardReason | null {
  const { confidence, noSpeechProbability } = report;
  const words = wordsOf(content);
  if (isPhantom(words.join(' '), language, report)) return 'phantom';
  if (isLoop(words)) return 'repetition';
  if ((noSpeechProbability ?? 0) > (noSpeechProbabilityMax ?? noSpeechProbabilityDefault)) return 'no_speech';
  return confidence !== null && confidence < (speechConfidenceMin ?? 0) ? 'low_confidence' : null;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? [];

function isPhantom(
  text: string,
  language: string | null,
  { confidence, noSpeechProbability, signal }: Pick<AsrReport, 'confidence' | 'noSpeechProbability' | 'signal'>,
): boolean {
  const lists = Object.entries(phantoms).filter(([code]) => language === null || isSameLanguage(code, language));
  if (lists.some(([, { never }]) => never.some((phrase) => text.includes(wordsOf(phrase).join(' '))))) return true;
  const isDoubtful =
    (noSpeechProbability ?? 0) >= phantomNoSpeechMin ||
    (signal !== null && signal.levelDbfs <= phantomLevelMaxDbfs) ||
    (confidence !== null && confidence < phantomConfidenceMax);
  return (
    isDoubtful && lists.some(([, { atSilence }]) => atSilence.some((phrase) => text === wordsOf(phrase).join(' ')))
  );
}

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
