/** A file of sanctions, one JSON object per line: read as a whole, judged line by line, split into the parts in which it is sent. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { batchItemsMax } from '../contract/moderation/sanction-batches.js';
import { CreateSanctionRequest } from '../contract/moderation/sanctions.js';
import { NotUnderstood, parseDuration } from './times.js';

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

export interface BatchFile {
  /** Derived from the content, so that sending the same file again continues the same batch. */
  readonly name: string;
  readonly items: readonly BatchItem[];
  readonly bad: readonly BadLine[];
}

/** Reads a file, or standard input where the path is `-`. Throws NotUnderstood where there is none. */
export async function readBatch(path: string): Promise<BatchFile> {
  const content = path === '-' ? await text(process.stdin) : await readFile(path, 'utf8').catch(() => null);
  if (content === null) throw new NotUnderstood(`The file ${path} cannot be read.`);
  const lines = content.trimEnd().split('\n');
  const name = createHash('sha256').update(content.trimEnd()).digest('hex').slice(0, 16);
  const judged = lines.map((line, index) => judge(line, index + 1));
  return {
    name,
    items: judged.flatMap((one) => ('request' in one ? [one] : [])),
    bad: judged.flatMap((one) => ('request' in one ? [] : one)),
  };
}

/** The item, or everything that is wrong with the line. */
function judge(text: string, line: number): BatchItem | BadLine[] {
  const bad = (field: string, message: string): BadLine => ({ line, field, message });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const example = '{"type":"mute","externalUserId":"u_42","duration":"10m"}';
    return [bad('', `not JSON; write one object such as ${example} a line.`)];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [bad('', 'not an object.')];
  let seconds: unknown;
  try {
    const duration: unknown = Reflect.get(value, 'duration');
    seconds = typeof duration === 'string' ? { ...value, duration: parseDuration(duration) } : value;
  } catch (error) {
    return [bad('duration', error instanceof Error ? error.message : String(error))];
  }
  const { success, data, error } = CreateSanctionRequest.safeParse(seconds);
  if (success) return { line, bytes: Buffer.byteLength(text), request: data };
  return error.issues.map(({ path, message }) => bad(path.join('.'), message));
}

/** Lines that follow each other go together; each keeps its number, so that a corrected file can be sent under the same name. */
export function inParts(items: readonly BatchItem[]): BatchPart[] {
  const parts: BatchPart[] = [];
  let bytes = 0;
  for (const item of items) {
    const last = parts.at(-1);
    bytes += item.bytes;
    const follows = last !== undefined && last.firstLine + last.items.length === item.line;
    if (!follows || last.items.length === batchItemsMax || bytes > partBytesMax) {
      parts.push({ firstLine: item.line, items: [item.request] });
      bytes = item.bytes;
    } else last.items.push(item.request);
  }
  return parts;
}
