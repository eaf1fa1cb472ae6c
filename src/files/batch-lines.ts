/** Sanctions of a file, one JSON object a line or CSV: read as a whole, judged line by line, split into the parts in which they are sent. */
import { batchItemsMax, SanctionBatchItem } from '../contract/moderation/sanction-batches.js';
import { typesWhere } from '../contract/moderation/sanction-kinds.js';
import { Sanction, SanctionType } from '../contract/moderation/sanction-record.js';
import type { CreateSanctionRequest } from '../contract/moderation/sanctions.js';
import { foreverWords } from '../text/forever.js';
import { durationOf, timeOf } from '../text/typed-times.js';
import { type BadLine, judgeRow, type ListRow, type ListShape, listRows, namesOf, plainName } from './list-rows.js';

/** Fields that people type in their own way, such as `10m`, each with what reads it. Throws TimeUnreadable. */
const readers: Readonly<Record<string, (typed: string, now: Date) => unknown>> = {
  duration: durationOf,
  startAt: (typed, now) => timeOf(typed, now, 'future'),
  endAt: (typed, now) => timeOf(typed, now, 'future'),
};

const kinds: ReadonlySet<string> = new Set([...SanctionType.options, 'ban']);
/** They have no end that a blank cell could leave open. */
const endless: ReadonlySet<unknown> = new Set(typesWhere(({ end, isMomentary }) => end === 'refused' || isMomentary));
/** Fields of a list of sanctions that say how its rows are to be read. */
const answerFields: ReadonlyMap<string, string> = new Map([
  ['status', 'status'],
  ['projectid', 'projectId'],
]);
const names = namesOf(SanctionBatchItem, Sanction);

const shape: ListShape = {
  fields: {
    ...names.fields,
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
  },
  ids: ['externalUserId', 'participantId'],
  // What lists of sanctions have besides follows from the rest. Another column may be the one that says when a ban ends.
  other: (name) => answerFields.get(plainName(name)) ?? (plainName(name) === 'by' ? null : names.other(name)),
  within: ['sanctions', 'items'],
  example: '{"type":"mute","externalUserId":"u_42","duration":"10m"}',
  isWholeRow: ({ type }) => typeof type === 'string' && kinds.has(type.toLowerCase()),
};

/** Below the limit of a request, with room for the rest of the request. */
const partBytesMax = 3_500_000;

export interface BatchItem {
  readonly line: number;
  readonly bytes: number;
  readonly request: CreateSanctionRequest;
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

/** Reads the content of a file; its name tells CSV, and so does a first line with names of columns. `now`: the daemon's time. */
export function batchLines(content: string, path: string, now: Date): BatchLines {
  const { read, rows, bad, columns } = listRows(content, path, shape);
  if (read === 0 && bad.length === 0) return { read, items: [], bad: [emptyFile] };
  const isTable = columns.length > 0;
  if (isTable && bad.length === 0 && !columns.includes('type')) return { read, items: [], bad: [typeMissing] };
  const judged = rows.flatMap((row) => itemIn(row, columns.includes('duration'), now));
  return {
    read,
    items: judged.flatMap((one) => ('request' in one ? [one] : [])),
    bad: [...bad, ...judged.flatMap((one) => ('request' in one ? [] : [one]))].sort((a, b) => a.line - b.line),
  };
}

const emptyFile: BadLine = { line: 1, field: '', message: 'The file is empty.' };
const typeMissing: BadLine = {
  line: 1,
  field: 'type',
  message: 'the file has no such column; add one that says mute, ban, warn or another kind in every line.',
};

/** The item, or everything that is wrong with the line. `hasDurations`: the file has a column of durations. */
function itemIn({ line, fields: given }: ListRow, hasDurations: boolean, now: Date): (BatchItem | BadLine)[] {
  const { status, projectId, ...fields }: Record<string, unknown> = { ...given };
  // The project of the answer has given the participant its id; the duration follows from start and end.
  if (typeof projectId === 'string' && typeof fields.externalUserId === 'string') delete fields.participantId;
  if (typeof projectId === 'string' && typeof fields.endAt === 'string') delete fields.duration;
  // Sanctions that a list calls ended would be in force again.
  if (status === 'revoked' || status === 'expired')
    return [{ line, field: 'status', message: `${status}: it would be imposed again; remove the line.` }];
  // Nobody is banned for good by a cell that somebody forgot.
  if (hasDurations && fields.duration === undefined && fields.endAt === undefined && !endless.has(fields.type))
    return [{ line, field: 'duration', message: 'the cell is empty; write 10m, 7d or another duration, or forever.' }];
  const bad: BadLine[] = [];
  for (const [field, read] of Object.entries(readers)) {
    const typed = fields[field];
    if (typeof typed !== 'string') continue;
    const isEndless = field !== 'startAt' && foreverWords.has(typed.trim().toLowerCase());
    try {
      fields[field] = isEndless ? undefined : read(typed, now);
    } catch (error) {
      bad.push({ line, field, message: error instanceof Error ? error.message : String(error) });
    }
  }
  // `ban` as lists take it: for a time or for good.
  const ends = fields.duration != null || fields.endAt != null;
  if (fields.type === 'ban') fields.type = ends ? 'temp_ban' : 'perm_ban';
  if (bad.length > 0) return bad;
  const judged = judgeRow(SanctionBatchItem, fields);
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
