/** Finds the events of the log that became too old for their data, each once. They are redacted before the log deletes them. */

import type { Transaction } from '../database/database.js';
import type { Clock } from '../time/clock.js';
import type { RedactableEvent } from './redaction.js';

interface WalkedEvents {
  /** Events of the kinds that are asked for, all of them old. */
  readonly events: readonly RedactableEvent[];
  /** How many events of the log were passed, others included. */
  readonly passed: number;
}

export class RedactionWalk {
  constructor(
    /** Name of its position in the log. */
    private readonly name: string,
    private readonly now: Clock,
  ) {}

  /** Goes on through up to `limit` events, and stops before the first of these kinds that is not older than `before`. */
  async next(tx: Transaction, isAsked: (type: string) => boolean, before: Date, limit: number): Promise<WalkedEvents> {
    const { name } = this;
    const updatedAt = this.now();
    // Not enabled: it neither keeps events in the log nor counts as a subscriber.
    const { position } = await tx.cursor.upsert({
      where: { name },
      create: { name, position: 0, enabled: false, updatedAt },
      update: {},
    });
    const page = await tx.domainEvent.findMany({
      where: { shard: 0, position: { gt: position } },
      orderBy: { position: 'asc' },
      take: limit,
      select: { id: true, position: true, type: true, timestamp: true },
    });
    const young = page.findIndex(({ type, timestamp }) => isAsked(type) && timestamp >= before);
    const passed = young === -1 ? page : page.slice(0, young);
    const last = passed.at(-1);
    if (last === undefined) return { events: [], passed: 0 };
    const ids = passed.filter(({ type }) => isAsked(type)).map(({ id }) => id);
    const select = { id: true, type: true, resourceId: true, payload: true };
    const events = await tx.domainEvent.findMany({ where: { id: { in: ids } }, select });
    await tx.cursor.update({ where: { name }, data: { position: last.position, updatedAt } });
    return { events, passed: passed.length };
  }
}
