/** Rows of game events: inserted in batches, never changed. */
import { uuidv7 } from 'uuidv7';
import type { Dialect, Reader, Transaction } from '../../platform/database/database.js';
import type { GameEvent } from './game-event.js';
import { eventKeyRows, eventRows, gameplayStatements } from './sql.js';

export interface SubmittedEvent {
  readonly projectId: string;
  readonly event: GameEvent;
  /** A second event of the project with the same key has no effect. */
  readonly idempotencyKey: string | null;
}

const keyOf = (projectId: string, key: string): string => `${projectId} ${key}`;

export class EventStore {
  private readonly sql;

  constructor(dialect: Dialect) {
    this.sql = gameplayStatements[dialect];
  }

  /** The events without those whose key is stored already or occurred earlier in the list. */
  async withoutRepeats(tx: Transaction, events: readonly SubmittedEvent[]): Promise<SubmittedEvent[]> {
    const keyed = events.flatMap(({ projectId, idempotencyKey }) =>
      idempotencyKey === null ? [] : [{ projectId, idempotencyKey }],
    );
    const seen = new Set<string>();
    if (keyed.length > 0) {
      type Row = { projectId: string; idempotencyKey: string };
      const rows = await tx.$queryRawUnsafe<Row[]>(this.sql.knownKeys, eventKeyRows.text(keyed));
      for (const row of rows) seen.add(keyOf(row.projectId, row.idempotencyKey));
    }
    return events.filter(({ projectId, idempotencyKey }) => {
      if (idempotencyKey === null) return true;
      const key = keyOf(projectId, idempotencyKey);
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
  }

  async insert(tx: Transaction, events: readonly SubmittedEvent[], now: Date): Promise<void> {
    const rows = events.map(({ projectId, event, idempotencyKey }) => ({
      id: uuidv7(),
      projectId,
      userId: event.userId,
      teamId: event.teamId,
      eventName: event.event.name,
      eventType: event.type,
      sessionId: event.sessionId,
      amount: event.amount,
      metaData: JSON.stringify(event.properties),
      idempotencyKey,
      createdAt: now,
    }));
    await tx.$executeRawUnsafe(this.sql.insertEvents, eventRows.text(rows));
  }

  /** When the oldest of all was stored; null: there is none. Ids are in order of time. */
  async oldest(reader: Reader): Promise<Date | null> {
    const row = await reader.gameEvent.findFirst({ orderBy: { id: 'asc' }, select: { createdAt: true } });
    return row?.createdAt ?? null;
  }

  /** Deletes those of the `limit` oldest events that were stored before a time; returns how many. */
  async removeBefore(tx: Transaction, time: Date, limit: number): Promise<number> {
    const rows = await tx.gameEvent.findMany({
      orderBy: { id: 'asc' },
      take: limit,
      select: { id: true, createdAt: true },
    });
    const old = rows.filter(({ createdAt }) => createdAt < time).map(({ id }) => id);
    return (await tx.gameEvent.deleteMany({ where: { id: { in: old } } })).count;
  }
}
