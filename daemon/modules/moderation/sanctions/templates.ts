/** Reasons that the moderators of a project use often, by name. */
import { DomainError } from '../../../../src/contract/errors.js';
import { type SanctionTemplate, templatesMax } from '../../../../src/contract/moderation/sanction-templates.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database/database.js';

interface TemplateRow {
  readonly name: string;
  readonly reason: string;
  readonly updatedAt: Date;
}

const toTemplate = ({ name, reason, updatedAt }: TemplateRow): SanctionTemplate => ({
  name,
  reason,
  updatedAt: updatedAt.toISOString(),
});

export class SanctionTemplates {
  constructor(
    private readonly database: Database,
    private readonly now: Clock,
  ) {}

  async list(projectId: string): Promise<SanctionTemplate[]> {
    const rows = await this.database.read.sanctionTemplate.findMany({ where: { projectId }, orderBy: { name: 'asc' } });
    return rows.map(toTemplate);
  }

  /** Throws sanction_template_limit. */
  async set(projectId: string, name: string, reason: string): Promise<SanctionTemplate> {
    const fields = { reason, updatedAt: this.now() };
    const row = await this.database.transaction(async (tx) => {
      const others = await tx.sanctionTemplate.count({ where: { projectId, name: { not: name } } });
      if (others >= templatesMax) throw new DomainError('sanction_template_limit');
      return tx.sanctionTemplate.upsert({
        where: { projectId_name: { projectId, name } },
        create: { projectId, name, ...fields },
        update: fields,
      });
    });
    return toTemplate(row);
  }

  /** Throws sanction_template_not_found. */
  async remove(projectId: string, name: string): Promise<void> {
    const { count } = await this.database.transaction((tx) =>
      tx.sanctionTemplate.deleteMany({ where: { projectId, name } }),
    );
    if (count === 0) throw new DomainError('sanction_template_not_found');
  }

  async reasons(projectId: string, names: string[]): Promise<Map<string, string>> {
    if (names.length === 0) return new Map();
    return new Map((await this.list(projectId)).map(({ name, reason }) => [name, reason]));
  }
}
