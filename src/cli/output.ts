/** Tables for people, plain columns for pipes, the exact answer for `--json`. */
import { harmless } from '../printable.js';
import { styled } from './terminal.js';
import { relative } from './times.js';

export interface Screen {
  readonly isTerminal: boolean;
  readonly now: Date;
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

const shorten = (text: string, { isTerminal }: Screen): string =>
  isTerminal && text.length > cellMax ? `${text.slice(0, cellMax - 1)}…` : text;
/** The value at `outer.inner`. */
export const fieldOf = (row: object, column: string): unknown =>
  column
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
      row,
    );

/** `externalUserId` → `EXTERNAL USER ID`. */
const heading = (column: string): string => column.replaceAll(/(?<=[a-z])(?=[A-Z])|[._]/g, ' ').toUpperCase();

/** One line a row under a line of names. */
export function table(rows: readonly object[], columns: readonly string[], screen: Screen): string {
  const cells = rows.map((row) => columns.map((column) => shorten(cell(fieldOf(row, column), screen), screen)));
  const names = columns.map(heading);
  const widths = names.map((name, index) => Math.max(name.length, ...cells.map((line) => line[index]?.length ?? 0)));
  const join = (line: readonly string[]): string =>
    line
      .map((text, index) => text.padEnd(widths[index] ?? 0))
      .join(gap)
      .trimEnd();
  const head = screen.isTerminal ? styled('bold', join(names)) : join(names);
  return [head, ...cells.map(join)].join('\n');
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
