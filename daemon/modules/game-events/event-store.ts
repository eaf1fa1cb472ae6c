/** Rows of game events: inserted in batches, never changed. */

import type { Database, Reader, Transaction } from '../../platform/database/database.js';
import { asLostRace } from '../../platform/database/errors.js';
import { firstIdAt } from '../../platform/ids/id-time.js';
import { continueAfter, uuidv7 } from '../../platform/ids/new-id.js';
import type { GameEvent } from './model/game-event.js';
import type { ReplayedEvent } from './replay-store.js';
import { eventKeyRows, eventRows, gameEventStatements } from './sql.js';

/** Approximate size of a row with its indexes, besides its properties. */
const rowBytes = 300;

export interface SubmittedEvent {
  readonly tenantId: string;
  readonly projectId: string;
  readonly event: GameEvent;
  /** A second event of the project with the same key has no effect. */
  readonly idempotencyKey: string | null;
  /** When it happened, where that was before it was sent; null: now. */
  readonly occurredAt: Date | null;
}

interface KeyedEvent extends SubmittedEvent {
  readonly idempotencyKey: string;
}
const isKeyed = (event: SubmittedEvent): event is KeyedEvent => event.idempotencyKey !== null;

export interface StoredEvent extends SubmittedEvent {
  readonly id: string;
}

/** A row of a game event that is about to be deleted. */
export interface RemovedEvent extends ReplayedEvent {
  readonly projectId: string;
  readonly eventName: string;
}

const oldColumns = {
  id: true,
  projectId: true,
  userId: true,
  teamId: true,
  eventName: true,
  eventType: true,
  metaData: true,
  origin: true,
  occurredAt: true,
  createdAt: true,
} as const;

/** An event gets its id before it waits for the batch in which it is stored. */
export const slackMs = 60_000;

/** `repeat`: the same event has been stored under its key; `other`: another one has. */
type Recognition = 'new' | 'repeat' | 'other';

const columnsOf = ({ projectId, event }: SubmittedEvent) => ({
  projectId,
  userId: event.userId,
  teamId: event.teamId,
  eventName: event.event.name,
  eventType: event.type as string,
  sessionId: event.sessionId,
  metaData: JSON.stringify(event.properties),
});
type EventColumns = ReturnType<typeof columnsOf>;
type KeyedRow = EventColumns & { readonly idempotencyKey: string };

/** Two events with the same content are the same under one key. */
const contentOf = ({ userId, teamId, eventName, eventType, sessionId, metaData }: EventColumns): string =>
  JSON.stringify([userId, teamId, eventName, eventType, sessionId, metaData]);

const keyOf = (projectId: string, key: string): string => `${projectId} ${key}`;

export class EventStore {
  private readonly sql;

  /** @param countStored told of the bytes that a tenant has stored, after the commit */
  constructor(
    private readonly database: Database,
    private readonly countStored: (tenantId: string, bytes: number) => void = () => {},
  ) {
    this.sql = gameEventStatements[database.dialect];
  }

  /** New ids come after those of stored events, by which exports go on. */
  async continueIds(): Promise<void> {
    const newest = await this.database.read.gameEvent.findFirst({ orderBy: { id: 'desc' }, select: { id: true } });
    if (newest !== null) continueAfter(newest.id);
  }

  /** How many events of a name a user sent in this time, by the daemon's clock. */
  countOf(projectId: string, userId: string, eventName: string, { after, until }: { after: Date; until: Date }) {
    const id = { gte: firstIdAt(after.getTime() - slackMs) }; // an index has the ids of a user in order
    const where = { projectId, userId, eventName, id, createdAt: { gt: after, lte: until } };
    return this.database.read.gameEvent.count({ where });
  }

  /** Compares each event with the one of its key that is stored already, or comes earlier in the list. */
  async recognise(tx: Transaction, events: readonly SubmittedEvent[]): Promise<readonly Recognition[]> {
    const keyed = events.filter(isKeyed);
    if (keyed.length === 0) return events.map(() => 'new');
    const rows = await tx.$queryRawUnsafe<KeyedRow[]>(this.sql.knownKeys, eventKeyRows.text(keyed));
    const seen = new Map(rows.map((row) => [keyOf(row.projectId, row.idempotencyKey), contentOf(row)]));
    return events.map((submitted) => {
      if (!isKeyed(submitted)) return 'new';
      const key = keyOf(submitted.projectId, submitted.idempotencyKey);
      const content = contentOf(columnsOf(submitted));
      const known = seen.get(key);
      if (known === undefined) seen.set(key, content);
      if (known === undefined) return 'new';
      return known === content ? 'repeat' : 'other';
    });
  }

  async insert(tx: Transaction, events: readonly SubmittedEvent[], now: Date): Promise<StoredEvent[]> {
    if (events.length === 0) return [];
    const stored = events.map(({ tenantId, projectId, event, idempotencyKey, occurredAt }) => ({
      id: uuidv7(),
      tenantId,
      projectId,
      event,
      idempotencyKey,
      occurredAt,
    }));
    const rows = stored.map((one) => ({
      ...columnsOf(one),
      id: one.id,
      amount: one.event.amount,
      idempotencyKey: one.idempotencyKey,
      occurredAt: one.occurredAt,
      createdAt: now,
    }));
    const prepared = await eventRows.prepare(this.database.dialect, rows);
    await this.database.write(tx, this.sql.insertEvents, prepared).catch(asLostRace); // another daemon has the same key
    this.database.afterCommit(tx, () => {
      for (const [index, { tenantId }] of stored.entries())
        this.countStored(tenantId, rowBytes + (rows[index]?.metaData.length ?? 0));
    });
    return stored;
  }

  /** When the oldest of all was stored; null: there is none. Ids are in order of time. */
  async oldest(reader: Reader): Promise<Date | null> {
    const row = await reader.gameEvent.findFirst({ orderBy: { id: 'asc' }, select: { createdAt: true } });
    return row?.createdAt ?? null;
  }

  /** Returns the `limit` oldest events that were stored before a time, ordered by id. */
  async before(tx: Transaction, time: Date, limit: number): Promise<RemovedEvent[]> {
    const rows = await tx.gameEvent.findMany({ orderBy: { id: 'asc' }, take: limit, select: oldColumns });
    return rows.filter(({ createdAt }) => createdAt < time);
  }

  /** Returns how many there were. */
  async remove(tx: Transaction, events: readonly { readonly id: string }[]): Promise<number> {
    return (await tx.gameEvent.deleteMany({ where: { id: { in: events.map(({ id }) => id) } } })).count;
  }
}
