/**
 * Reads the lists that people hand in, the same for every command: CSV with a header, JSON objects (one a line, in an array,
 * or in an array within an object), and plain lines where a list has one column. What a column is called may vary; a column
 * or field that is not known, two of one name, a cell too many and an id that a spreadsheet has ruined are named with their line.
 */
import type { z } from 'zod';
import { type judge, judgeWithoutNulls } from '../contract/judge.js';
import { didYouMean, nearest } from '../contract/nearest.js';
import { unknownFields } from '../contract/unknown-fields.js';
import { isRounded, roundedId, ruinedId, withoutGuard } from './csv-cell.js';
import { type CsvRow, csvRows } from './csv-rows.js';

export interface ListShape {
  /** Fields by what a file may call them, as `plainName` writes it. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Fields that hold ids. */
  readonly ids: readonly string[];
  /** Returns the field of a column of another name; null: it is ignored; undefined: it is refused. */
  other(name: string): string | null | undefined;
  /** Names of columns that are meant by a refused one, if `fields` are not all. */
  readonly otherNames?: readonly string[];
  /** Fields of the columns of a file without a header; absent: CSV has a header. */
  readonly withoutHeader?: readonly string[];
  /** Without a header, further columns are ignored in place of being refused. */
  readonly ignoresRest?: boolean;
  /** Fields of an object that may hold the list, as answers of the API do. */
  readonly within: readonly string[];
  /** Example of an object, for a line that is no JSON. */
  readonly example: string;
  /** True where a single line is a row of its own: a quote before it was never closed. */
  isWholeRow?(fields: Readonly<Record<string, unknown>>): boolean;
}

/** A row of the list, with the fields that are stated: cells that are empty state none. */
export interface ListRow {
  /** Number of its first line, or in a JSON array its place, from 1. */
  readonly line: number;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Fields that are as they were written, whatever they look like: no spreadsheet has read them. */
  readonly guarded: ReadonlySet<string>;
}

/** A line that is refused. */
export interface BadLine {
  readonly line: number;
  /** The field that is wrong; empty where the line as a whole is. */
  readonly field: string;
  readonly message: string;
}

export interface ListRows {
  /** Number of rows, good or bad; a quoted cell of several lines counts once. */
  readonly read: number;
  readonly rows: readonly ListRow[];
  readonly bad: readonly BadLine[];
  /** Fields of the columns of CSV; empty for JSON. */
  readonly columns: readonly string[];
  /** True if rows are numbered by their place in a JSON array, not by their line. */
  readonly isArray: boolean;
}

/** Reads the content of a file; its name may tell CSV. */
export function listRows(content: string, path: string, shape: ListShape): ListRows {
  const text = content.replace(/^\uFEFF/, '');
  const list = isJson(text, path, shape) ? jsonRows(text, shape) : tableRows(text, shape);
  const ruined = ruinedIds(list.rows, shape.ids);
  const isRuined = new Set(ruined.map(({ line }) => line));
  return {
    ...list,
    rows: list.rows.filter(({ line }) => !isRuined.has(line)),
    bad: [...list.bad, ...ruined].sort((a, b) => a.line - b.line),
  };
}

/** Without case, and however the words are put together. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Fields of a schema by their own names, and those of an answer that a list may have besides. */
export const namesOf = (request: z.ZodObject, answer?: z.ZodObject): Pick<ListShape, 'fields' | 'other'> => {
  const fields = Object.fromEntries(Object.keys(request.shape).map((name) => [name, [plainName(name)]]));
  const besides = new Set(Object.keys(answer?.shape ?? {}).map(plainName));
  return { fields, other: (name) => (besides.has(plainName(name)) ? null : undefined) };
};

/** Judges a row by the schema of its request; a field that the request does not have is a problem, however deep it lies. */
export function judgeRow<S extends z.ZodObject>(schema: S, fields: ListRow['fields']): ReturnType<typeof judge<S>> {
  const row = { ...fields };
  const judged = judgeWithoutNulls(schema, row);
  const unknown = unknownFields(schema, row);
  if (unknown.length === 0) return judged;
  const problems = unknown.map(({ path, message }) => ({ path: path.split('.'), message }));
  return { success: false, problems: judged.success ? problems : [...judged.problems, ...problems] };
}

/** The field; null: a column that is ignored; undefined: no such column. */
function fieldOf(name: string, { fields, other }: ListShape): string | null | undefined {
  const plain = plainName(name);
  return Object.entries(fields).find(([, names]) => names.includes(plain))?.[0] ?? other(name);
}

/** Where a list may be plain lines, a name may begin with a bracket. */
function isJson(text: string, path: string, { withoutHeader }: ListShape): boolean {
  if (withoutHeader !== undefined) return /^\s*(?:\{\s*["}]|\[\s*[[{"\]])/.test(text);
  return /^\s*[[{]/.test(text) || !(/\.csv$/i.test(path) || /^[^\n]*[,;\t]/.test(text.trimStart()));
}

function jsonRows(text: string, shape: ListShape): ListRows {
  const whole = parsed(text);
  const list = whole === undefined ? null : listIn(whole, shape);
  const lines: (ListRow | BadLine)[] =
    list === null
      ? text.split('\n').flatMap((one, index) => (one.trim() === '' ? [] : linesOf(one, index + 1, shape)))
      : list.map((value, index) => objectRow(value, index + 1, shape));
  return { ...sorted(lines), read: lines.length, columns: [], isArray: list !== null };
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The list that the value is or has within; null: the value is a row itself. */
function listIn(value: unknown, { within }: ListShape): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  const inner = isObject(value) ? within.map((name) => value[name]).find(Array.isArray) : undefined;
  return inner ?? (isObject(value) ? [value] : null);
}

function linesOf(text: string, line: number, shape: ListShape): (ListRow | BadLine)[] {
  const value = parsed(text);
  if (value === undefined)
    return [{ line, field: '', message: `not JSON; write one object per line, such as ${shape.example}.` }];
  return (listIn(value, shape) ?? [value]).map((one) => objectRow(one, line, shape));
}

function objectRow(value: unknown, line: number, shape: ListShape): ListRow | BadLine {
  if (!isObject(value)) return { line, field: '', message: 'not an object.' };
  const fields: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) {
    const field = fieldOf(name, shape);
    if (field === null || (field === undefined && one === null)) continue;
    if (field === undefined) return { line, field: name, message: unknownName('field', name, shape) };
    if (Object.hasOwn(fields, field)) return { line, field: name, message: `it is ${field}, which is there already.` };
    fields[field] = one;
  }
  return { line, fields, guarded: new Set(Object.keys(fields)) };
}

function tableRows(text: string, shape: ListShape): ListRows {
  const { withoutHeader, isWholeRow = () => false } = shape;
  const first = cellsOf(csvRows(/[^\r\n]+/.exec(text)?.[0] ?? '')[0]);
  const hasHeader = withoutHeader === undefined || first.some((name) => isField(name, shape));
  const columnsIn = (cells: readonly string[]) =>
    hasHeader ? cells.map((name) => fieldOf(name, shape)) : withoutHeader;
  const foreseen = columnsIn(first);
  const all = csvRows(text, (cells) => cells.length <= foreseen.length && isWholeRow(fieldsOf(cells, foreseen).fields));
  const [header, ...others] = all;
  if (header === undefined) return { read: 0, rows: [], bad: [], columns: [], isArray: false };
  const names = withoutEmptyEnd(cellsOf(header));
  const columns = columnsIn(names);
  const rows = hasHeader ? others : all;
  const wrong = !hasHeader ? [] : 'problem' in header ? [broken(header)] : headerProblems(header.line, names, shape);
  const cellsMax = !hasHeader && shape.ignoresRest === true ? Number.POSITIVE_INFINITY : columns.length;
  const lines = wrong.length > 0 ? wrong : rows.map((row) => tableRow(row, columns, cellsMax));
  const stated = columns.filter((column) => typeof column === 'string');
  return { ...sorted(lines), read: rows.length, columns: stated, isArray: false };
}

const cellsOf = (row: CsvRow | undefined): readonly string[] => (row !== undefined && 'cells' in row ? row.cells : []);

const isField = (name: string, { fields }: ListShape): boolean =>
  Object.values(fields).some((names) => names.includes(plainName(name)));

function tableRow(row: CsvRow, columns: readonly (string | null | undefined)[], cellsMax: number): ListRow | BadLine {
  if ('problem' in row) return broken(row);
  const { line, cells } = row;
  const { length } = withoutEmptyEnd(cells);
  if (length > cellsMax)
    return {
      line,
      field: '',
      message: `${length} cells, and ${cellsMax} ${cellsMax === 1 ? 'column' : 'columns'}; put a cell with a separator in quotes.`,
    };
  return { line, ...fieldsOf(cells, columns) };
}

function fieldsOf(
  cells: readonly string[],
  columns: readonly (string | null | undefined)[],
): Pick<ListRow, 'fields' | 'guarded'> {
  const fields: Record<string, unknown> = {};
  const guarded = new Set<string>();
  for (const [index, column] of columns.entries()) {
    const { text, isGuarded } = withoutGuard(cells[index] ?? '');
    if (typeof column !== 'string' || text === '') continue;
    fields[column] = text;
    if (isGuarded) guarded.add(column);
  }
  return { fields, guarded };
}

function unknownName(noun: 'column' | 'field', name: string, { fields, otherNames = [] }: ListShape): string {
  const known = [...Object.keys(fields), ...otherNames];
  const near = didYouMean(nearest(name, known), '');
  const there = `there are ${known.slice(0, 20).join(', ')}${known.length > 20 ? ', …' : ''}.`;
  return `no such ${noun}; ${there}${near === '' ? '' : ` ${near}`}`;
}

/** Lists problems with the names of the columns, which concern every line. */
function headerProblems(line: number, names: readonly string[], shape: ListShape): BadLine[] {
  const columns = names.map((name) => fieldOf(name, shape));
  const unknown = names.filter((_, index) => columns[index] === undefined);
  if (unknown.length > 0)
    return unknown.map((field) => ({ line, field, message: unknownName('column', field, shape) }));
  const twice = columns.find((column, index) => typeof column === 'string' && columns.indexOf(column) !== index);
  return typeof twice === 'string' ? [{ line, field: twice, message: 'two columns have this name; remove one.' }] : [];
}

/** Refuses ids that a spreadsheet has changed; rounded ones where all long ids of the list are, and there are several. */
function ruinedIds(rows: readonly ListRow[], ids: readonly string[]): BadLine[] {
  const bad: BadLine[] = [];
  for (const field of ids) {
    const texts = rows.flatMap(({ line, fields, guarded }) => {
      const text = fields[field];
      return typeof text === 'string' && !guarded.has(field) ? [{ line, text }] : [];
    });
    for (const { line, text } of texts) {
      const message = ruinedId(text);
      if (message !== null) bad.push({ line, field, message });
    }
    const long = texts.filter(({ text }) => /^\d{16,}$/.test(text));
    if (new Set(long.map(({ text }) => text)).size > 1 && long.every(({ text }) => isRounded(text)))
      for (const { line, text } of long) bad.push({ line, field, message: roundedId(text) });
  }
  return bad;
}

const broken = ({ line, problem }: { readonly line: number; readonly problem: string }): BadLine => ({
  line,
  field: '',
  message: problem,
});

const sorted = (lines: readonly (ListRow | BadLine)[]): Pick<ListRows, 'rows' | 'bad'> => ({
  rows: lines.flatMap((one) => ('fields' in one ? [one] : [])),
  bad: lines.flatMap((one) => ('fields' in one ? [] : [one])),
});

const withoutEmptyEnd = (cells: readonly string[]): readonly string[] =>
  cells.slice(0, cells.findLastIndex((one) => one !== '') + 1);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
