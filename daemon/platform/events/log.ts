/**
 * The event log: the only source of notifications. What a transaction appends is stored at its end, all at once: the next
 * positions come from one row, which is held until the commit, so a reader that has seen position n has seen all before
 * it, on both databases. After the commit a wake-up is sent; readers then fetch the events from here.
 */
import { LRUCache } from 'lru-cache';
import type { DomainEvent } from '../../../src/contract/events.js';
import { atMost } from '../collections/at-most.js';
import { joined, type PreparedRows } from '../database/bulk-rows.js';
import { type Database, idsAtOnce, type Transaction } from '../database/database.js';
import { sqlTime } from '../database/dialect.js';
import type { LastStatement } from '../database/open-transaction.js';
import { mapWithPauses, slicesOf } from '../database/slices.js';
import { madeAtMs } from '../ids/id-time.js';
import { continueAfter, uuidv7 } from '../ids/new-id.js';
import { FairTurns } from '../limits/fair-turns.js';
import type { Clock } from '../time/clock.js';
import type {
  AppendedRange,
  AppendHook,
  ConsumerPlace,
  LogBatch,
  LoggedEvent,
  NewEvent,
  PositionedEvent,
  PreparedEvents,
  ReadOptions,
  StillNeeded,
} from './logged.js';
import { packed } from './packed.js';
import { LogPages } from './pages.js';
import { type EventRow, type ReadEvent, toHead, toReadEvent } from './record.js';
import { EventRedaction } from './redaction.js';
import { eventRows, logStatements } from './sql.js';
import { clockStepMs, positionStoredBefore } from './stored-at.js';
import { LogTimelines } from './timelines.js';
import { Unstored, type UnstoredBatch } from './unstored.js';
import type { WakeUps } from './wake-ups.js';

type StoredListener = (events: readonly LoggedEvent[], range: AppendedRange) => void;

/** How many unreadable events are remembered as reported. */
const unreadableMax = 10_000;

const toRow = ({ event, storedPayload, subjectUserId }: LoggedEvent) => ({
  id: event.id,
  type: event.type,
  source: event.source,
  tenantId: event.tenantId,
  projectId: event.projectId ?? null,
  resourceId: event.resourceId,
  timestamp: new Date(event.timestamp),
  payload: storedPayload,
  subjectUserId,
});

export class EventLog {
  /** false: nobody reads the log, so callers need not compute what they would announce. */
  readonly isRead: boolean = true;
  /** Another number once anything was stored; null: unknown. */
  readonly version: () => number | null;
  /** Reads what somebody may read, a bounded page at a time. */
  readonly pages: LogPages;
  readonly timelines: LogTimelines;
  /** Decides whose page is read next. */
  readonly turns = new FairTurns('log_pages');
  private readonly hooks: AppendHook[] = [];
  private readonly needs: StillNeeded[] = [];
  private readonly listeners: StoredListener[] = [];
  /** Events that transactions in progress have appended and not yet stored. */
  private readonly appended = new WeakMap<Transaction, PreparedEvents[]>();
  private storedUpTo = 0n;
  private readonly unstored = new Unstored();
  private readonly unreadable = new LRUCache<string, true>(atMost(unreadableMax));
  private tellUnreadable: (id: string, error: unknown) => void = () => {};
  private readonly sql;
  /** Removes people from what is stored. */
  readonly redaction: EventRedaction;

  constructor(
    private readonly database: Database,
    private readonly wakeUps: WakeUps,
    private readonly now: Clock,
  ) {
    this.sql = logStatements[database.dialect];
    this.version = database.version;
    this.redaction = new EventRedaction(database);
    this.pages = new LogPages(database, (row) => this.toEvent(row));
    this.timelines = new LogTimelines(database, (row) => this.toEvent(row));
  }

  /** Position of the newest event that this daemon has stored; 0 before the first. */
  get stored(): bigint {
    return this.storedUpTo;
  }

  /** Makes sure that the head row exists, and that new ids come after those of stored events. */
  async start(): Promise<void> {
    await this.database.transaction((tx) => tx.$executeRawUnsafe(this.sql.ensureHead));
    const newest = await this.database.read.domainEvent.findFirst({ orderBy: { id: 'desc' }, select: { id: true } });
    if (newest !== null) continueAfter(newest.id);
  }

  onAppend(hook: AppendHook): void {
    this.hooks.push(hook);
  }

  /** Old events are kept as long as somebody still has to read them. */
  keepFor(need: StillNeeded): void {
    this.needs.push(need);
  }

  /** The first of the positions after which somebody still has to read; null: nobody does. */
  async neededAfter(tx: Transaction): Promise<bigint | null> {
    let first: bigint | null = null;
    for (const need of this.needs) {
      const after = await need(tx);
      if (after !== null && (first === null || after < first)) first = after;
    }
    return first;
  }

  /** Calls the listener with what this daemon has stored, after the commit. */
  onStored(listener: StoredListener): void {
    this.listeners.push(listener);
  }

  /** Calls the listener with each unreadable event, once; readers skip it. */
  onUnreadable(listener: (id: string, error: unknown) => void): void {
    this.tellUnreadable = listener;
  }

  /** Sets an event aside that a reader cannot process: it is reported with its id, once, and the reader goes on. */
  passOver(id: string, error: unknown): void {
    if (!this.unreadable.has(id)) this.tellUnreadable(id, error);
    this.unreadable.set(id, true);
  }

  /** Ids of events that were passed over since the start. */
  get passedOver(): readonly string[] {
    return [...this.unreadable.keys()];
  }

  /** Appends the events in the caller's transaction and returns them in the form that subscribers see. */
  async append(tx: Transaction, ...announced: readonly NewEvent[]): Promise<DomainEvent[]> {
    return this.appendPrepared(tx, await this.prepare(announced));
  }

  /** Everything about the events except their positions. Their time is now. */
  async prepare(announced: readonly NewEvent[]): Promise<PreparedEvents> {
    const logged = await mapWithPauses(announced, (one) => this.toLogged(one));
    return { logged, rows: await eventRows.prepare(this.database.dialect, await mapWithPauses(logged, toRow)) };
  }

  /** Appends them in the caller's transaction and returns them in the form that subscribers see. */
  appendPrepared(tx: Transaction, events: PreparedEvents): DomainEvent[] {
    const waiting = this.appended.get(tx);
    if (waiting === undefined) {
      this.appended.set(tx, [events]);
      this.database.beforeCommit(tx, () => this.storeWith(tx, true));
    } else waiting.push(events);
    return events.logged.map(({ event }) => event);
  }

  /**
   * Stores now what the transaction has appended so far, for work that changes or reads it in the same transaction. From
   * here on no other transaction appends until this one has ended.
   */
  store(tx: Transaction): Promise<void> {
    return this.storeWith(tx, false);
  }

  /** `isLast`: nothing but the commit follows. */
  private async storeWith(tx: Transaction, isLast: boolean): Promise<void> {
    const waiting = this.appended.get(tx)?.splice(0) ?? [];
    const logged = waiting.flatMap((events) => events.logged);
    if (logged.length === 0) return;
    const rows = waiting.flatMap((events) => events.rows);
    const after = [];
    for (const hook of this.hooks) after.push(await hook(tx, logged));
    await this.database.takeTurnHere(tx);
    const events = { count: logged.length, rows: joined(rows) };
    const rangeTo = (position: bigint) => ({ after: position - BigInt(logged.length), to: position });
    let position = 0n;
    const one = isLast && after.every((hook) => hook === null) ? this.inOne(events) : null;
    if (one === null) {
      position = await this.unstored.watch(events, () => this.insert(tx, events.count, events.rows));
      for (const hook of after) await hook?.(rangeTo(position));
    } else
      this.database.withCommit(tx, {
        ...one,
        answered: (heads) => {
          position = headOf(heads).position;
        },
        failed: (error) => this.unstored.keep(events, error),
      });
    this.database.afterCommit(tx, () => {
      this.unstored.clear();
      if (position > this.storedUpTo) this.storedUpTo = position;
      for (const listener of this.listeners) listener(logged, rangeTo(position));
      this.wakeUps.wake();
    });
  }

  /** The statement that stores all of them; null: there is none. */
  private inOne({ count, rows }: UnstoredBatch): Pick<LastStatement, 'text' | 'parameters'> | null {
    const [first, second] = rows;
    const { takeAndInsert } = this.sql;
    if (takeAndInsert === null || first === undefined || second !== undefined || !('text' in first)) return null;
    return { text: takeAndInsert, parameters: this.headParameters(count, first.text) };
  }

  /** Appends nothing, by the same steps. Throws, or does not resolve, where no event could be appended now. */
  tryAppend(): Promise<void> {
    return this.unstored.tryAgain<Transaction>(
      (work) =>
        this.database.transaction(async (tx) => {
          await this.database.takeTurnHere(tx);
          await work(tx);
        }),
      {
        store: (tx, { count, rows }) => this.insert(tx, count, rows),
        idle: (tx) => this.takePositions(tx, this.sql.takePositions, 0),
      },
    );
  }

  /** Returns up to `limit` events of all owners after a position, in order. */
  async read(request: ReadOptions): Promise<readonly PositionedEvent[]> {
    return (await this.follow(request))(() => true).events;
  }

  /**
   * Reads like `read`; the result returns the events, and where the part of the log ends. `isWanted`: somebody looks at the
   * payload of an event of this type; to unpack one takes longer than to read it.
   */
  async follow({ after, limit }: ReadOptions): Promise<(isWanted: (type: string) => boolean) => LogBatch> {
    const rows = await this.database.read.$queryRawUnsafe<EventRow[]>(this.sql.readEvents, after, limit);
    const [end, more] = [BigInt(rows.at(-1)?.position ?? after), rows.length === limit];
    return (isWanted) => ({ events: rows.flatMap((row) => this.toEvent(row, isWanted(row.type)) ?? []), end, more });
  }

  /** null also for an unreadable one. */
  async find(id: string): Promise<PositionedEvent | null> {
    const [row] = await this.database.read.$queryRawUnsafe<EventRow[]>(this.sql.findEvent, id);
    return row === undefined ? null : this.toEvent(row);
  }

  /** Returns the positions of the events with these ids; those that are not kept any more are left out. */
  async positionsOf(tx: Transaction, ids: readonly string[]): Promise<Map<string, bigint>> {
    const found = new Map<string, bigint>();
    for (const part of slicesOf(ids, idsAtOnce)) {
      const where = { id: { in: [...part] } };
      for (const { id, position } of await tx.domainEvent.findMany({ where, select: { id: true, position: true } }))
        found.set(id, position);
    }
    return found;
  }

  /** The durable subscribers that read the project's events. */
  async consumers(projectId: string): Promise<ConsumerPlace[]> {
    return this.database.read.cursor.findMany({ where: { enabled: true, projectId }, orderBy: { name: 'asc' } });
  }

  /** When the newest event was stored; null: there is none. */
  async newestStoredAt(): Promise<Date | null> {
    const { read } = this.database;
    const newest = await read.domainEvent.findFirst({ orderBy: { position: 'desc' }, select: { storedAt: true } });
    return newest?.storedAt ?? null;
  }

  /** Position of the newest event; 0 when there has been none. */
  async head(): Promise<bigint> {
    return (await this.database.read.streamHead.findUnique({ where: { shard: 0 } }))?.position ?? 0n;
  }

  /**
   * The position after which every kept event that was stored later than `time` lies. The daemon's time of storing
   * counts, not the event's own. Where the clock was set back, the range is rather too large than too small.
   */
  positionBefore(time: Date): Promise<bigint> {
    return positionStoredBefore(this.database.read, time, this.now());
  }

  /** The position after which every kept event later than the time of an id (UUIDv7) lies. */
  positionBeforeId(id: string): Promise<bigint> {
    return this.positionBefore(new Date(madeAtMs(id) - 1));
  }

  /** Returns the position of the last event. */
  private async insert(tx: Transaction, count: number, rows: readonly PreparedRows[]): Promise<bigint> {
    const { takePositions, takeAndInsert, insertEvents } = this.sql;
    const [first] = rows;
    const isInOne = takeAndInsert !== null && first !== undefined && 'text' in first;
    const { position, storedAt } = isInOne
      ? await this.takePositions(tx, takeAndInsert, count, first.text)
      : await this.takePositions(tx, takePositions, count);
    const others = isInOne ? rows.slice(1) : rows;
    const from = Number(position) - count + 1 + (isInOne ? first.count : 0);
    await this.database.write(tx, insertEvents, others, (place) => [0, from + place, sqlTime(storedAt)]);
    return position;
  }

  private async takePositions(tx: Transaction, statement: string, count: number, ...rows: string[]) {
    return headOf(await tx.$queryRawUnsafe<HeadRow[]>(statement, ...this.headParameters(count, ...rows)));
  }

  private headParameters(count: number, ...rows: string[]): readonly (string | number)[] {
    const now = this.now();
    const ahead = new Date(now.getTime() + clockStepMs);
    return [count, sqlTime(now), sqlTime(ahead), sqlTime(now), ...rows];
  }

  private toEvent(row: EventRow, isWanted = true): ReadEvent | null {
    try {
      return isWanted ? toReadEvent(row) : toHead(row);
    } catch (error) {
      this.passOver(row.id, error);
      return null;
    }
  }

  private toLogged(announced: NewEvent): LoggedEvent {
    const { type, source = 'cortex:api', tenantId, projectId, resourceId, action, data, changes } = announced;
    const payload = { action, data, ...(changes === undefined ? {} : { changes }) };
    const payloadText = JSON.stringify(payload);
    return {
      subjectUserId: announced.subjectUserId ?? null,
      payloadText,
      storedPayload: announced.isPacked === true ? packed(payloadText) : payloadText,
      event: {
        id: uuidv7(),
        type,
        source,
        tenantId,
        ...(projectId === null ? {} : { projectId }),
        resourceId,
        timestamp: (announced.timestamp ?? this.now()).toISOString(),
        payload,
      },
    };
  }
}

interface HeadRow {
  readonly position: bigint | number;
  readonly storedAt: Date | string;
}

function headOf([head]: readonly (HeadRow | Record<string, unknown>)[]): { position: bigint; storedAt: Date } {
  if (head === undefined) throw new Error('The event log has no head row; it was not started.');
  const { position, storedAt } = head as HeadRow;
  return { position: BigInt(position), storedAt: new Date(storedAt) };
}

/** Previous values of the fields that differ, or undefined when none does. */
export function changesBetween<T extends object>(before: T, after: T): Record<string, unknown> | undefined {
  const changed = Object.entries(before).filter(([name, value]) => {
    const now = after[name as keyof T];
    return value !== now && JSON.stringify(value) !== JSON.stringify(now);
  });
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}
