/** Creates the first project of a new tenant: `default`, with settings for embedded rooms. */
import type { Transaction } from '../../platform/database/database.js';
import type { ProjectService } from './service.js';
import type { SettingsService } from './settings/service.js';

export const firstProject =
  (projects: Pick<ProjectService, 'insert'>, settings: Pick<SettingsService, 'upsert'>) =>
  async (tx: Transaction, tenantId: string, ownerId: string): Promise<void> => {
    const { id } = await projects.insert(tx, tenantId, 'default', { id: ownerId });
    await settings.upsert(tx, id, { tokenProvider: 'embedded', tokenProviderSettings: {} });
  };
