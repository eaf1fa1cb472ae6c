import { reportSettingsRoutes } from '../../../src/contract/reports/report-settings.js';
import { playerReportRoutes, reportRoutes, roomReportRoutes } from '../../../src/contract/reports/reports.js';
import { opens } from '../../../src/contract/scopes.js';
import { bind } from '../../platform/http/bind.js';
import { toReceipt } from './reports/receipts.js';
import { toReport } from './reports/report-store.js';
import type { ReportService } from './reports/service.js';
import type { ReportSettingsService } from './settings/service.js';

export const reportRouter = (reports: ReportService, settings: ReportSettingsService) => [
  ...bind(reportRoutes, {
    create: async ({ project, body: { reporterUserId: userId = null, ...request } }) =>
      toReport(await reports.create(project, { source: 'operator', userId }, request)),
    list: ({ project, query }) => reports.list(project.projectId, query),
    get: ({ project, caller, params }) =>
      reports.get(project.projectId, params.id, {
        words: caller.kind === 'user' || opens(caller.scopes, 'messages:read'),
      }),
  }),
  ...bind(playerReportRoutes, {
    create: async ({ project, caller, body }) =>
      toReceipt(await reports.create(project, { source: 'player', userId: caller.externalUserId }, body)),
    list: ({ project, caller, query }) => reports.receipts(project.projectId, caller.externalUserId, query),
    get: ({ project, caller, params }) => reports.receipt(project.projectId, caller.externalUserId, params.id),
  }),
  ...bind(roomReportRoutes, {
    create: async ({ project, caller, body }) =>
      toReceipt(
        await reports.create(
          project,
          { source: 'room', userId: caller.externalUserId },
          { ...body, roomId: caller.roomId },
        ),
      ),
    get: ({ project, caller, params }) => reports.receipt(project.projectId, caller.externalUserId, params.id),
  }),
  ...bind(reportSettingsRoutes, {
    get: ({ project }) => settings.get(project.projectId),
    update: ({ project, body }) => settings.update(project.projectId, body),
  }),
];
