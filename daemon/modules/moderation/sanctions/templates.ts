/** Reasons that the moderators of a project use often, by name. */
import { DomainError } from '../../../../src/contract/errors.js';
import {
  type SanctionTemplate,
  type SetSanctionTemplateRequest,
  templatesMax,
} from '../../../../src/contract/moderation/sanction-templates.js';
import { isPartOf } from '../../../../src/text/fold.js';
import type { Database } from '../../../platform/database/database.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { TemplateRow, TemplateStore } from './template-store.js';

const toTemplate = ({ name, reason, reasons, ground, updatedAt }: TemplateRow): SanctionTemplate => ({
  name,
  reason,
  reasons: { ...reasons },
  ground,
  updatedAt: updatedAt.toISOString(),
});

export class SanctionTemplates {
  constructor(
    private readonly database: Database,
    private readonly templates: TemplateStore,
    private readonly now: Clock,
  ) {}

  async list(projectId: string, search?: string): Promise<SanctionTemplate[]> {
    const all = (await this.templates.list(projectId)).map(toTemplate);
    return all.filter(({ name, reason }) => isPartOf(search, `${name}\n${reason}`));
  }

  /** Throws sanction_template_limit. */
  async set(projectId: string, name: string, { reason, reasons, ground }: SetSanctionTemplateRequest) {
    const row = await this.database.transaction(async (tx) => {
      if ((await this.templates.countOthers(tx, projectId, name)) >= templatesMax)
        throw new DomainError('sanction_template_limit');
      return this.templates.set(tx, projectId, {
        name,
        reason,
        reasons,
        ground: ground ?? null,
        updatedAt: this.now(),
      });
    });
    return toTemplate(row);
  }

  /** Throws sanction_template_not_found. */
  async remove(projectId: string, name: string): Promise<void> {
    const removed = await this.database.transaction((tx) => this.templates.remove(tx, projectId, name));
    if (!removed) throw new DomainError('sanction_template_not_found');
  }

  /** By name; empty where none is asked for. */
  async named(projectId: string, names: string[]): Promise<Map<string, SanctionTemplate>> {
    if (names.length === 0) return new Map();
    return new Map((await this.list(projectId)).map((one) => [one.name, one]));
  }
}
