/** Reads stored events again, in the order of their ids. */
import { z } from 'zod';
import type { Transaction } from '../../platform/database/database.js';
import type { Dialect } from '../../platform/database/dialect.js';
import { uuidv7 } from '../../platform/ids/new-id.js';

interface ReplayStatements {
  /** Parameters: id, id, how many. Returns the last id of so many events after the first id and up to the second. */
  readonly last: string;
  /** Parameters: id, id, projectId, eventName. Returns the events after the first id and up to the second. */
  readonly events: string;
  /** Parameters: projectId, JSON array of user ids, eventName, id, how many. Returns events of the users after the id. */
  readonly ofUsers: string;
}

const statements = (
  parameter: (place: number) => string,
  /** SQLite would else read all events of the project, by another index. */
  projectId: string,
  /** The values of a JSON array. */
  values: (parameter: string) => string,
): ReplayStatements => {
  const [first = '', second = '', third, fourth, fifth] = [1, 2, 3, 4, 5].map(parameter);
  const columns = `"id", "userId", "teamId", "eventType", "metaData", "origin", "occurredAt", "createdAt"`;
  const between = `"id" > ${first} AND "id" <= ${second}`;
  return {
    last: `SELECT MAX("id") AS "last" FROM
      (SELECT "id" FROM "GameEvent" WHERE ${between} ORDER BY "id" LIMIT ${third}) AS page`,
    events: `SELECT ${columns} FROM "GameEvent"
      WHERE ${between} AND ${projectId} = ${third} AND "eventName" = ${fourth} ORDER BY "id"`,
    ofUsers: `SELECT ${columns} FROM "GameEvent" WHERE "projectId" = ${first} AND "userId" IN (${values(second)})
      AND "eventName" = ${third} AND "id" > ${fourth} ORDER BY "id" LIMIT ${fifth}`,
  };
};

const all: Readonly<Record<Dialect, ReplayStatements>> = {
  sqlite: statements(
    () => '?',
    '+"projectId"',
    (parameter) => `SELECT value FROM json_each(${parameter})`,
  ),
  postgresql: statements(
    (place) => `$${place}`,
    '"projectId"',
    (parameter) => `SELECT jsonb_array_elements_text(${parameter}::jsonb)`,
  ),
};

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const Last = z.object({ last: z.string().nullable() });
const Event = z.object({
  id: z.string(),
  userId: z.string(),
  teamId: z.string().nullable(),
  eventType: z.string(),
  metaData: z.string(),
  origin: z.string().nullable(),
  occurredAt: z.coerce.date().nullable(),
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

  /** Returns up to `limit` of the wanted events of these users after an id, ordered by id. */
  async ofUsers(
    tx: Transaction,
    { projectId, eventName }: WantedEvents,
    users: readonly string[],
    after: string,
    limit: number,
  ): Promise<ReplayedEvent[]> {
    const parameters = [projectId, JSON.stringify(users), eventName, after, limit];
    return (await tx.$queryRawUnsafe<unknown[]>(this.sql.ofUsers, ...parameters)).map((row) => Event.parse(row));
  }
}

interface Sender {
  readonly projectId: string;
  readonly userId: string;
}

export const hasEvents = async (tx: Transaction, { projectId, userId }: Sender): Promise<boolean> =>
  (await tx.gameEvent.findFirst({ where: { projectId, userId }, select: { id: true } })) !== null;

/** Names the origin of the events of a user that have none, before they become those of another user; returns the name. */
export async function giveOrigin(tx: Transaction, { projectId, userId }: Sender): Promise<string> {
  const origin = uuidv7();
  await tx.gameEvent.updateMany({ where: { projectId, userId, origin: null }, data: { origin } });
  return origin;
}
