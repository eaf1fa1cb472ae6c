/** Tables for people, plain columns for pipes, the exact answer for `--json`. */
import { harmless } from '../printable.js';
import { cut, fitted, widthOf } from './columns.js';
import { styled } from './terminal.js';
import { relative } from './times.js';

export interface Screen {
  readonly isTerminal: boolean;
  readonly now: Date;
  /** Columns of the terminal; left out: as wide as it takes. */
  readonly width?: number | undefined;
  /** Shows columns of ids on a terminal too. */
  readonly ids?: boolean | undefined;
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const gap = '  ';
const cellMax = 60;

export function cell(value: unknown, { isTerminal, now }: Screen): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'string') return isTerminal && isoTime.test(value) ? relative(value, now) : harmless(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return harmless(value.join(', ')) || '-';
  return harmless(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

const shorten = (text: string, { isTerminal }: Screen): string => (isTerminal ? cut(text, cellMax) : text);
/** The value at `outer.inner`. */
export const fieldOf = (row: object, column: string): unknown =>
  column
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
      row,
    );

/** In English, else in any language that it is written in. */
export const textOf = (texts: Readonly<Record<string, string>>): string => texts.en ?? Object.values(texts)[0] ?? '';

/** `externalUserId` → `EXTERNAL USER ID`. */
const heading = (column: string): string => column.replaceAll(/(?<=[a-z])(?=[A-Z])(?!B$)|[._]/g, ' ').toUpperCase();

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const columnMin = 8;

/** Columns of UUIDs go last: people read who and why first. */
function ordered(rows: readonly object[], columns: readonly string[]): { texts: string[]; ids: string[] } {
  const holdsIds = (column: string): boolean => {
    const values = rows.map((row) => fieldOf(row, column)).filter((value) => value !== null && value !== undefined);
    return values.length > 0 && values.every((value) => typeof value === 'string' && uuid.test(value));
  };
  return { texts: columns.filter((column) => !holdsIds(column)), ids: columns.filter(holdsIds) };
}

/**
 * One line a row under a line of names. On a terminal ids are left out where the line would get too long, unless they are
 * wanted, and then the widest columns are cut.
 */
export function table(rows: readonly object[], columns: readonly string[], screen: Screen): string {
  const [names = '', ...cells] = fittingLines(rows, columns, screen);
  return [screen.isTerminal ? styled('bold', names) : names, ...cells].join('\n');
}

function fittingLines(rows: readonly object[], columns: readonly string[], screen: Screen): readonly string[] {
  const { texts, ids } = ordered(rows, columns);
  const whole = lines(rows, [...texts, ...ids], screen);
  const { width } = screen;
  const longest = Math.max(...whole.map(widthOf));
  if (!screen.isTerminal || width === undefined || width <= 0 || longest <= width) return whole;
  if (screen.ids === true || texts.length === 0) return lines(rows, [...texts, ...ids], screen, width);
  return lines(rows, texts, screen, width);
}

/** The widths that fit together: the widest give way first, down to a few letters. */
function fitting(widths: readonly number[], room: number | undefined): readonly number[] {
  const fit = [...widths];
  const over = () =>
    fit.reduce((sum, width) => sum + width + gap.length, -gap.length) - (room ?? Number.POSITIVE_INFINITY);
  while (over() > 0) {
    const widest = Math.max(...fit);
    if (widest <= columnMin) break;
    const index = fit.lastIndexOf(widest);
    const next = Math.max(columnMin, ...fit.filter((width) => width < widest));
    fit[index] = Math.max(next, widest - over(), columnMin);
    if (fit[index] === widest) fit[index] = widest - 1;
  }
  return fit;
}

function lines(rows: readonly object[], columns: readonly string[], screen: Screen, room?: number): string[] {
  const cells = rows.map((row) => columns.map((column) => shorten(cell(fieldOf(row, column), screen), screen)));
  const names = columns.map(heading);
  const natural = names.map((name, index) => Math.max(name.length, ...cells.map((line) => widthOf(line[index] ?? ''))));
  const widths = fitting(natural, room);
  const join = (line: readonly string[]): string =>
    line
      .map((text, index) => fitted(text, widths[index] ?? widthOf(text)))
      .join(gap)
      .trimEnd();
  return [names, ...cells].map(join);
}

/** A field in a field as `outer.inner`. */
const flat = (row: object, prefix = ''): [string, unknown][] =>
  Object.entries(row).flatMap(([name, value]): [string, unknown][] =>
    value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0
      ? flat(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, value]],
  );

/** One line a field. */
export function record(row: object, screen: Screen): string {
  const entries = flat(row);
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}${gap}${cell(value, screen)}`).join('\n');
}
