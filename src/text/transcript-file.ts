/** Files that a transcript is saved as. Pure. */
import type { Message } from '../contract/sessions/sessions.js';
import { escapedMarkup } from './markup.js';
import { type Cue, oneLine, srtOf, vttOf } from './subtitles.js';

export const transcriptFormats = ['text', 'srt', 'vtt', 'json', 'html'] as const;
export type TranscriptFormat = (typeof transcriptFormats)[number];

const shortestMs = 1_000;
const typedMs = 4_000;

/** `2026-01-31T12:00:00.000Z Ann: Over here.` */
export const transcriptLine = ({ timestamp, senderName, content }: Message): string =>
  `${timestamp} ${oneLine(senderName)}: ${oneLine(content)}\n`;

/** @param lines a transcript, oldest first */
export function transcriptFile(lines: readonly Message[], format: TranscriptFormat): string {
  switch (format) {
    case 'text':
      return lines.map(transcriptLine).join('');
    case 'json':
      return `${JSON.stringify(lines, null, 2)}\n`;
    case 'srt':
      return srtOf(cuesOf(lines));
    case 'vtt':
      return vttOf(cuesOf(lines));
    case 'html':
      return pageOf(lines);
  }
}

/** `raid-2026-01-31.srt`: the room, and the day of the first line. */
export const transcriptFileName = (room: string, lines: readonly Message[], format: TranscriptFormat): string =>
  savedName(room, lines[0]?.timestamp, format === 'text' ? 'txt' : format);

/** Name of a file about what was said in a room: the room, and the day. */
export function savedName(room: string, at: string | undefined, ending: string): string {
  const name = room.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '') || 'transcript';
  return `${[name, at?.slice(0, 10)].filter((part) => part !== undefined).join('-')}.${ending}`;
}

/** What people said and wrote; times are since the first line, and what was typed is shown for four seconds. */
function cuesOf(lines: readonly Message[]): Cue[] {
  const shown = lines.filter(({ type, content }) => type === 'user' && content.trim() !== '');
  const zero = Date.parse(shown[0]?.timestamp ?? '');
  return shown.map(({ timestamp, startMs: began, endMs: ended, senderName, content }) => {
    const startMs = Math.max(0, Date.parse(timestamp) - zero);
    const length = began === null || ended === null ? typedMs : Math.max(shortestMs, ended - began);
    return { startMs, endMs: startMs + length, speaker: senderName, text: content };
  });
}

/** A page that needs nothing else, and that word processors open as a document with a table. */
function pageOf(lines: readonly Message[]): string {
  const day = lines[0]?.timestamp.slice(0, 10) ?? '';
  const rows = lines.map(({ timestamp, senderName, content }) => {
    const time = timestamp.slice(0, 19).replace('T', ' ');
    const cells = [time, oneLine(senderName), content].map((cell) => `<td>${escapedMarkup(cell)}</td>`);
    return `<tr>${cells.join('')}</tr>\n`;
  });
  return `<!doctype html>
<html>
<head><meta charset="utf-8"><title>Transcript ${day}</title></head>
<body>
<h1>Transcript ${day}</h1>
<table border="1">
<thead><tr><th>Time (UTC)</th><th>Speaker</th><th>Text</th></tr></thead>
<tbody>
${rows.join('')}</tbody>
</table>
</body>
</html>
`;
}
