/** Reports of players about others, with the transcript around. */
import type { Module } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Records } from '../../records.js';
import { ReportErasure } from './erasure.js';
import { reportPersonRecords } from './person-records-store.js';
import { ReportService } from './reports/service.js';
import { reportRouter } from './routes.js';
import { ReportSettingsService } from './settings/service.js';

export function reportsModule({ database, log, now }: Platform, records: Records): Module {
  const { store } = records.reports;
  const settings = new ReportSettingsService(database, records.reports.settings, now);
  const { directory: sessions, evidence, transcripts } = records.sessions;
  const reports = new ReportService({
    ...{ database, log, reports: store, settings, now },
    ...{ people: records.people.directory, sessions, evidence, transcripts },
  });
  const erasure = new ReportErasure(database, store);
  return {
    name: 'reports',
    routes: reportRouter(reports, settings),
    person: erasure,
    personRecords: reportPersonRecords(database),
    personMove: erasure,
  };
}
