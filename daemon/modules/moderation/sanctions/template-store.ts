/** Rows of sanction templates. */
import type { Database, Transaction } from '../../../platform/database/database.js';

export interface TemplateRow {
  readonly name: string;
  readonly reason: string;
  readonly updatedAt: Date;
}

export class TemplateStore {
  constructor(private readonly database: Database) {}

  list = (projectId: string): Promise<TemplateRow[]> =>
    this.database.read.sanctionTemplate.findMany({ where: { projectId }, orderBy: { name: 'asc' } });

  /** Templates of the project with other names. */
  countOthers = (tx: Transaction, projectId: string, name: string): Promise<number> =>
    tx.sanctionTemplate.count({ where: { projectId, name: { not: name } } });

  set = (tx: Transaction, projectId: string, { name, ...fields }: TemplateRow): Promise<TemplateRow> =>
    tx.sanctionTemplate.upsert({
      where: { projectId_name: { projectId, name } },
      create: { projectId, name, ...fields },
      update: fields,
    });

  /** false: there was none. */
  remove = async (tx: Transaction, projectId: string, name: string): Promise<boolean> =>
    (await tx.sanctionTemplate.deleteMany({ where: { projectId, name } })).count > 0;
}
