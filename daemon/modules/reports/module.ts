/** Reports of players with the transcript around, their reporters, and the cases that moderators decide. */
import { formPageRouter } from '../../platform/http/form-page.js';
import { type Module, modulePart } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Records } from '../../records.js';
import { ClaimHolders } from '../moderation/claim-holders.js';
import type { Moderation } from '../moderation/module.js';
import type { RoomCarrier } from '../rooms/carrier.js';
import type { Sessions } from '../sessions/module.js';
import { CaseDeciding } from './cases/deciding.js';
import { CaseGrounds } from './cases/grounds.js';
import { CaseRanking } from './cases/ranking.js';
import { CaseReopening } from './cases/reopening.js';
import { CaseService } from './cases/service.js';
import { ServiceGoals } from './cases/service-goals.js';
import { SharedTraits } from './cases/shared-traits.js';
import { ReceiptPage } from './complaints/page.js';
import { ComplaintService } from './complaints/service.js';
import { ReportErasure } from './erasure.js';
import { OrderService } from './orders/service.js';
import { reportPersonRecords } from './person-records-store.js';
import { ReporterService } from './reporters/service.js';
import { LateLines } from './reports/late-lines.js';
import { ReportLimits } from './reports/limits.js';
import { ReportService } from './reports/service.js';
import { ReportWriter } from './reports/writer.js';
import { reportRouter } from './routes.js';
import { ReportSounds } from './sound/service.js';
import { ReportSoundStore } from './sound/sound-store.js';

interface ReportNeeds {
  readonly moderation: Moderation;
  readonly carrier: RoomCarrier;
  readonly sessions: Pick<Sessions, 'sound'>;
}

export { reportHistory } from './history.js';

const goalsEveryMs = 30_000;

export function reportsModule(
  platform: Platform,
  records: Records,
  { moderation, carrier, sessions: { sound } }: ReportNeeds,
): Module {
  const { database, log, metrics, jobs, logger, box, publicUrl, now } = platform;
  const {
    reports: store,
    cases,
    settings,
    reporters: reporterStore,
    intake,
    orders: orderStore,
    hold,
    misuse,
    receiptCodes: codes,
  } = records.reports;
  platform.leases.add(cases.claims);
  const { directory: people } = records.people;
  const reporters = new ReporterService({
    ...{ database, reporters: reporterStore, reports: store, misuse, now },
    takenBack: records.moderation.takenBack,
  });
  const { directory: sessions, evidence, transcripts } = records.sessions;
  const sounds = new ReportSounds({
    ...{ database, reports: store, sounds: new ReportSoundStore(database), people, sound, box, log: logger },
    ...{ cases: intake, openDays: () => platform.settings.EARSHOT_EVIDENCE_OPEN_DAYS, now },
  });
  const reports = new ReportService({
    ...{ reports: store, settings, now, sessions, evidence, sounds, limits: new ReportLimits(platform.settings) },
    ...{ rooms: carrier.rooms, people, codes, publicUrl, services: records.projects.settingsStore },
    writer: new ReportWriter({
      ...{ database, log, reports: store, cases: intake, settings, reporters, people, transcripts, now },
    }),
  });
  const lateLines = new LateLines({
    ...{ database, reports: store, cases: intake, people, transcripts, sessions, evidence, log: logger, now },
  });
  const { reviews, automatic: sanctions } = moderation;
  const service = new CaseService({
    ...{ database, log, cases, intake, reports: store, orders: orderStore, hold, settings, reviews, people, now },
    shared: new SharedTraits(database, store, records.gatherings.members, now),
    ...{ ranking: new CaseRanking({ cases, rooms: carrier.rooms }), accounts: records.identity.directory },
    holders: new ClaimHolders(records.identity.directory, records.projects.access),
  });
  const deciding = new CaseDeciding({
    ...{ database, log, cases, intake, reports: store, reporters, settings, service, sanctions, reviews, people, now },
    ...{ orders: orderStore, imposed: moderation.sanctions, enforcer: moderation.enforcer },
    accounts: records.identity.directory,
    grounds: new CaseGrounds({ cases, reports: store, orders: orderStore, reviews }),
  });
  const reopening = new CaseReopening({
    ...{ database, log, cases, reports: store, orders: orderStore, reporters, service, reviews, people, now },
    ...{ sanctions: moderation.sanctions, enforcer: moderation.enforcer, accounts: records.identity.directory },
    settings,
  });
  const complaints = new ComplaintService({
    ...{ database, log, reports: store, cases, intake, receipts: reports, reporters, settings, people, codes, now },
    ...{ accounts: records.identity.directory, projects: records.projects.store },
  });
  const orders = new OrderService({ database, log, orders: orderStore, settings, intake, people, now });
  const overdue = metrics.counter('cases_overdue', 'Cases that were not decided in time, by category', ['category']);
  const goals = new ServiceGoals(database, log, cases, (category) => overdue.inc({ category }), now);
  const erasure = new ReportErasure({
    database,
    reports: store,
    reporters: reporterStore,
    cases,
    orders: orderStore,
    deciding,
    service,
    now,
  });
  return {
    name: 'reports',
    routes: reportRouter({
      reports,
      complaints,
      settings,
      reporters,
      cases: service,
      deciding,
      reopening,
      sounds,
      orders,
      hold,
    }),
    routers: [
      {
        router: formPageRouter({ path: '/receipts/:code', platform, ...new ReceiptPage(complaints) }),
        role: 'http',
      },
    ],
    parts: [
      modulePart(
        'case-service-goals',
        jobs.repeat('case-service-goals', goalsEveryMs, () => goals.check()),
        {
          role: 'jobs',
        },
      ),
    ],
    follows: [
      {
        name: 'report-sound',
        role: 'voice',
        types: ['report.created', 'report.updated'],
        on: (events) => sounds.follow(events),
      },
      {
        name: 'late-report-lines',
        role: 'jobs',
        types: ['message.created', 'report.created', 'report.updated'],
        on: (events) => lateLines.follow(events),
      },
    ],
    person: erasure,
    personRecords: reportPersonRecords(database),
    personMove: erasure,
  };
}
