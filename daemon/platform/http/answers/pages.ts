/**
 * Pages of lists: read in parts, tenants in turn, until the page is full by rows or by bytes. Rows of one project are much
 * alike, so their size says how many of them are read at once.
 */
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { RestQuery } from '../../../../src/contract/common.js';
import { isWholeList, type Route } from '../../../../src/contract/route.js';
import { atMost } from '../../collections/at-most.js';
import { bytesOf, WithinBytes } from '../../collections/within-bytes.js';
import { countThrough, cursorOf } from '../../database/row-page.js';
import { FairTurns } from '../../limits/fair-turns.js';

/** Rows that are read first where nothing is known about their size; and at once where they are small. */
const rowsFirst = 25;
const rowsAtOnceMax = 500;
/** A part that is smaller by the size of the list's rows waits for no turn: many of them at once take little memory. */
const smallBytes = 16 * 1024;
const rememberedMax = 10_000;
const rememberedMs = 10 * 60_000;

/**
 * By what a list goes on: the row before (`after`), or also a number of rows to pass over (`offset`). `rest`: by both, in a
 * list that its handler reads as a whole. An array: no list, but an object with these parts, which end where the answer does.
 */
export type Paging = 'offset' | 'after' | 'rest' | readonly string[];
export type Query = Readonly<Record<string, unknown>>;
type ReadPart = (query: Query) => Promise<unknown>;

export interface FollowingPage {
  readonly after: string;
  /** null: the list does not go on by it. */
  readonly offset: number | null;
}

/** A list, and whose turn it is. */
interface PagedList {
  /** Names the route and the project. */
  readonly name: string;
  readonly tenantId: string;
  /** Fields of a row by which the list goes on. */
  readonly cursor: readonly string[];
}

interface AnswerPage {
  readonly result: unknown;
  /** Start of the next page; null: these are the last rows. */
  readonly next: FollowingPage | null;
  /** Number of rows of the whole list, where it is known. */
  readonly total?: number;
}

/** null: the route has no pages. */
export function placeOf(route: Route): Paging | null {
  const { method, query, success } = route;
  if (isWholeList(route)) return 'rest';
  const parts = cutPartsOf(success.body);
  if (parts !== null) return parts;
  if (method !== 'get' || query === undefined || success.contentType !== undefined) return null;
  if (!('limit' in query.shape)) return null;
  if ('offset' in query.shape) return 'offset';
  return 'after' in query.shape && success.body?.type === 'array' ? 'after' : null;
}

/** The parts of an object whose field `cut` names those that are not whole (`cutParts`); null: it has no such field. */
function cutPartsOf(body: unknown): readonly string[] | null {
  const cut = body instanceof z.ZodObject ? body.shape.cut : undefined;
  const names = cut instanceof z.ZodOptional ? cut.unwrap() : undefined;
  const name = names instanceof z.ZodArray ? names.element : undefined;
  return name instanceof z.ZodEnum ? name.options.map(String) : null;
}

/** The rows of an answer, and the field that they are in; null: it is no list. */
function rowsOf(answer: unknown): { readonly field: string | null; readonly rows: readonly unknown[] } | null {
  if (Array.isArray(answer)) return { field: null, rows: answer };
  if (typeof answer !== 'object' || answer === null) return null;
  const [list, another] = Object.entries(answer).filter(([, value]) => Array.isArray(value));
  return list === undefined || another !== undefined ? null : { field: list[0], rows: list[1] };
}

export class Pages {
  private readonly turns = new FairTurns('answer_pages');
  /** Bytes of the largest row lately, by route and project; it counts for half with each part that has none as large. */
  private readonly rowBytes = new LRUCache<string, number>({ ...atMost(rememberedMax), ttl: rememberedMs });

  /**
   * Returns the rows of a list after the first `offset`, as many as fit. Each tenant reads one list after the other, so few
   * whole ones are in memory.
   */
  async rest(
    { tenantId, cursor }: PagedList,
    { offset, after }: z.output<typeof RestQuery>,
    readAll: () => Promise<unknown>,
  ): Promise<AnswerPage> {
    const all = await this.turns.run(tenantId, readAll);
    if (!Array.isArray(all)) return { result: all, next: null };
    const space = new WithinBytes();
    const rows: unknown[] = [];
    const from = offset + (after === undefined ? 0 : countThrough(all, after, cursor));
    for (const row of all.slice(from)) {
      if (!space.reserve(bytesOf(row))) break;
      rows.push(row);
    }
    const end = from + rows.length;
    const next = end < all.length ? { after: cursorOf(rows.at(-1), cursor), offset: end } : null;
    return { result: rows, next, total: all.length };
  }

  /**
   * Returns an object with as much of its parts as fits, the first ones first, and the names of those that are not whole.
   * Each tenant reads one after the other.
   */
  async cut(tenantId: string, parts: readonly string[], readAll: () => Promise<unknown>): Promise<AnswerPage> {
    const whole = Object(await this.turns.run(tenantId, readAll));
    const space = new WithinBytes();
    const shortened: Record<string, unknown> = {};
    for (const name of parts) {
      const part: unknown = whole[name];
      if (part === null || part === undefined) continue;
      const rows = Array.isArray(part) ? part : [part];
      const end = rows.findIndex((row) => !space.reserve(bytesOf(row)));
      if (end >= 0) shortened[name] = Array.isArray(part) ? rows.slice(0, end) : null;
    }
    const cut = Object.keys(shortened);
    return { result: cut.length === 0 ? whole : { ...whole, ...shortened, cut }, next: null };
  }

  async read(
    place: 'offset' | 'after',
    { name: list, tenantId, cursor }: PagedList,
    query: Query,
    readPart: ReadPart,
  ): Promise<AnswerPage> {
    const most = typeof query.limit === 'number' ? query.limit : Number.POSITIVE_INFINITY;
    const space = new WithinBytes();
    const rows: unknown[] = [];
    let first: unknown;
    let at: Query = {};
    for (;;) {
      const readNext = async () => {
        const limit = Math.min(most - rows.length, this.rowsAtOnce(list, space.left));
        return { limit, part: await readPart({ ...query, ...at, limit }) };
      };
      const isSmall = (most - rows.length) * (this.rowBytes.get(list) ?? smallBytes) <= smallBytes;
      const { limit, part } = await (isSmall ? readNext() : this.turns.run(tenantId, readNext));
      const found = rowsOf(part);
      if (found === null) return { result: limit === most ? part : await readPart(query), next: null };
      first ??= part;
      const fit = this.countFitting(list, found.rows, space);
      for (const row of found.rows.slice(0, fit)) rows.push(row);
      const isCut = fit < found.rows.length;
      const end = place === 'offset' && query.after === undefined ? Number(query.offset ?? 0) + rows.length : null;
      const isLast = !isCut && (found.rows.length < limit || end === Reflect.get(Object(first), 'total'));
      if (isLast || rows.length === 0) return { result: joined(first, found.field, rows, query, {}), next: null };
      const after = cursorOf(rows.at(-1), cursor);
      if (isCut || rows.length >= most) {
        const next = { nextAfter: after, ...(isCut && end !== null ? { next: end } : {}) };
        return { result: joined(first, found.field, rows, query, next), next: { after, offset: end } };
      }
      at = place === 'offset' ? { after, offset: 0 } : { after };
    }
  }

  private rowsAtOnce(list: string, bytes: number): number {
    const known = this.rowBytes.get(list);
    return known === undefined ? rowsFirst : Math.max(1, Math.min(rowsAtOnceMax, Math.floor(bytes / known)));
  }

  private countFitting(list: string, rows: readonly unknown[], space: WithinBytes): number {
    let largest = Math.max(1, (this.rowBytes.get(list) ?? 0) / 2);
    let fit = 0;
    for (const row of rows) {
      const bytes = bytesOf(row);
      largest = Math.max(largest, bytes);
      if (!space.reserve(bytes)) break;
      fit += 1;
    }
    if (rows.length > 0) this.rowBytes.set(list, largest);
    return fit;
  }
}

function joined(
  first: unknown,
  field: string | null,
  rows: unknown[],
  query: Query,
  next: { readonly nextAfter?: string; readonly next?: number },
): unknown {
  if (field === null) return rows;
  const whole: Record<string, unknown> = { ...Object(first), [field]: rows };
  if ('limit' in whole) whole.limit = query.limit;
  return { ...whole, ...next };
}
