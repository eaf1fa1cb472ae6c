import { describe, expect, it } from 'vitest';
import { unheardReason } from '../../daemon/modules/sessions/unheard.js';

const none = { speechConfidenceMin: null, noSpeechProbabilityMax: null };
const clear = {
  confidence: 0.9,
  noSpeechProbability: 0.01,
  signal: { levelDbfs: -20, clippedShare: 0, overlapShare: 0, echo: 0 },
  spokenMs: 8_000,
};
const silent = { ...clear, signal: { ...clear.signal, levelDbfs: -55 } };
const again = (text: string, times: number) => Array(times).fill(text).join(' ');

describe('unheardReason', () => {
  it.each([
    ['ordinary speech', 'push the lane', 'en', clear, none, null],
    [
      'a recogniser that states nothing',
      'push',
      null,
      { ...clear, confidence: null, noSpeechProbability: null },
      none,
      null,
    ],
    ['less than the project asks for', 'push', 'en', clear, { ...none, speechConfidenceMin: 0.91 }, 'low_confidence'],
    ['as much as the project asks for', 'push', 'en', clear, { ...none, speechConfidenceMin: 0.9 }, null],
    ['likely silence', 'push', 'en', { ...clear, noSpeechProbability: 0.61 }, none, 'no_speech'],
    ['as much as is allowed', 'push', 'en', { ...clear, noSpeechProbability: 0.6 }, none, null],
    [
      'a stricter project',
      'push',
      'en',
      { ...clear, noSpeechProbability: 0.2 },
      { ...none, noSpeechProbabilityMax: 0.1 },
      'no_speech',
    ],
    ['thanks, well said', 'Thank you.', 'en', clear, none, null],
    ['thanks at silence', 'Thank you.', 'en', silent, none, 'phantom'],
    ['thanks that the recogniser doubts', 'Thank you.', 'english', { ...clear, confidence: 0.3 }, none, null],
    ['an okay that it doubts', 'Okay.', 'en', { ...clear, confidence: 0.1 }, none, null],
    ['thanks within a sentence at silence', 'thank you for the heal', 'en', silent, none, null],
    ['a credit', 'Untertitel im Auftrag des ZDF für funk, 2017', 'de', clear, none, 'phantom'],
    ['a credit twice', again('Untertitelung des ZDF, 2020', 2), 'de', clear, none, 'phantom'],
    ['a credit that hides an insult', 'copyright wdr you are all badwords, every one of you', 'de', clear, none, null],
    ['a credit without a known language', 'Subtitles by the Amara.org community', null, clear, none, 'phantom'],
    ['a German phantom in English', 'Vielen Dank.', 'en', silent, none, null],
    ['Japanese at silence', 'ご視聴ありがとうございました。', 'ja', silent, none, 'phantom'],
    ['go, go, go', again('go', 8), 'en', silent, none, null],
    ['a word that somebody shouts twelve times', again('badword', 12), 'en', clear, none, null],
    ['a chant of four words', again('get out of here', 4), 'en', clear, none, null],
    ['a loop at silence', again('go', 12), 'en', silent, none, 'repetition'],
    ['a loop that nobody can say so fast', again('go', 60), 'en', clear, none, 'repetition'],
    ['a sentence said three times', again('get to the point now', 3), 'en', silent, none, null],
    ['a sentence in a loop', `so ${again('get to the point now', 4)}`, 'en', silent, none, 'repetition'],
    [
      'a loop as a small part of much else',
      `${again('no', 12)} ${Array.from({ length: 60 }, (_, n) => `w${n}`).join(' ')}`,
      'en',
      silent,
      none,
      null,
    ],
  ] as const)('judges %s', (_, content, language, report, thresholds, expected) => {
    expect(unheardReason(content, language, report, thresholds)).toBe(expected);
  });
});
