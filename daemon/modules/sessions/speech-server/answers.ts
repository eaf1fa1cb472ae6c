/** The forms in which OpenAI's transcription interface answers. Pure. */
import { deflateSync } from 'node:zlib';
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
          ...{ task: 'transcribe', language: language ?? 'unknown', duration: durationMs / 1_000, text },
          segments: parts.map(segmentOf),
          words: parts.flatMap((part) => part.words.flatMap(wordOf)),
          usage: { type: 'duration', seconds: durationMs / 1_000 },
        }),
      ];
  }
}

const cueOf = ({ startMs, endMs, text }: RecognizedPart): Cue => ({ startMs, endMs, text, speaker: null });

/**
 * OpenAI's schema wants a number in each field. Where the recogniser states none it is 0, which gives clients no reason for doubt,
 * and `unstated` names the field: Choice: ours, for the schema allows further fields.
 */
const segmentOf = ({ startMs, endMs, text, confidence, noSpeechProbability }: RecognizedPart, id: number) => ({
  ...{ id, seek: 0, start: startMs / 1_000, end: endMs / 1_000, text, tokens: [], temperature: 0 },
  avg_logprob: confidence === null ? 0 : Math.log(Math.max(confidence, Number.MIN_VALUE)),
  compression_ratio: compressionRatio(text),
  no_speech_prob: noSpeechProbability ?? 0,
  unstated: [
    ...(confidence === null ? ['avg_logprob'] : []),
    ...(noSpeechProbability === null ? ['no_speech_prob'] : []),
  ],
});

/** As Whisper's own program computes it: bytes of the text for each byte that zlib needs. */
const compressionRatio = (text: string): number => Buffer.byteLength(text) / deflateSync(text).length;

/** The schema has no word without times. */
const wordOf = ({ text, startMs, endMs, confidence }: TranscribedWord) =>
  startMs === null || endMs === null
    ? []
    : [
        {
          ...{ word: text, start: startMs / 1_000, end: endMs / 1_000 },
          ...(confidence === null ? {} : { probability: confidence }),
        },
      ];
