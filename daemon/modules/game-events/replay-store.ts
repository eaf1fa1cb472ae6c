/** Reads stored events again, in the order of their ids. */
import { z } from 'zod';
import type { Transaction } from '../../platform/database/database.js';
import type { Dialect } from '../../platform/database/dialect.js';

interface ReplayStatements {
  /** Parameters: id, id, how many. Returns the last id of so many events after the first id and up to the second. */
  readonly last: string;
  /** Parameters: id, id, projectId, eventName. Returns the events after the first id and up to the second. */
  readonly events: string;
}

const statements = (
  parameter: (place: number) => string,
  /** SQLite would else read all events of the project, by another index. */
  projectId: string,
): ReplayStatements => {
  const [first, second, third, fourth] = [1, 2, 3, 4].map(parameter);
  const between = `"id" > ${first} AND "id" <= ${second}`;
  return {
    last: `SELECT MAX("id") AS "last" FROM
      (SELECT "id" FROM "GameEvent" WHERE ${between} ORDER BY "id" LIMIT ${third}) AS page`,
    events: `SELECT "id", "userId", "teamId", "eventType", "metaData", "createdAt" FROM "GameEvent"
      WHERE ${between} AND ${projectId} = ${third} AND "eventName" = ${fourth} ORDER BY "id"`,
  };
};

const all: Readonly<Record<Dialect, ReplayStatements>> = {
  sqlite: statements(() => '?', '+"projectId"'),
  postgresql: statements((place) => `$${place}`, '"projectId"'),
};

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const Last = z.object({ last: z.string().nullable() });
const Event = z.object({
  id: z.string(),
  userId: z.string(),
  teamId: z.string().nullable(),
  eventType: z.string(),
  metaData: z.string(),
  createdAt: z.coerce.date(),
});

/** A row of a game event, as far as counting it again needs it. */
export type ReplayedEvent = Readonly<z.infer<typeof Event>>;

interface WantedEvents {
  readonly projectId: string;
  readonly eventName: string;
}

export class EventReplay {
  private readonly sql;

  constructor(dialect: Dialect) {
    this.sql = all[dialect];
  }

  /** The last of `limit` events of all projects after `after`; null: there is none. `until`: null, up to the newest. */
  async last(tx: Transaction, after: string, until: string | null, limit: number): Promise<string | null> {
    const [row] = await tx.$queryRawUnsafe<unknown[]>(this.sql.last, after, until ?? lastId, limit);
    return Last.parse(row).last;
  }

  /** Returns the wanted events after one id and up to another, ordered by id. */
  async events(tx: Transaction, wanted: WantedEvents, after: string, last: string): Promise<ReplayedEvent[]> {
    const { projectId, eventName } = wanted;
    const rows = await tx.$queryRawUnsafe<unknown[]>(this.sql.events, after, last, projectId, eventName);
    return rows.map((row) => Event.parse(row));
  }
}
