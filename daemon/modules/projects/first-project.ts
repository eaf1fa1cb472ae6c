import type { Transaction } from '../../platform/database/database.js';
import type { FirstProjectMaker } from '../identity/project-people.js';
import type { ProjectService } from './service.js';
import type { SettingsService } from './settings/service.js';

/** The first project of a new tenant: `default`, with settings for embedded rooms. */
export class FirstProject implements FirstProjectMaker {
  constructor(
    private readonly projects: Pick<ProjectService, 'insert'>,
    private readonly settings: Pick<SettingsService, 'upsert'>,
  ) {}

  async create(tx: Transaction, tenantId: string, ownerId: string): Promise<void> {
    const { id } = await this.projects.insert(tx, tenantId, 'default', { id: ownerId });
    await this.settings.upsert(tx, id, { tokenProvider: 'embedded', tokenProviderSettings: {} });
  }
}
