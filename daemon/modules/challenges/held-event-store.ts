/** Rows of game events that a sanction keeps from counting. */
import { findGameEvent, type GameEventProperties } from '../../../src/contract/gameplay/game-events.js';
import { GameEventType } from '../../../src/contract/gameplay/gameplay.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { StoredEvent } from '../game-events/event-store.js';

/** A game event, and the sanction that holds it. */
export interface HeldEvent {
  readonly eventId: string;
  readonly sanctionId: string;
}

/** Each id costs one step in the index, however many events the sanction holds. */
const sanctionIds = `WITH RECURSIVE holding("id") AS (
  SELECT MIN("sanctionId") FROM "HeldGameEvent"
  UNION ALL
  SELECT (SELECT MIN("sanctionId") FROM "HeldGameEvent" WHERE "sanctionId" > holding."id") FROM holding
    WHERE holding."id" IS NOT NULL)
  SELECT "id" FROM holding WHERE "id" IS NOT NULL`;

export class HeldEventStore {
  constructor(private readonly database: Pick<Database, 'read'>) {}

  async insert(tx: Transaction, events: readonly HeldEvent[]): Promise<void> {
    await tx.heldGameEvent.createMany({ data: [...events] });
  }

  /** The sanctions that hold an event. */
  async sanctionIds(): Promise<string[]> {
    const rows = await this.database.read.$queryRawUnsafe<{ id: string }[]>(sanctionIds);
    return rows.map(({ id }) => id);
  }

  /** Removes up to `limit` events that the sanction holds, the oldest first, and returns those whose kind is still known. */
  async remove(tx: Transaction, sanctionId: string, limit: number): Promise<{ events: StoredEvent[]; more: boolean }> {
    const rows = await tx.heldGameEvent.findMany({
      where: { sanctionId },
      orderBy: { eventId: 'asc' },
      take: limit,
      include: { event: { include: { project: { select: { tenantId: true } } } } },
    });
    await tx.heldGameEvent.deleteMany({ where: { eventId: { in: rows.map(({ eventId }) => eventId) } } });
    const events = rows.flatMap(({ event: { eventName, eventType, amount, metaData, project, ...row } }) => {
      const event = findGameEvent(eventName);
      if (event === null) return [];
      const properties = JSON.parse(metaData) as GameEventProperties;
      const type = GameEventType.parse(eventType);
      const { id, projectId, idempotencyKey, userId, teamId, sessionId } = row;
      return [
        {
          ...{ id, tenantId: project.tenantId, projectId, idempotencyKey, occurredAt: null },
          event: { event, userId, teamId, type, sessionId, properties, amount: Number(amount) },
        },
      ];
    });
    return { events, more: rows.length === limit };
  }
}
