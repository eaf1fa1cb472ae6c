import { HeldIds } from '../../platform/database/held-ids.js';
import type { Platform } from '../../platform/platform.js';
import { ResourceCodes } from '../../platform/secrets/resource-codes.js';
import type { gatheringRecords } from '../gatherings/records.js';
import type { ModerationRecords } from '../moderation/records.js';
import type { peopleRecords } from '../people/records.js';
import type { roomRecords } from '../rooms/records.js';
import { CaseHold } from './cases/case-hold.js';
import { CaseStore } from './cases/case-store.js';
import { DecidedCases } from './cases/decided-cases.js';
import { CaseIntake } from './cases/intake.js';
import { ReportOutcomes } from './cases/outcomes.js';
import { OrderStore } from './orders/order-store.js';
import { MisuseNotices } from './reporters/misuse.js';
import { ReporterStore } from './reporters/reporter-store.js';
import { ReportStore } from './reports/report-store.js';
import { ReportSettingsService } from './settings/service.js';
import { ReportSettingsStore } from './settings/settings-store.js';

interface BeforeReports {
  readonly gatherings: ReturnType<typeof gatheringRecords>;
  readonly rooms: Awaited<ReturnType<typeof roomRecords>>;
  readonly people: ReturnType<typeof peopleRecords>;
  readonly moderation: ModerationRecords;
}

export async function reportRecords(
  {
    database,
    log,
    signingKey,
    now,
    settings: ofDaemon,
  }: Pick<Platform, 'database' | 'log' | 'signingKey' | 'now' | 'settings'>,
  { gatherings: { members }, rooms: { blocks }, people: { directory: people }, moderation }: BeforeReports,
) {
  const reports = new ReportStore(database, () => ofDaemon.EARSHOT_EVIDENCE_RETENTION_DAYS);
  const [cases, orders] = [new CaseStore(database), new OrderStore(database)];
  const held = new HeldIds(database);
  const hold = new CaseHold({ database, cases, reports, people, held, now });
  const settings = new ReportSettingsService(database, new ReportSettingsStore(database), now);
  const { store: sanctions, reviews, takenBack } = moderation;
  const reporters = new ReporterStore(database);
  const misuse = new MisuseNotices({ log, people, reporters, takenBack, now });
  return {
    receiptCodes: new ResourceCodes(await signingKey('receipt-codes')),
    reports,
    cases,
    orders,
    decided: new DecidedCases(cases, reports),
    held,
    hold,
    settings,
    reporters,
    misuse,
    outcomes: new ReportOutcomes({ cases, reports, reporters, sanctions, reviews, takenBack, misuse, log, now }),
    intake: new CaseIntake({ cases, reports, orders, hold, settings, members, blocks, log, now }),
  };
}
