/**
 * Reads the part of the log that somebody may read, a bounded page at a time. The database selects by owner, type and
 * resource in an index, so events of others cost nothing, and those that a filter leaves out almost nothing.
 */
import type { Database, Reader, Transaction } from '../database/database.js';
import { partStatements } from './page-sql.js';
import type { EventRow, ReadEvent } from './record.js';

/** Index entries that one page may skip. */
const entriesMax = 3_000;
/** Events of one page, and the bytes of their payloads before its last event. */
const eventsMax = 250;
const bytesMax = 256 * 1024;

/** A project's events, or those of a tenant except these projects; events of no project belong to the tenant. */
export type LogOwner =
  | { readonly kind: 'project'; readonly id: string }
  | { readonly kind: 'tenant'; readonly id: string; readonly but: ReadonlySet<string> };

export interface LogFilter {
  readonly hears: (type: string) => boolean;
  /** `kind:id` or a bare id; empty: every resource. */
  readonly resources: readonly string[];
  /** Parts of a payload's JSON, of which one must be in it; left out: any payload. */
  readonly texts?: readonly string[] | undefined;
}

export interface PageRequest {
  readonly parts: readonly LogOwner[];
  readonly filter: LogFilter;
  readonly after: bigint;
  readonly to: bigint;
}

export interface LogPage {
  /** In order. */
  readonly events: readonly ReadEvent[];
  /** Everything up to here has been read. */
  readonly end: bigint;
}

interface EventPlace {
  readonly id: string;
  readonly position: bigint;
}

interface KindRow {
  readonly type: string;
  readonly projectId?: string | null;
  readonly end: bigint | number;
}

type RawQueries = Pick<Reader | Transaction, '$queryRawUnsafe'>;

const asList = (values: Iterable<string>): string => JSON.stringify([...values]);
const least = (positions: readonly bigint[]): bigint => positions.reduce((a, b) => (b < a ? b : a));

export class LogPages {
  private readonly sql;

  constructor(
    private readonly database: Database,
    /** null for an unreadable row. */
    private readonly toEvent: (row: EventRow) => ReadEvent | null,
  ) {
    this.sql = partStatements[database.dialect];
  }

  read(request: PageRequest): Promise<LogPage> {
    return this.page(this.database.read, request, 'events');
  }

  /** As `read`, inside a transaction: until its end nobody can redact what was read. */
  readLocked(tx: Transaction, request: PageRequest): Promise<LogPage> {
    return this.page(tx, request, 'lockedEvents');
  }

  /** The newest event at or before a position; null when there is none. */
  newestAt(parts: readonly LogOwner[], position: bigint): Promise<EventPlace | null> {
    return this.first(parts, 'newest', [position], (one, other) => one.position > other.position);
  }

  /** The oldest event that is kept; null when there is none. */
  oldest(parts: readonly LogOwner[]): Promise<EventPlace | null> {
    return this.first(parts, 'oldest', [], (one, other) => one.position < other.position);
  }

  private async first(
    parts: readonly LogOwner[],
    statement: 'newest' | 'oldest',
    parameters: readonly bigint[],
    goesBefore: (one: EventPlace, other: EventPlace) => boolean,
  ): Promise<EventPlace | null> {
    let found: EventPlace | null = null;
    for (const part of parts) {
      const sql = this.sql[part.kind][statement];
      type Row = { id: string; position: bigint | number };
      const [row] = await this.database.read.$queryRawUnsafe<Row[]>(sql, ...this.named(part), ...parameters);
      if (row === undefined) continue;
      const place = { id: row.id, position: BigInt(row.position) };
      if (found === null || goesBefore(place, found)) found = place;
    }
    return found;
  }

  private named(part: LogOwner): string[] {
    return part.kind === 'project' ? [part.id] : [part.id, asList(part.but)];
  }

  private async page(reader: RawQueries, request: PageRequest, statement: 'events' | 'lockedEvents'): Promise<LogPage> {
    const { parts, filter, after } = request;
    if (parts.length === 0 || request.to <= after) return { events: [], end: request.to > after ? request.to : after };
    const kinds: KindRow[][] = [];
    let to = request.to;
    for (const part of parts) {
      const rows = await reader.$queryRawUnsafe<KindRow[]>(
        this.sql[part.kind].kinds,
        ...[part.id, after, to, entriesMax - 1, to, part.id, after],
      );
      kinds.push(rows);
      to = BigInt(rows[0]?.end ?? to);
    }
    const found = new Map<bigint, ReadEvent>(); // by position: parts may overlap
    const ends = [to];
    for (const [index, part] of parts.entries()) {
      const heard = (kinds[index] ?? []).filter(({ type }) => filter.hears(type));
      const rows = await this.events(reader, part, heard, { ...request, to }, statement);
      const bytes = rows.reduce((sum, { payload }) => sum + Buffer.byteLength(payload), 0);
      const last = rows.at(-1);
      if (last !== undefined && (rows.length >= eventsMax || bytes >= bytesMax)) ends.push(BigInt(last.position));
      for (const row of rows) {
        const read = this.toEvent(row);
        if (read !== null) found.set(read.position, read);
      }
    }
    const end = least(ends);
    const events = [...found.values()].filter(({ position }) => position <= end);
    return { events: events.sort((a, b) => (a.position < b.position ? -1 : 1)), end };
  }

  private async events(
    reader: RawQueries,
    part: LogOwner,
    heard: readonly KindRow[],
    { filter: { resources, texts }, after, to }: PageRequest,
    statement: 'events' | 'lockedEvents',
  ): Promise<EventRow[]> {
    const shown = part.kind === 'project' ? heard : heard.filter(({ projectId }) => !part.but.has(projectId ?? ''));
    if (shown.length === 0) return [];
    const types = asList(new Set(shown.map(({ type }) => type)));
    const projects = asList(new Set(shown.flatMap(({ projectId }) => projectId ?? [])));
    const named = resources.length === 0 ? null : asList(resources);
    const contained = texts === undefined ? null : asList(texts);
    return reader.$queryRawUnsafe<EventRow[]>(
      this.sql[part.kind][statement],
      ...[part.id, after, to, types, ...(part.kind === 'project' ? [] : [projects])],
      ...[named, named, named, contained, contained, eventsMax, bytesMax],
    );
  }
}
