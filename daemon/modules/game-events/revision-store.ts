/** Rows of revisions: one for each project, which grows with every change of what counts its game events. */
import type { DatabaseClient, Transaction } from '../../platform/database/database.js';
import type { Dialect } from '../../platform/database/dialect.js';

interface RevisionStatements {
  /** Parameter: [projectId]. Returns projectId and revision of those in which anything was ever configured. */
  readonly find: string;
  /** Parameter: projectId. */
  readonly bump: string;
}

const statements: Readonly<Record<Dialect, RevisionStatements>> = {
  sqlite: {
    find: `SELECT r."projectId", r."revision" FROM json_each(?) AS k CROSS JOIN "GameplayRevision" AS r
      ON r."projectId" = k.value`,
    bump: `INSERT INTO "GameplayRevision" ("projectId", "revision") VALUES (?, 1)
      ON CONFLICT ("projectId") DO UPDATE SET "revision" = "revision" + 1`,
  },
  postgresql: {
    find: `SELECT r."projectId", r."revision" FROM jsonb_array_elements_text($1::jsonb) AS k(e)
      JOIN "GameplayRevision" AS r ON r."projectId" = e`,
    bump: `INSERT INTO "GameplayRevision" ("projectId", "revision") VALUES ($1, 1)
      ON CONFLICT ("projectId") DO UPDATE SET "revision" = "GameplayRevision"."revision" + 1`,
  },
};

export class RevisionStore {
  private readonly sql;

  constructor(dialect: Dialect) {
    this.sql = statements[dialect];
  }

  /** Revision of each project in which anything was ever configured; other projects have none. */
  async find(client: DatabaseClient, projectIds: readonly string[]): Promise<Map<string, bigint>> {
    type Row = { projectId: string; revision: bigint | number };
    const rows = await client.$queryRawUnsafe<Row[]>(this.sql.find, JSON.stringify(projectIds));
    return new Map(rows.map(({ projectId, revision }) => [projectId, BigInt(revision)]));
  }

  /** Called first by every change: definitions in memory are read again, and other changes wait for the transaction. */
  async bump(tx: Transaction, projectId: string): Promise<void> {
    await tx.$executeRawUnsafe(this.sql.bump, projectId);
  }
}
