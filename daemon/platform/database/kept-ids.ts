/**
 * Ids of cases and messages that are evidence of a sanction. Whatever deletes rows because their time is over asks here; an
 * erasure does not. Which of them are needed no more is for moderation to say.
 */
import { bulkRows, compareText } from './bulk-rows.js';
import type { Database, Transaction } from './database.js';
import { type Condition, namesNone } from './mapped-tables.js';
import { slicesOf } from './slices.js';

const keptRows = bulkRows('KeptId');

export interface KeptRow {
  readonly projectId: string;
  readonly keptId: string;
  readonly sanctionId: string;
  /** When it may be needed no more. */
  readonly checkAt: Date;
}

/** The rows of a table that name no kept id in these columns. */
export const notKept = (table: string, columns: readonly string[]): Condition =>
  namesNone({ name: 'KeptId', id: 'keptId' }, table, columns);

export class KeptIds {
  constructor(private readonly database: Database) {}

  async keep(tx: Transaction, rows: readonly KeptRow[]): Promise<void> {
    const sorted = rows.toSorted((a, b) => compareText(a.keptId, b.keptId));
    const statement = keptRows.insertAbsent(this.database.dialect);
    for (const slice of slicesOf(sorted)) await tx.$executeRawUnsafe(statement, keptRows.text(slice));
  }

  /** Sanctions of which ids are to be looked at, by project, up to `take`. */
  async due(now: Date, take: number): Promise<Map<string, string[]>> {
    const rows = await this.database.read.keptId.findMany({
      where: { checkAt: { lte: now } },
      orderBy: [{ checkAt: 'asc' }, { sanctionId: 'asc' }],
      select: { projectId: true, sanctionId: true },
      take,
    });
    const byProject = new Map<string, Set<string>>();
    for (const { projectId, sanctionId } of rows)
      byProject.set(projectId, (byProject.get(projectId) ?? new Set()).add(sanctionId));
    return new Map([...byProject].map(([projectId, ids]) => [projectId, [...ids]]));
  }

  /** Keeps what is evidence of these sanctions alone no longer; returns how many ids that were. */
  release = (sanctionIds: readonly string[]): Promise<number> =>
    this.database.transaction(
      async (tx) => (await tx.keptId.deleteMany({ where: { sanctionId: { in: [...sanctionIds] } } })).count,
    );

  postpone = (sanctionIds: readonly string[], checkAt: Date): Promise<void> =>
    this.database.transaction(async (tx) => {
      await tx.keptId.updateMany({ where: { sanctionId: { in: [...sanctionIds] } }, data: { checkAt } });
    });
}
