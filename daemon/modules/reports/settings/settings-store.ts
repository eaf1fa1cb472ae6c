/** Rows of the settings of reports: only what a project has set itself. */
import type { z } from 'zod';
import { ReportSettings } from '../../../../src/contract/reports/report-settings.js';
import type { Database, Transaction } from '../../../platform/database/database.js';

const Stored = ReportSettings.partial();
export type StoredReportSettings = z.infer<typeof Stored>;

export class ReportSettingsStore {
  constructor(private readonly database: Database) {}

  async find(projectId: string, reader: Database['read'] | Transaction = this.database.read) {
    const row = await reader.reportSettings.findUnique({ where: { projectId } });
    return row === null ? {} : Stored.parse(JSON.parse(row.settings));
  }

  async set(tx: Transaction, projectId: string, stored: StoredReportSettings, updatedAt: Date): Promise<void> {
    const fields = { settings: JSON.stringify(stored), updatedAt };
    await tx.reportSettings.upsert({ where: { projectId }, create: { projectId, ...fields }, update: fields });
  }
}
