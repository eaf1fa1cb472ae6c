/** Sanctions of a file, one JSON object a line or CSV: read as a whole, judged line by line, split into the parts in which they are sent. */
import { judge } from '../contract/judge.js';
import { batchItemsMax } from '../contract/moderation/sanction-batches.js';
import { SanctionType } from '../contract/moderation/sanction-record.js';
import { CreateSanctionRequest } from '../contract/moderation/sanctions.js';
import { type CsvRow, csvRows } from './csv-rows.js';

/** Enough for the names of all columns. */
const headerMax = 1_000;

/** Reads fields that people type in their own way, such as `10m`. Throws with what is wrong. */
export type FieldReaders = Readonly<Record<string, (typed: string) => unknown>>;

/** Columns of a CSV file by what its header may call them, in any case and however the words are put together. */
const columnNames: Readonly<Record<string, readonly string[]>> = {
  type: ['type', 'kind', 'sanction'],
  externalUserId: ['externaluserid', 'user', 'userid', 'player', 'playerid'],
  participantId: ['participantid'],
  duration: ['duration', 'length'],
  startAt: ['startat', 'start', 'from'],
  endAt: ['endat', 'end', 'ends', 'until', 'expires', 'expiresat'],
  reason: ['reason'],
  template: ['template'],
  note: ['note', 'notes'],
  scope: ['scope'],
};
/** Columns of `sanctions list --csv` that are ignored, because they follow from the rest. */
const passedOver: ReadonlySet<string> = new Set(['status', 'by', 'createdat', 'id']);
/** Before what a spreadsheet would take for a formula; lists as CSV have it, too (src/cli/files/csv.ts). */
const formulaMark = /^'(?=[=+\-@\t\r])/;
const columnsThere = `there are ${Object.keys(columnNames).join(', ')}.`;

/** The field; null: a column that says nothing of what is to be imposed. */
function columnOf(header: string): string | null | undefined {
  const name = header.toLowerCase().replaceAll(/[^a-z]/g, '');
  if (passedOver.has(name)) return null;
  return Object.entries(columnNames).find(([, names]) => names.includes(name))?.[0];
}

/** Below the limit of a request, with room for the rest of the request. */
const partBytesMax = 3_500_000;

export interface BatchItem {
  readonly line: number;
  readonly bytes: number;
  readonly request: CreateSanctionRequest;
}

/** A line that cannot be sent, or that the daemon refuses. */
export interface BadLine {
  readonly line: number;
  /** The field that is wrong; empty where the line as a whole is. */
  readonly field: string;
  readonly message: string;
}

export interface BatchPart {
  readonly firstLine: number;
  readonly items: CreateSanctionRequest[];
}

export interface BatchLines {
  /** Number of lines with a sanction, good or bad; a quoted cell of several lines counts once. */
  readonly read: number;
  readonly items: readonly BatchItem[];
  readonly bad: readonly BadLine[];
}

/** Reads the content of a file; its name tells CSV, and so does a first line with names of columns. */
export function batchLines(content: string, path: string, readers: FieldReaders): BatchLines {
  return isCsv(path, content) ? csvItems(content, readers) : jsonItems(content, readers);
}

/** Recognises CSV by the file name, or by a first line with column names (JSON begins with a brace). */
const isCsv = (path: string, content: string): boolean =>
  /\.csv$/i.test(path) || /^\uFEFF?["\w ]+[,;\t]/.test(content.slice(0, headerMax));

/** A line as it stands in the file, or what is wrong with it. */
type JudgedLine = BatchItem | BadLine;

const sorted = (judged: readonly JudgedLine[], read: number): BatchLines => ({
  read,
  items: judged.flatMap((one) => ('request' in one ? [one] : [])),
  bad: judged.flatMap((one) => ('request' in one ? [] : [one])),
});

function jsonItems(content: string, readers: FieldReaders): BatchLines {
  const lines = content
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\n');
  const judged = lines.flatMap((text, index): JudgedLine[] => {
    const line = index + 1;
    try {
      return itemIn(JSON.parse(text), line, readers);
    } catch {
      const example = '{"type":"mute","externalUserId":"u_42","duration":"10m"}';
      return [{ line, field: '', message: `not JSON; write one object per line, such as ${example}.` }];
    }
  });
  return sorted(judged, lines.length);
}

/** Lists problems with the names of the columns, which concern every line. */
function headerProblems({ line, cells }: { readonly line: number; readonly cells: readonly string[] }): BadLine[] {
  const columns = cells.map(columnOf);
  const unknown = cells.filter((_, index) => columns[index] === undefined);
  // A column that is passed over may be the one that says when a ban ends.
  if (unknown.length > 0) return unknown.map((field) => ({ line, field, message: `no such column; ${columnsThere}` }));
  const twice = columns.find((column, index) => typeof column === 'string' && columns.indexOf(column) !== index);
  if (twice !== undefined && twice !== null)
    return [{ line, field: twice, message: 'two columns have this name; remove one.' }];
  const missing = 'the file has no such column; add one that says mute, ban, warn or another kind in every line.';
  return columns.includes('type') ? [] : [{ line, field: 'type', message: missing }];
}

const kinds: ReadonlySet<string> = new Set([...SanctionType.options, 'ban']);

function csvItems(content: string, readers: FieldReaders): BatchLines {
  const names = csvRows(/[^\r\n]+/.exec(content)?.[0] ?? '').flatMap((row) => ('cells' in row ? row.cells : []));
  const kindAt = names.findIndex((name) => columnOf(name) === 'type');
  const isWholeRow = (cells: readonly string[]): boolean =>
    cells.length <= names.length && kinds.has(cells[kindAt]?.toLowerCase() ?? '');
  const [header, ...rows] = csvRows(content, isWholeRow);
  if (header === undefined) return sorted([{ line: 1, field: '', message: 'The file is empty.' }], 0);
  const wrong = 'problem' in header ? [broken(header)] : headerProblems(header);
  const judged = 'problem' in header || wrong.length > 0 ? wrong : itemsOf(header.cells, rows, readers);
  return sorted(judged, rows.length);
}

const broken = ({ line, problem }: { readonly line: number; readonly problem: string }): BadLine => ({
  line,
  field: '',
  message: problem,
});

function itemsOf(names: readonly string[], rows: readonly CsvRow[], readers: FieldReaders): JudgedLine[] {
  const columns = names.map(columnOf);
  const status = names.findIndex((name) => name.toLowerCase() === 'status');
  return rows.flatMap((row): JudgedLine[] => {
    if ('problem' in row) return [broken(row)];
    const { line, cells } = row;
    if (cells.length > columns.length)
      return [{ line, field: '', message: `${cells.length} cells, and ${columns.length} columns.` }];
    // Sanctions that the list calls ended would be in force again.
    const ended = cells[status];
    if (ended === 'revoked' || ended === 'expired')
      return [{ line, field: 'status', message: `${ended}: it would be imposed again; remove the line.` }];
    const fields: Record<string, unknown> = {};
    for (const [index, column] of columns.entries()) {
      const text = (cells[index] ?? '').replace(formulaMark, '');
      if (typeof column === 'string' && text !== '') fields[column] = text;
    }
    return itemIn(fields, line, readers);
  });
}

/** The item, or everything that is wrong with the line. */
function itemIn(value: unknown, line: number, readers: FieldReaders): JudgedLine[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ line, field: '', message: 'not an object.' }];
  const fields: Record<string, unknown> = { ...value };
  const bad: BadLine[] = [];
  for (const [field, read] of Object.entries(readers)) {
    const typed = fields[field];
    if (typeof typed !== 'string') continue;
    try {
      fields[field] = read(typed);
    } catch (error) {
      bad.push({ line, field, message: error instanceof Error ? error.message : String(error) });
    }
  }
  // `ban` as lists take it: for a time or for good.
  const ends = fields.duration !== undefined || fields.endAt !== undefined;
  if (fields.type === 'ban') fields.type = ends ? 'temp_ban' : 'perm_ban';
  if (bad.length > 0) return bad;
  const judged = judge(CreateSanctionRequest, fields);
  if (!judged.success) return judged.problems.map(({ path, message }) => ({ line, field: path.join('.'), message }));
  const request = judged.data;
  return [{ line, bytes: new TextEncoder().encode(JSON.stringify(request)).length, request }];
}

/** Lines that follow each other go together; each keeps its number, so that a corrected file can be sent under the same name. */
export function inParts(items: readonly BatchItem[], itemsMax = batchItemsMax): BatchPart[] {
  const parts: BatchPart[] = [];
  let bytes = 0;
  for (const item of items) {
    const last = parts.at(-1);
    bytes += item.bytes;
    const follows = last !== undefined && last.firstLine + last.items.length === item.line;
    if (!follows || last.items.length === itemsMax || bytes > partBytesMax) {
      parts.push({ firstLine: item.line, items: [item.request] });
      bytes = item.bytes;
    } else last.items.push(item.request);
  }
  return parts;
}
