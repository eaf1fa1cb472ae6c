/** The people who are kept out of rankings by a ranked restriction in force. */
import { BatchedLookup } from '../../../platform/database/batched-lookup.js';
import type { Database, DatabaseClient, Transaction } from '../../../platform/database/database.js';
import { type Dialect, sqlTime } from '../../../platform/database/dialect.js';
import type { Clock } from '../../../platform/time/clock.js';

const restricted = (projects: string, join: string, now: string) =>
  `SELECT s."projectId", s."externalUserId" FROM ${projects} ${join} "Sanction" AS s
    ON s."projectId" = k."id" AND s."type" = 'ranked_restriction' AND s."revokedAt" IS NULL AND s."expiredAt" IS NULL
    WHERE s."sessionId" IS NULL AND s."externalUserId" IS NOT NULL
      AND (s."begunAt" IS NOT NULL OR s."startAt" <= ${now}) AND (s."endAt" IS NULL OR s."endAt" > ${now})`;

/** As `inForce` has it. Parameters: [projectId], now, on SQLite twice. Returns projectId and externalUserId. */
const statements: Readonly<Record<Dialect, string>> = {
  sqlite: restricted('(SELECT value AS "id" FROM json_each(?)) AS k', 'CROSS JOIN', '?'),
  postgresql: restricted(
    'jsonb_array_elements_text($1::jsonb) AS k("id")',
    'JOIN',
    "($2::timestamptz AT TIME ZONE 'UTC')",
  ),
};

export class RankedRestrictions {
  private readonly committed: BatchedLookup<ReadonlySet<string>>;

  constructor(
    private readonly database: Database,
    private readonly now: Clock,
  ) {
    this.committed = new BatchedLookup((projectIds) => this.read(database.read, projectIds));
  }

  /** Returns the external user ids of those who are restricted in the whole project. */
  async restrictedUsers(projectId: string): Promise<ReadonlySet<string>> {
    return (await this.committed.getAll([projectId])).get(projectId) ?? new Set();
  }

  /** As the transaction sees them. */
  async restrictedUsersIn(tx: Transaction, projectId: string): Promise<ReadonlySet<string>> {
    return (await this.read(tx, [projectId])).get(projectId) ?? new Set();
  }

  private async read(client: DatabaseClient, projectIds: readonly string[]): Promise<Map<string, Set<string>>> {
    const { dialect } = this.database;
    const now = sqlTime(this.now());
    const times = dialect === 'sqlite' ? [now, now] : [now];
    type Row = { projectId: string; externalUserId: string };
    const rows = await client.$queryRawUnsafe<Row[]>(statements[dialect], JSON.stringify(projectIds), ...times);
    const users = new Map<string, Set<string>>();
    for (const { projectId, externalUserId } of rows)
      users.set(projectId, (users.get(projectId) ?? new Set()).add(externalUserId));
    return users;
  }
}
