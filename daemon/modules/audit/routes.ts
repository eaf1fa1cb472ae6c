import { auditRoutes } from '../../../src/contract/audit/audit.js';
import { bind } from '../../platform/http/bind.js';
import type { AuditEntryExport } from './audit-export.js';
import type { AuditService } from './service.js';

export const auditRouter = (audit: AuditService, exports: AuditEntryExport) =>
  bind(auditRoutes, {
    list: ({ project: { tenantId, projectId }, query }) => audit.page({ tenantId, projectId }, query, query.limit),
    listTenant: ({ caller: { tenantId }, query }) => audit.page({ tenantId, projectId: null }, query, query.limit),
    export: ({ project: { tenantId, projectId }, query }, { request, response }) =>
      exports.stream({ tenantId, projectId }, query, { response, isHead: request.method === 'HEAD' }),
    exportTenant: ({ caller: { tenantId }, query }, { request, response }) =>
      exports.stream({ tenantId, projectId: null }, query, { response, isHead: request.method === 'HEAD' }),
  });
