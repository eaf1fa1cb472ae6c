import { caseRoutes } from '../../../src/contract/reports/cases.js';
import { orderRoutes } from '../../../src/contract/reports/orders.js';
import { reportSettingsRoutes } from '../../../src/contract/reports/report-settings.js';
import { reporterRoutes } from '../../../src/contract/reports/reporters.js';
import {
  complaintRoutes,
  playerReportRoutes,
  type ReportReceipt,
  reportRoutes,
  roomReportRoutes,
} from '../../../src/contract/reports/reports.js';
import { hasScope, mayActAs } from '../../platform/http/authorisation.js';
import { bind } from '../../platform/http/bind.js';
import type { Member, ProjectGrant } from '../../platform/http/caller.js';
import type { CaseHold } from './cases/case-hold.js';
import type { CaseDeciding } from './cases/deciding.js';
import type { CaseReopening } from './cases/reopening.js';
import type { CaseActor, CaseService } from './cases/service.js';
import type { ComplaintService } from './complaints/service.js';
import type { OrderService } from './orders/service.js';
import type { ReporterService } from './reporters/service.js';
import { toReport } from './reports/report-store.js';
import type { ReportService } from './reports/service.js';
import type { ReportSettingsService } from './settings/service.js';
import type { ReportSounds } from './sound/service.js';

interface ReportServices {
  readonly reports: ReportService;
  readonly complaints: ComplaintService;
  readonly settings: ReportSettingsService;
  readonly reporters: ReporterService;
  readonly cases: CaseService;
  readonly deciding: CaseDeciding;
  readonly reopening: CaseReopening;
  readonly sounds: ReportSounds;
  readonly orders: OrderService;
  readonly hold: CaseHold;
}

const actor = (caller: Member, project: ProjectGrant): CaseActor => ({
  id: caller.id,
  role: project.role,
  isPerson: caller.kind === 'user',
  mayImpose: mayActAs('moderator', caller, project, 'sanctions'),
});

/** The answer is kept for repeats. */
const withoutAddress = (receipt: ReportReceipt): ReportReceipt => ({ ...receipt, url: null });

export const reportRouter = ({
  reports,
  complaints,
  settings,
  reporters,
  cases,
  deciding,
  reopening,
  sounds,
  orders,
  hold,
}: ReportServices) => [
  ...bind(reportRoutes, {
    create: async ({ project, body: { reporterUserId: userId = null, ...request } }) =>
      toReport(
        await reports.create(
          project,
          { source: request.notice === undefined ? 'operator' : 'notice', userId },
          request,
        ),
      ),
    list: ({ project, query }) => reports.list(project.projectId, query),
    get: ({ project, caller, params }) =>
      reports.get(project.projectId, params.id, {
        words: hasScope(caller, 'messages:read'),
      }),
    audio: async ({ project, params, query }, { response }) => {
      const { wav, saveAs } = await sounds.wav(project.projectId, params.id, query.externalUserId);
      response.status(200).attachment(saveAs).setHeader('Content-Type', 'audio/wav');
      response.end(wav);
    },
  }),
  ...bind(complaintRoutes, {
    receipt: ({ project, caller, params }) =>
      reports.receiptFrom(project.projectId, params.id, {
        mayReport: mayActAs('moderator', caller, project, 'reports'),
      }),
    decide: ({ project, caller, params, body }) => complaints.decide(project, params.id, caller, body),
    mine: ({ caller, params, body }) => complaints.ofPlayer(caller, params.id, body.statement),
    read: ({ params, query }) => complaints.byCode(params.code, query),
    complain: ({ params, body }) => complaints.complainByCode(params.code, body.statement),
  }),
  ...bind(playerReportRoutes, {
    create: async ({ project, caller, body }) =>
      withoutAddress(
        await reports.receiptOf(
          await reports.create(project, { source: 'player', userId: caller.externalUserId }, body),
        ),
      ),
    list: ({ project, caller, query }) => reports.receipts(project.projectId, caller.externalUserId, query),
    get: ({ project, caller, params }) => reports.receipt(project.projectId, caller.externalUserId, params.id),
  }),
  ...bind(roomReportRoutes, {
    create: async ({ project, caller, body }) =>
      withoutAddress(
        await reports.receiptOf(
          await reports.create(
            project,
            { source: 'room', userId: caller.externalUserId },
            { ...body, roomId: caller.roomId },
          ),
        ),
      ),
    get: ({ project, caller, params }) => reports.receipt(project.projectId, caller.externalUserId, params.id),
  }),
  ...bind(reportSettingsRoutes, {
    get: ({ project }) => settings.get(project.projectId),
    update: ({ project, body }) => settings.update(project.projectId, body),
  }),
  ...bind(reporterRoutes, {
    get: ({ project, params }) => reporters.get(project.projectId, params.externalUserId),
    list: ({ project, query }) => reporters.list(project.projectId, query),
    update: ({ project, caller, params, body }) =>
      reporters.update(project, params.externalUserId, { isPerson: caller.kind === 'user' }, body),
  }),
  ...bind(orderRoutes, {
    create: ({ project, body }) => orders.create(project, body),
    list: ({ project, query }) => orders.list(project.projectId, query),
    get: ({ project, params }) => orders.get(project.projectId, params.id),
    update: ({ project, caller, params, body }) => orders.update(project.projectId, params.id, caller.id, body),
  }),
  ...bind(caseRoutes, {
    list: ({ project, query }) => cases.list(project.projectId, query),
    get: ({ project, caller, params }) =>
      cases.get(project.projectId, params.id, {
        statements: hasScope(caller, 'plugins:read'),
      }),
    claim: ({ project, caller, params: { id } }) =>
      cases.namingOthers(project.tenantId, () => cases.claim(project.projectId, id, actor(caller, project))),
    release: ({ project, caller, params: { id } }) =>
      cases.namingOthers(project.tenantId, () => cases.release(project.projectId, id, actor(caller, project))),
    decide: ({ project, caller, params: { id }, body }) =>
      cases.namingOthers(project.tenantId, () => deciding.decide(project, id, actor(caller, project), body)),
    confirm: ({ project, caller, params: { id }, body: { agree, note } }) =>
      cases.namingOthers(project.tenantId, () => deciding.confirm(project, id, actor(caller, project), agree, note)),
    reopen: ({ project, caller, params: { id }, body: { note } }) =>
      reopening.reopen(project, id, actor(caller, project), note),
    escalate: ({ project, caller, params: { id }, body: { role, note } }) =>
      cases.namingOthers(project.tenantId, () =>
        cases.escalate(project.projectId, id, actor(caller, project), role, note),
      ),
    hold: async ({ project, caller, params: { id }, body }) =>
      cases.shown(await hold.hold(project.projectId, id, caller.id, body.reason)),
    liftHold: async ({ project, params: { id } }) => cases.shown(await hold.lift(project.projectId, id)),
    merge: ({ project, caller, params: { id }, body: { intoId } }) =>
      cases.namingOthers(project.tenantId, () => cases.merge(project.projectId, id, actor(caller, project), intoId)),
    split: ({ project, caller, params: { id }, body }) =>
      cases.namingOthers(project.tenantId, () => cases.split(project.projectId, id, actor(caller, project), body)),
  }),
];
