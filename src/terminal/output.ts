/** Tables for people, plain columns for pipes, the exact answer for `--json`. */

import { looksLikeId } from '../names/id-shape.js';
import { harmless } from '../text/printable.js';
import { cut, fitted, padded, widthOf } from './columns.js';
import { relative } from './shown-times.js';
import { styled } from './terminal.js';

export interface Screen {
  readonly isTerminal: boolean;
  readonly now: Date;
  /** Columns of the terminal; default: as wide as it takes. */
  readonly width?: number | undefined;
  /** Shows columns of ids on a terminal too, and never cuts them. */
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
export const fieldOf = (row: unknown, column: string): unknown =>
  column
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
      row,
    );

/** `externalUserId` → `EXTERNAL USER ID`. */
const heading = (column: string): string => column.replaceAll(/(?<=[a-z])(?=[A-Z])(?!B$)|[._]/g, ' ').toUpperCase();

const columnMin = 8;
/** Columns of ids that are no UUIDs, and of people with their id behind the name. */
const namesIds = /^(id|who)$|Id$/;

/** Columns in the order in which they are shown, each with its heading and its width. */
interface Layout {
  readonly columns: readonly string[];
  readonly widths: readonly number[];
  /** Columns that are not cut, whatever the width of the terminal. */
  readonly whole: ReadonlySet<string>;
}

/** Columns of UUIDs go last: people read who and why first. */
function ordered(rows: readonly object[], columns: readonly string[]): { texts: string[]; ids: string[] } {
  const holdsIds = (column: string): boolean => {
    const values = rows.map((row) => fieldOf(row, column)).filter((value) => value !== null && value !== undefined);
    return values.length > 0 && values.every((value) => typeof value === 'string' && looksLikeId.test(value));
  };
  return { texts: columns.filter((column) => !holdsIds(column)), ids: columns.filter(holdsIds) };
}

/**
 * One line a row under a line of names. On a terminal ids go last, and are left out where the line would get too long, unless
 * they are wanted: then they are shown whole and the other columns are cut. A pipe gets the columns as the command states them, whatever they hold.
 */
export function table(rows: readonly object[], columns: readonly string[], screen: Screen): string {
  const made = new Table(rows, columns, screen);
  return [made.names(), ...made.lines(rows)].join('\n');
}

/** A table that comes in parts: order and widths are those of the first rows. */
export class Table {
  private readonly layout: Layout;

  constructor(
    first: readonly object[],
    columns: readonly string[],
    private readonly screen: Screen,
  ) {
    this.layout = layoutOf(first, columns, screen);
  }

  names(): string {
    const names = this.line(this.layout.columns.map(heading));
    return this.screen.isTerminal ? styled('bold', names) : names;
  }

  lines(rows: readonly object[]): string[] {
    return rows.map((row) => this.line(cellsOf(row, this.layout, this.screen)));
  }

  /** Only a terminal has an edge; a pipe gets every value whole. */
  private line(cells: readonly string[]): string {
    const { columns, widths, whole } = this.layout;
    return cells
      .map((text, index) => {
        const isWhole = !this.screen.isTerminal || whole.has(columns[index] ?? '');
        return (isWhole ? padded : fitted)(text, widths[index] ?? 0);
      })
      .join(gap)
      .trimEnd();
  }
}

const cellsOf = (row: object, { columns, whole }: Omit<Layout, 'widths'>, screen: Screen): string[] =>
  columns.map((column) => {
    const text = cell(fieldOf(row, column), screen);
    return whole.has(column) ? text : shorten(text, screen);
  });

const none: ReadonlySet<string> = new Set();

function layoutOf(rows: readonly object[], columns: readonly string[], screen: Screen): Layout {
  if (!screen.isTerminal)
    return { columns, whole: none, widths: naturalWidths(rows, { columns, whole: none }, screen) };
  const { texts, ids } = ordered(rows, columns);
  const all = [...texts, ...ids];
  const whole = screen.ids === true ? new Set([...ids, ...all.filter((column) => namesIds.test(column))]) : none;
  const widths = naturalWidths(rows, { columns: all, whole }, screen);
  const { width } = screen;
  if (width === undefined || width <= 0 || lengthOf(widths) <= width) return { columns: all, widths, whole };
  if (screen.ids !== true && texts.length > 0)
    return { columns: texts, widths: fitting(widths.slice(0, texts.length), width), whole };
  return {
    columns: all,
    widths: fitting(
      widths,
      width,
      all.map((column) => whole.has(column)),
    ),
    whole,
  };
}

const naturalWidths = (rows: readonly object[], layout: Omit<Layout, 'widths'>, screen: Screen): number[] =>
  rows.reduce<number[]>(
    (widest, row) => cellsOf(row, layout, screen).map((text, index) => Math.max(widthOf(text), widest[index] ?? 0)),
    layout.columns.map((column) => widthOf(heading(column))),
  );

const lengthOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width + gap.length, -gap.length);

/** The widths that fit together: the widest that may be cut give way first, down to a few letters. */
function fitting(widths: readonly number[], room: number, isWhole: readonly boolean[] = []): readonly number[] {
  const fit = [...widths];
  const cuttable = (width: number, index: number): number => (isWhole[index] === true ? 0 : width);
  for (let over = lengthOf(fit) - room; over > 0; over = lengthOf(fit) - room) {
    const candidates = fit.map(cuttable);
    const widest = Math.max(...candidates);
    if (widest <= columnMin) break;
    const next = Math.max(columnMin, ...candidates.filter((width) => width < widest));
    fit[candidates.lastIndexOf(widest)] = Math.max(next === widest ? widest - 1 : next, widest - over, columnMin);
  }
  return fit;
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
