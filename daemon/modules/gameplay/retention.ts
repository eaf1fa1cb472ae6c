/**
 * Game events are kept for a number of days, and so are the log entries and deliveries about them. Players' progress
 * stays.
 */
import type { Clock } from '../../platform/clock.js';
import type { Settings } from '../../platform/config/schema.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { StoredEvent } from '../../platform/events/redaction.js';
import type { PersonalData } from '../../platform/scheduler/keep-personal-data.js';

/** Removes the data of these events from the log and from their deliveries. */
export type ForgetEvents = (tx: Transaction, events: readonly StoredEvent[]) => Promise<void>;

const dayMs = 86_400_000;
const jobName = 'gameplay-retention';
const announcedType = 'challenge.changed';

export class GameplayRetention {
  constructor(
    private readonly database: Database,
    private readonly days: number,
    private readonly forget: ForgetEvents,
    private readonly now: Clock,
  ) {}

  /**
   * Looks at up to `limit` of the oldest game events, whose ids are in order of time; returns how many were removed.
   */
  async prune(limit: number): Promise<number> {
    const before = this.cutoff();
    const oldest = await this.database.read.gameEvent.findFirst({
      orderBy: { id: 'asc' },
      select: { createdAt: true },
    });
    if (oldest === null || oldest.createdAt >= before) return 0;
    return this.database.transaction(async (tx) => {
      if (!(await this.database.isAlone(tx, jobName))) return 0;
      const rows = await tx.gameEvent.findMany({
        orderBy: { id: 'asc' },
        take: limit,
        select: { id: true, createdAt: true },
      });
      const old = rows.filter(({ createdAt }) => createdAt < before).map(({ id }) => id);
      return (await tx.gameEvent.deleteMany({ where: { id: { in: old } } })).count;
    });
  }

  /** Goes on through up to `limit` events of the log; returns how many it has passed. */
  async redact(limit: number): Promise<number> {
    return this.database.transaction(async (tx) => {
      if (!(await this.database.isAlone(tx, jobName))) return 0;
      const updatedAt = this.now();
      // Not enabled: it neither holds the log back nor counts as a subscriber.
      const { position } = await tx.cursor.upsert({
        where: { name: jobName },
        create: { name: jobName, position: 0, enabled: false, updatedAt },
        update: {},
      });
      const page = await tx.domainEvent.findMany({
        where: { shard: 0, position: { gt: position } },
        orderBy: { position: 'asc' },
        take: limit,
        select: { id: true, position: true, type: true, timestamp: true, resourceId: true },
      });
      const before = this.cutoff();
      const young = page.findIndex(({ type, timestamp }) => type === announcedType && timestamp >= before);
      const passed = young === -1 ? page : page.slice(0, young);
      const last = passed.at(-1);
      if (last === undefined) return 0;
      const ids = passed.filter(({ type }) => type === announcedType).map(({ id }) => id);
      const select = { id: true, resourceId: true, payload: true };
      await this.forget(tx, await tx.domainEvent.findMany({ where: { id: { in: ids } }, select }));
      await tx.cursor.update({ where: { name: jobName }, data: { position: last.position, updatedAt } });
      return passed.length;
    });
  }

  private cutoff = (): Date => new Date(this.now().getTime() - this.days * dayMs);
}

type Days = Pick<
  Settings,
  'EARSHOT_GAMEPLAY_RETENTION_DAYS' | 'EARSHOT_EVENT_RETENTION_DAYS' | 'EARSHOT_DELIVERY_RETENTION_DAYS'
>;

/** Deletes game events and, where the log would keep them longer, the log entries and deliveries about them. */
export function keptGameplay(database: Database, days: Days, forget: ForgetEvents, now: Clock): PersonalData[] {
  const gameplayDays = days.EARSHOT_GAMEPLAY_RETENTION_DAYS;
  const logDays = Math.max(days.EARSHOT_EVENT_RETENTION_DAYS, days.EARSHOT_DELIVERY_RETENTION_DAYS);
  const retention = new GameplayRetention(database, gameplayDays, forget, now);
  const events = { kind: 'game events', prune: (limit: number) => retention.prune(limit) };
  if (gameplayDays >= logDays) return [events];
  return [events, { kind: 'events about progress', prune: (limit: number) => retention.redact(limit) }];
}
