/** Written-out statements by which a recount reads stored events and keeps how far it has come. */
import { z } from 'zod';
import type { Transaction } from '../../../platform/database/database.js';
import { type Dialect, sqlTime } from '../../../platform/database/dialect.js';
import type { Count } from './board.js';

interface RecountStatements {
  /** Parameter: tallyId. Increases its version, so that it stays locked; returns countedTo and rules. */
  readonly lock: string;
  /** Parameters: countedTo, tallyId. */
  readonly move: string;
  /** Parameters: id, id, how many. Returns the last id of so many events behind the first id and up to the second. */
  readonly last: string;
  /** Parameters: id, id, projectId, eventName, from, until. Returns the events behind the first id and up to the second. */
  readonly events: string;
}

const statements = (
  parameter: (place: number) => string,
  time: (text: string) => string,
  /** SQLite would else read all events of the project, by another index. */
  projectId: string,
): RecountStatements => {
  const [first, second, third, fourth, fifth, sixth] = [1, 2, 3, 4, 5, 6].map(parameter);
  const between = `"id" > ${first} AND "id" <= ${second}`;
  return {
    lock: `UPDATE "LeaderboardTally" SET "version" = "version" + 1 WHERE "id" = ${first} RETURNING "countedTo", "rules"`,
    move: `UPDATE "LeaderboardTally" SET "countedTo" = ${first} WHERE "id" = ${second}`,
    last: `SELECT MAX("id") AS "last" FROM
      (SELECT "id" FROM "GameEvent" WHERE ${between} ORDER BY "id" LIMIT ${third}) AS page`,
    events: `SELECT "id", "userId", "teamId", "eventType", "metaData", "createdAt" FROM "GameEvent"
      WHERE ${between} AND ${projectId} = ${third} AND "eventName" = ${fourth}
      AND "createdAt" >= ${time(fifth ?? '')} AND "createdAt" < ${time(sixth ?? '')} ORDER BY "id"`,
  };
};

const all: Readonly<Record<Dialect, RecountStatements>> = {
  sqlite: statements(
    () => '?',
    (text) => text,
    '+"projectId"',
  ),
  postgresql: statements(
    (place) => `$${place}`,
    (text) => `${text}::timestamptz AT TIME ZONE 'UTC'`,
    '"projectId"',
  ),
};

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const lastTime = new Date('9999-12-31T23:59:59.999Z');

const Locked = z.object({ countedTo: z.string(), rules: z.string() });
const Last = z.object({ last: z.string().nullable() });
const Event = z.object({
  id: z.string(),
  userId: z.string(),
  teamId: z.string().nullable(),
  eventType: z.string(),
  metaData: z.string(),
  createdAt: z.coerce.date(),
});

export type CountedRow = Readonly<z.infer<typeof Event>>;

export class CountedEventStore {
  private readonly sql;

  constructor(dialect: Dialect) {
    this.sql = all[dialect];
  }

  /** null: the tally is gone. */
  async lock(tx: Transaction, tallyId: string): Promise<z.infer<typeof Locked> | null> {
    const [row] = await tx.$queryRawUnsafe<unknown[]>(this.sql.lock, tallyId);
    return row === undefined ? null : Locked.parse(row);
  }

  async move(tx: Transaction, tallyId: string, countedTo: string): Promise<void> {
    await tx.$executeRawUnsafe(this.sql.move, countedTo, tallyId);
  }

  /** The last of `limit` events of all projects behind `after`; null: there is none. `until`: null, up to the newest. */
  async last(tx: Transaction, after: string, until: string | null, limit: number): Promise<string | null> {
    const [row] = await tx.$queryRawUnsafe<unknown[]>(this.sql.last, after, until ?? lastId, limit);
    return Last.parse(row).last;
  }

  /** Returns the events that a board may count, ordered by id. */
  async events(tx: Transaction, { definition, period }: Count, after: string, last: string): Promise<CountedRow[]> {
    const { projectId, eventName } = definition.board;
    const times = [sqlTime(period.startsAt), sqlTime(period.endsAt ?? lastTime)];
    const rows = await tx.$queryRawUnsafe<unknown[]>(this.sql.events, after, last, projectId, eventName, ...times);
    return rows.map((row) => Event.parse(row));
  }
}
