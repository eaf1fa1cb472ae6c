/** Files that a transcript is saved as. */
import type { Message } from '../../../src/contract/sessions/sessions.js';

export const transcriptFormats = ['txt', 'srt', 'vtt', 'json'] as const;
export type TranscriptFormat = (typeof transcriptFormats)[number];

const shortestMs = 1_000;
const silentMs = 4_000;

/** `3723004` → `01:02:03.004` */
function clock(ms: number, point: '.' | ','): string {
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const seconds = ms / 1_000;
  const fraction = String(ms % 1_000).padStart(3, '0');
  return `${two(seconds / 3_600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}${point}${fraction}`;
}

/** One line: a line break would end a cue or an entry. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
/** Escapes the characters that WebVTT reads as markup. */
const escaped = (text: string): string =>
  oneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Lines with their times since the first line, in milliseconds; what was typed is shown for four seconds. */
function cuesOf(lines: readonly Message[]) {
  const zero = Date.parse(lines[0]?.timestamp ?? '');
  return lines
    .filter(({ content }) => content.trim() !== '')
    .map(({ timestamp, startMs, endMs, senderName, content }) => {
      const start = Math.max(0, Date.parse(timestamp) - zero);
      const length = startMs === null || endMs === null ? silentMs : Math.max(shortestMs, endMs - startMs);
      return { start, end: start + length, who: senderName, content };
    });
}

/** @param lines a transcript, oldest first */
export function transcriptFile(lines: readonly Message[], format: TranscriptFormat): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(lines, null, 2)}\n`;
    case 'txt':
      return lines
        .map(({ timestamp, senderName, content }) => `${timestamp} ${oneLine(senderName)}: ${oneLine(content)}\n`)
        .join('');
    case 'srt':
      return cuesOf(lines)
        .map(
          ({ start, end, who, content }, index) =>
            `${index + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${oneLine(who)}: ${oneLine(content)}\n\n`,
        )
        .join('');
    case 'vtt':
      return `WEBVTT\n\n${cuesOf(lines)
        .map(
          ({ start, end, who, content }) =>
            `${clock(start, '.')} --> ${clock(end, '.')}\n<v ${escaped(who)}>${escaped(content)}\n\n`,
        )
        .join('')}`;
  }
}
