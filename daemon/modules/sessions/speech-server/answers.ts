/** The forms in which OpenAI's transcription interface answers. Pure. */
import { type Cue, srtOf, vttOf } from '../../../../src/text/subtitles.js';
import type { TranscribedWord } from '../recognisers/transcriber.js';

export const responseFormats = ['json', 'verbose_json', 'text', 'srt', 'vtt'] as const;
export type ResponseFormat = (typeof responseFormats)[number];

/** One utterance; times are milliseconds from the beginning of the recording. */
export interface RecognizedPart {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  readonly confidence: number | null;
  readonly noSpeechProbability: number | null;
  readonly words: readonly TranscribedWord[];
}

interface Recognized {
  readonly parts: readonly RecognizedPart[];
  readonly language: string | null;
  readonly durationMs: number;
}

/** Returns content type and body. */
export function answerOf({ parts, language, durationMs }: Recognized, format: ResponseFormat): [string, string] {
  const text = parts.map((part) => part.text).join(' ');
  switch (format) {
    case 'text':
      return ['text/plain; charset=utf-8', `${text}\n`];
    case 'srt':
      return ['application/x-subrip; charset=utf-8', srtOf(parts.map(cueOf))];
    case 'vtt':
      return ['text/vtt; charset=utf-8', vttOf(parts.map(cueOf))];
    case 'json':
      return ['application/json', JSON.stringify({ text })];
    case 'verbose_json':
      return [
        'application/json',
        JSON.stringify({
          ...{ task: 'transcribe', language, duration: durationMs / 1_000, text },
          segments: parts.map(segmentOf),
          words: parts.flatMap((part) => part.words.map(wordOf)),
        }),
      ];
  }
}

const cueOf = ({ startMs, endMs, text }: RecognizedPart): Cue => ({ startMs, endMs, text, speaker: null });

const segmentOf = ({ startMs, endMs, text, confidence, noSpeechProbability }: RecognizedPart, id: number) => ({
  ...{ id, seek: 0, start: startMs / 1_000, end: endMs / 1_000, text, tokens: [], temperature: 0 },
  avg_logprob: confidence === null ? null : Math.log(Math.max(confidence, Number.MIN_VALUE)),
  no_speech_prob: noSpeechProbability,
});

const wordOf = ({ text, startMs, endMs, confidence }: TranscribedWord) => ({
  ...{ word: text, start: seconds(startMs), end: seconds(endMs), probability: confidence },
});

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);
