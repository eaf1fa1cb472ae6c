import type { Platform } from '../../platform/platform.js';
import { ReportStore } from './reports/report-store.js';
import { ReportSettingsStore } from './settings/settings-store.js';

export const reportRecords = ({ database }: Pick<Platform, 'database'>) => ({
  store: new ReportStore(database),
  settings: new ReportSettingsStore(database),
});
