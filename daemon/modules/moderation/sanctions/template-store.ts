/** Rows of sanction templates. */
import type { Ground } from '../../../../src/contract/moderation/statement-basis.js';
import { jsonOrNull, type WithValues, withJson } from '../../../platform/database/column-values.js';
import type { Database, Transaction } from '../../../platform/database/database.js';

export interface TemplateRow {
  readonly name: string;
  readonly reason: string;
  /** By language. */
  readonly reasons: Readonly<Record<string, string>> | null;
  readonly ground: Ground | null;
  readonly updatedAt: Date;
}

type StoredTemplate = WithValues<TemplateRow, Record<'reasons' | 'ground', string | null>>;

const toRow = (stored: StoredTemplate): TemplateRow => ({
  ...stored,
  reasons: jsonOrNull(stored.reasons),
  ground: jsonOrNull(stored.ground),
});

export class TemplateStore {
  constructor(private readonly database: Database) {}

  async list(projectId: string): Promise<TemplateRow[]> {
    const where = { projectId };
    return (await this.database.read.sanctionTemplate.findMany({ where, orderBy: { name: 'asc' } })).map(toRow);
  }

  /** Templates of the project with other names. */
  countOthers = (tx: Transaction, projectId: string, name: string): Promise<number> =>
    tx.sanctionTemplate.count({ where: { projectId, name: { not: name } } });

  async set(tx: Transaction, projectId: string, { name, ...values }: TemplateRow): Promise<TemplateRow> {
    const fields = withJson(values, 'reasons', 'ground');
    const stored = await tx.sanctionTemplate.upsert({
      where: { projectId_name: { projectId, name } },
      create: { projectId, name, ...fields },
      update: fields,
    });
    return toRow(stored);
  }

  /** false: there was none. */
  remove = async (tx: Transaction, projectId: string, name: string): Promise<boolean> =>
    (await tx.sanctionTemplate.deleteMany({ where: { projectId, name } })).count > 0;
}
