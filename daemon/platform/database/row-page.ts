/**
 * Pages of rows. A cursor holds the values by which a list is ordered, of the last row that was shown: what comes after
 * them is found whether or not that row is still there, so rows that come and go are neither repeated nor skipped.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { cursorMax } from '../../../src/contract/common.js';
import { DomainError } from '../../../src/contract/errors.js';
import { compareText } from './bulk-rows.js';

/** Rows to skip are counted from the cursor. */
export interface RowPage {
  readonly limit: number;
  readonly offset: number;
  readonly after?: string | undefined;
}

/** The arguments of a query for a page in the order of ids; UUIDv7s are in the order in which their rows were made. */
const byId =
  (direction: 'asc' | 'desc') =>
  <Where extends object>(where: Where, { limit, offset, after }: RowPage) => ({
    where: after === undefined ? where : { ...where, id: direction === 'asc' ? { gt: after } : { lt: after } },
    orderBy: { id: direction },
    take: limit,
    skip: offset,
  });
export const oldestFirst = byId('asc');
export const newestFirst = byId('desc');

const Values = z.array(z.union([z.string(), z.number()]));

/** No id and no name is longer: what a database is asked for stays whole. */
const wholeMax = 200;
const beginningMax = 100;

/** Long text as its beginning, which keeps it in its order, and a hash of all of it, which tells it from others. */
const shortened = (text: string): string =>
  `${text.slice(0, beginningMax).toWellFormed()}#${createHash('sha256').update(text).digest('base64url')}`;

function valuesOf(row: unknown, fields: readonly string[]): unknown[] {
  const values =
    typeof row === 'object' && row !== null ? fields.map((field): unknown => Reflect.get(row, field) ?? '') : [row];
  return values.map((value) => (typeof value === 'string' && value.length > wholeMax ? shortened(value) : value));
}

/**
 * Returns the cursor of a row of an answer. A single value is its own cursor; several are JSON, in base64url unless letters
 * of three bytes make that too long.
 */
export function cursorOf(row: unknown, fields: readonly string[]): string {
  const values = valuesOf(row, fields);
  if (values.length === 1) return String(values[0]);
  const text = JSON.stringify(values);
  const cursor = Buffer.from(text).toString('base64url');
  return cursor.length <= cursorMax ? cursor : text;
}

/**
 * How many rows of a whole list come before a cursor or at it. If its row is gone, the list is in the order of the
 * cursor's fields, upwards or downwards.
 */
export function countThrough(rows: readonly unknown[], after: string, fields: readonly string[]): number {
  const at = rows.findLastIndex((row) => cursorOf(row, fields) === after);
  if (at >= 0) return at + 1;
  const place = fields.length === 1 ? [after] : valuesIn(after, z.tuple([]).rest(z.union([z.string(), z.number()])));
  const isUpwards = compareValues(valuesOf(rows[0], fields), valuesOf(rows.at(-1), fields)) <= 0;
  return rows.filter((row) => {
    const order = compareValues(valuesOf(row, fields), place);
    return isUpwards ? order < 0 : order > 0;
  }).length;
}

function compareValues(some: readonly unknown[], others: readonly unknown[]): number {
  for (const [index, one] of some.entries()) {
    const other = others[index];
    const order = typeof one === 'number' ? one - Number(other) : compareText(String(one), String(other));
    if (order !== 0) return order;
  }
  return 0;
}

/** Returns the values in a cursor of several fields. Throws validation_failed. */
export function valuesIn<T extends z.ZodTuple>(cursor: string, schema: T): z.output<T> {
  try {
    const text = cursor.startsWith('[') ? cursor : Buffer.from(cursor, 'base64url').toString();
    return schema.parse(Values.parse(JSON.parse(text)));
  } catch {
    const details = [{ path: 'query.after', message: 'is no cursor of this list: pass `nextAfter` of an answer' }];
    throw new DomainError('validation_failed', { details });
  }
}
