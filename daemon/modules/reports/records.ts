import type { Platform } from '../../platform/platform.js';
import type { gatheringRecords } from '../gatherings/records.js';
import type { roomRecords } from '../rooms/records.js';
import { CaseStore } from './cases/case-store.js';
import { CaseIntake } from './cases/intake.js';
import { ReporterStore } from './reporters/reporter-store.js';
import { ReportStore } from './reports/report-store.js';
import { ReportSettingsService } from './settings/service.js';
import { ReportSettingsStore } from './settings/settings-store.js';

interface RecordsBefore {
  readonly gatherings: ReturnType<typeof gatheringRecords>;
  readonly rooms: Awaited<ReturnType<typeof roomRecords>>;
}

export function reportRecords(
  { database, log, now }: Pick<Platform, 'database' | 'log' | 'now'>,
  { gatherings: { members }, rooms: { blocks } }: RecordsBefore,
) {
  const [reports, cases] = [new ReportStore(database), new CaseStore(database)];
  const settings = new ReportSettingsService(database, new ReportSettingsStore(database), now);
  return {
    reports,
    cases,
    settings,
    reporters: new ReporterStore(database),
    intake: new CaseIntake({ cases, reports, settings, members, blocks, log, now }),
  };
}
