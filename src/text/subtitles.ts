/** Subtitles: SubRip and WebVTT. Pure. */
import { escapedMarkup } from './markup.js';

/** Something said; times are milliseconds from the beginning. */
export interface Cue {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  /** null: not said. */
  readonly speaker: string | null;
}

/** One line: a line break would end a cue or an entry. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** SubRip knows no escapes, and players read tags (`<i>`, `{\an8}`) in it: their signs are replaced by ones that look alike. */
const withoutTags = (text: string): string =>
  text.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('{', '❴').replaceAll('}', '❵');

export const srtOf = (cues: readonly Cue[]): string =>
  cues
    .map(({ text, speaker, ...times }, index) => {
      const who = speaker === null ? '' : `${oneLine(speaker)}: `;
      return `${index + 1}\n${span(times, ',')}\n${withoutTags(who + oneLine(text))}\n\n`;
    })
    .join('');

export const vttOf = (cues: readonly Cue[]): string =>
  `WEBVTT\n\n${cues
    .map(({ text, speaker, ...times }) => {
      const who = speaker === null ? '' : `<v ${escapedMarkup(oneLine(speaker))}>`;
      return `${span(times, '.')}\n${who}${escapedMarkup(oneLine(text))}\n\n`;
    })
    .join('')}`;

const span = ({ startMs, endMs }: Pick<Cue, 'startMs' | 'endMs'>, point: '.' | ','): string =>
  `${clock(startMs, point)} --> ${clock(endMs, point)}`;

/** `3723004` → `01:02:03.004` */
function clock(ms: number, point: '.' | ','): string {
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const whole = Math.round(ms);
  const fraction = String(whole % 1_000).padStart(3, '0');
  return `${two(whole / 3_600_000)}:${two((whole / 60_000) % 60)}:${two((whole / 1_000) % 60)}${point}${fraction}`;
}
