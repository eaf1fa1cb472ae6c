/** Reads rows as RFC 4180 has them, and as spreadsheets of other countries write them: with semicolons or tabs. */

interface ReadRow {
  /** Number of its first line, from 1: a quoted cell may go on over several lines. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** A line whose quote is not closed where its cell ends. Reading goes on with the line after it. */
interface BrokenRow {
  readonly line: number;
  readonly problem: string;
}

export type CsvRow = ReadRow | BrokenRow;

/** True where a single line, split at its separators, is a whole row of the file. */
type IsWholeRow = (cells: readonly string[]) => boolean;

/** End of an unquoted cell, by separator. */
const cellEnds = { ',': /[,\r\n]/g, ';': /[;\r\n]/g, '\t': /[\t\r\n]/g } as const;
type Separator = keyof typeof cellEnds;
const separators: readonly Separator[] = [',', ';', '\t'];
const lineEnd = /\r\n|\n|\r/g;
/** Longer than any field that a request takes: a quoted cell of more characters was never closed. */
const maxCellLength = 20_000;
const openQuote =
  'a quote is open at the end of the line, or stands alone inside a cell; close it, and write a quote inside a quoted cell twice.';

/** The one that the first line with any of them has most of, outside of quotes. */
const separatorIn = (text: string): Separator => {
  for (const line of text.split(lineEnd)) {
    const plain = line.replaceAll(/"(?:[^"]|"")*"/g, '');
    const counted = separators.map((sign) => ({ sign, count: plain.split(sign).length }));
    const most = counted.reduce((best, one) => (one.count > best.count ? one : best));
    if (most.count > 1) return most.sign;
  }
  return ',';
};

/**
 * Skips empty lines. A cell in quotes may contain line ends; it is refused where the lines it would contain are rows
 * themselves (`isWholeRow`) or the row becomes longer than the first one, because then a quote was forgotten.
 */
export function csvRows(content: string, isWholeRow: IsWholeRow = () => false): CsvRow[] {
  const text = content.replace(/^\uFEFF/, '');
  const separator = separatorIn(text);
  const rows: CsvRow[] = [];
  let [at, line] = [0, 1];
  let columns = Number.POSITIVE_INFINITY;
  while (at < text.length) {
    const { cells, openedAt, isClosed, end } = readRow(text, at, separator);
    const lines = text.slice(at, end).split(lineEnd);
    const [first = '', ...others] = lines.map((one) => one.split(separator).map(unquoted));
    const swallows = openedAt !== null && isWholeRow([...first]) && others.some(isWholeRow);
    const isBroken = !isClosed || swallows || (openedAt !== null && cells.length > columns);
    if (isBroken) {
      const opened = line + linesIn(text.slice(at, openedAt ?? at));
      rows.push({ line: opened, problem: openQuote });
      [at, line] = [endOfLine(text, openedAt ?? at), opened];
    } else {
      if (cells.some((one) => one !== '')) {
        rows.push({ line, cells });
        if (rows.length === 1) columns = cells.length;
      }
      [at, line] = [end, line + lines.length - 1];
    }
    const [ending] = /^(?:\r\n|\n|\r)/.exec(text.slice(at, at + 2)) ?? [''];
    at += ending.length;
    line += 1;
  }
  return rows;
}

interface RowEnd {
  readonly cells: readonly string[];
  /** Start of the first cell that goes on over several lines, or that is not closed. */
  readonly openedAt: number | null;
  readonly isClosed: boolean;
  /** Index of the line end after the row. */
  readonly end: number;
}

function readRow(text: string, start: number, separator: Separator): RowEnd {
  const cells: string[] = [];
  let openedAt: number | null = null;
  for (let at = start; ; at += 1) {
    const cell = text[at] === '"' ? quotedCell(text, at, separator) : plainCell(text, at, separator);
    if (cell === null) return { cells, openedAt: openedAt ?? at, isClosed: false, end: endOfLine(text, at) };
    if (openedAt === null && linesIn(text.slice(at, cell.end)) > 0) openedAt = at;
    cells.push(cell.text);
    at = cell.end;
    if (text[at] !== separator) return { cells, openedAt, isClosed: true, end: at };
  }
}

interface ParsedCell {
  readonly text: string;
  /** Index of what ends it: a separator, a line end, or the end of the text. */
  readonly end: number;
}

function plainCell(text: string, at: number, separator: Separator): ParsedCell {
  const ends = cellEnds[separator];
  ends.lastIndex = at;
  const end = ends.exec(text)?.index ?? text.length;
  return { text: text.slice(at, end).trim(), end };
}

/** null: it is not closed, or something follows its closing quote. */
function quotedCell(text: string, at: number, separator: Separator): ParsedCell | null {
  const inside = text.slice(at + 1, at + 1 + maxCellLength);
  const [quoted] = /^(?:[^"]|"")*"/.exec(inside) ?? [];
  if (quoted === undefined) return null;
  const closed = at + 1 + quoted.length;
  const after = plainCell(text, closed, separator);
  return after.text === '' ? { text: quoted.slice(0, -1).replaceAll('""', '"'), end: after.end } : null;
}

const linesIn = (text: string): number => text.match(lineEnd)?.length ?? 0;

function endOfLine(text: string, at: number): number {
  const end = text.slice(at).search(lineEnd);
  return end === -1 ? text.length : at + end;
}

const unquoted = (cell: string): string => cell.trim().replaceAll(/^"|"$/g, '');
