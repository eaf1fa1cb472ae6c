/** Widths as a terminal counts them: letters of East Asian scripts and emoji take two columns, combining marks none. */
let segmenter: Intl.Segmenter | null = null;
/** Most commands show nothing but ASCII, and making one takes longer than showing it. */
function graphemesOf(text: string): Iterable<Intl.SegmentData> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}
const isWide =
  /^(?![\uff61-\uffdc])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\ufe0f/u;
const isNarrow = /^[ -~]*$/;
/** Escape sequences that switch a colour on and off. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it is about
const colour = /(\u001b\[\d+m)/;

const columnsOf = (grapheme: string): number => (isWide.test(grapheme) ? 2 : 1);

export function widthOf(text: string): number {
  if (isNarrow.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += columnsOf(segment);
  return width;
}

/** The longest beginning that fits. */
function beginning(text: string, width: number): string {
  if (isNarrow.test(text)) return text.slice(0, Math.max(0, width));
  let [begin, room] = ['', width];
  for (const { segment } of graphemesOf(text)) {
    room -= columnsOf(segment);
    if (room < 0) break;
    begin += segment;
  }
  return begin;
}

/** The text, or its beginning with an ellipsis. */
export const cut = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text;
  return width <= 0 ? '' : `${beginning(text, width - 1)}…`;
};

/** Filled up to the width. */
export const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** Cut or filled up to the width. */
export const fitted = (text: string, width: number): string => padded(cut(text, width), width);

/** The text in lines that fit, broken between words where that is possible; the last of too many ends with an ellipsis. */
export function wrapped(text: string, width: number, linesMax = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = [];
  let rest = text;
  while (widthOf(rest) > width && lines.length < linesMax - 1) {
    const begin = beginning(rest, width);
    const space = begin.lastIndexOf(' ');
    const end = space > begin.length / 2 ? space : Math.max(1, begin.length);
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, cut(rest, width)];
}

/** Stands for a space that is no place to break a line. */
const held = '\ufdd2';

/** Lines that are too long for the terminal are broken between words; commands to be copied stay whole. */
export const prose = (text: string, width: number): string =>
  text
    .split('\n')
    .flatMap((line) => {
      if (widthOf(line) <= width || colour.test(line) || line.startsWith('To undo: ')) return [line];
      const whole = line.replaceAll(/`[^`]*`/g, (words) => words.replaceAll(' ', held));
      return wrapped(whole, width).map((part) => part.replaceAll(held, ' '));
    })
    .join('\n');

/** A line with colours in it, cut to the width. Whatever it switches on it also switches off. */
export function clipped(line: string, width: number): string {
  let room = width;
  return line
    .split(colour)
    .map((part) => {
      if (colour.test(part)) return part;
      const shown = widthOf(part) <= room ? part : beginning(part, room);
      room = shown === part ? room - widthOf(part) : 0;
      return shown;
    })
    .join('');
}
