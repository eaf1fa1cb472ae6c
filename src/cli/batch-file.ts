/** A file of sanctions, one JSON object per line, split into the parts in which it is sent. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { batchItemsMax } from '../contract/moderation/sanction-batches.js';
import { CreateSanctionRequest } from '../contract/moderation/sanctions.js';
import { NotUnderstood, parseDuration } from './times.js';

/** Below the limit of a request, with room for the rest of the request. */
const partBytesMax = 3_500_000;

export interface BatchPart {
  readonly firstLine: number;
  readonly items: CreateSanctionRequest[];
}

export interface BatchFile {
  /** Derived from the content, so that sending the same file again continues the same batch. */
  readonly name: string;
  readonly parts: readonly BatchPart[];
}

/** Reads a file, or standard input where the path is `-`. Throws NotUnderstood, naming the line. */
export async function readBatch(path: string): Promise<BatchFile> {
  const content = path === '-' ? await text(process.stdin) : await readFile(path, 'utf8').catch(() => null);
  if (content === null) throw new NotUnderstood(`The file ${path} cannot be read.`);
  const lines = content.trimEnd().split('\n');
  const name = createHash('sha256').update(content.trimEnd()).digest('hex').slice(0, 16);
  return { name, parts: inParts(lines.map((line, index) => itemOf(line, index + 1))) };
}

interface Item {
  readonly bytes: number;
  readonly request: CreateSanctionRequest;
}

function itemOf(line: string, number: number): Item {
  const refuse = (why: string) => new NotUnderstood(`Line ${number}: ${why}`);
  const parsed = CreateSanctionRequest.safeParse(withSeconds(jsonOf(line, refuse), refuse));
  if (parsed.success) return { bytes: Buffer.byteLength(line), request: parsed.data };
  const [issue] = parsed.error.issues;
  throw refuse(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a sanction'}`);
}

function jsonOf(line: string, refuse: (why: string) => Error): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw refuse('not JSON; write one object such as {"type":"mute","externalUserId":"u_42","duration":"10m"} a line.');
  }
}

/** Durations may be written as people write them: `10m`. */
function withSeconds(item: unknown, refuse: (why: string) => Error): unknown {
  if (typeof item !== 'object' || item === null) throw refuse('not an object.');
  const duration: unknown = Reflect.get(item, 'duration');
  return typeof duration === 'string' ? { ...item, duration: parseDuration(duration) } : item;
}

function inParts(items: readonly Item[]): BatchPart[] {
  const parts: BatchPart[] = [];
  let bytes = 0;
  for (const [index, item] of items.entries()) {
    const last = parts.at(-1);
    bytes += item.bytes;
    if (last === undefined || last.items.length === batchItemsMax || bytes > partBytesMax) {
      parts.push({ firstLine: index + 1, items: [item.request] });
      bytes = item.bytes;
    } else last.items.push(item.request);
  }
  return parts;
}
