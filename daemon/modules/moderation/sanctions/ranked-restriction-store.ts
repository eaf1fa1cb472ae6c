/** The people who are kept out of rankings by a ranked restriction in force, and whose progress it holds. */
import { SanctionParameters } from '../../../../src/contract/moderation/sanction-parameters.js';
import { BatchedLookup } from '../../../platform/database/batched-lookup.js';
import type { Database, DatabaseClient, Transaction } from '../../../platform/database/database.js';
import { type Dialect, sqlTime } from '../../../platform/database/dialect.js';
import type { Clock } from '../../../platform/time/clock.js';

const restricted = (projects: string, join: string, now: string) =>
  `SELECT s."projectId", s."externalUserId", s."id", s."parameters" FROM ${projects} ${join} "Sanction" AS s
    ON s."projectId" = k."id" AND s."type" = 'ranked_restriction' AND s."revokedAt" IS NULL AND s."expiredAt" IS NULL
    WHERE s."sessionId" IS NULL AND s."externalUserId" IS NOT NULL
      AND (s."begunAt" IS NOT NULL OR s."startAt" <= ${now}) AND (s."endAt" IS NULL OR s."endAt" > ${now})`;

/** As `inForce` has it. Parameters: [projectId], now, on SQLite twice. */
const statements: Readonly<Record<Dialect, string>> = {
  sqlite: restricted('(SELECT value AS "id" FROM json_each(?)) AS k', 'CROSS JOIN', '?'),
  postgresql: restricted(
    'jsonb_array_elements_text($1::jsonb) AS k("id")',
    'JOIN',
    "($2::timestamptz AT TIME ZONE 'UTC')",
  ),
};

interface RankedRestrictionRow {
  readonly projectId: string;
  readonly externalUserId: string;
  readonly id: string;
  readonly parameters: string | null;
}

/** Ids of sanctions by external user id. */
type SanctionOfUser = ReadonlyMap<string, string>;

export class RankedRestrictions {
  private readonly committed: BatchedLookup<ReadonlySet<string>>;

  constructor(
    private readonly database: Database,
    private readonly now: Clock,
  ) {
    this.committed = new BatchedLookup((projectIds) => this.users(database.read, projectIds));
  }

  /** Returns the external user ids of those who are restricted in the whole project. */
  async restrictedUsers(projectId: string): Promise<ReadonlySet<string>> {
    return (await this.committed.getAll([projectId])).get(projectId) ?? new Set();
  }

  /** As the transaction sees them. */
  async restrictedUsersIn(tx: Transaction, projectId: string): Promise<ReadonlySet<string>> {
    return (await this.users(tx, [projectId])).get(projectId) ?? new Set();
  }

  /** By project, whose progress is held, and one of the sanctions that do so. */
  async progressHolds(tx: Transaction, projectIds: readonly string[]): Promise<ReadonlyMap<string, SanctionOfUser>> {
    const holds = new Map<string, Map<string, string>>();
    for (const { projectId, externalUserId, id, parameters } of await this.read(tx, projectIds)) {
      if (parameters === null || SanctionParameters.parse(JSON.parse(parameters)).holdsProgress !== true) continue;
      holds.set(projectId, (holds.get(projectId) ?? new Map<string, string>()).set(externalUserId, id));
    }
    return holds;
  }

  /** Those of the sanctions that were revoked, or overturned after they had ended. */
  async takenBack(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const { sanction, review } = this.database.read;
    const some = { in: [...ids] };
    const revoked = await sanction.findMany({ where: { id: some, revokedAt: { not: null } }, select: { id: true } });
    const where = { sanctionId: some, decision: 'overturned' };
    const overturned = await review.findMany({ where, select: { sanctionId: true } });
    return new Set([...revoked.map(({ id }) => id), ...overturned.map(({ sanctionId }) => sanctionId)]);
  }

  private async users(client: DatabaseClient, projectIds: readonly string[]): Promise<Map<string, Set<string>>> {
    const users = new Map<string, Set<string>>();
    for (const { projectId, externalUserId } of await this.read(client, projectIds))
      users.set(projectId, (users.get(projectId) ?? new Set()).add(externalUserId));
    return users;
  }

  private read(client: DatabaseClient, projectIds: readonly string[]): Promise<RankedRestrictionRow[]> {
    const { dialect } = this.database;
    const now = sqlTime(this.now());
    const times = dialect === 'sqlite' ? [now, now] : [now];
    return client.$queryRawUnsafe<RankedRestrictionRow[]>(statements[dialect], JSON.stringify(projectIds), ...times);
  }
}
