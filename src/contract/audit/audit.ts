/** The audit log: who did what to whom, when and from where. */
import { z } from 'zod';
import { ExportEnd, exportLimit, ProjectPath, pageLimit, Timestamp, TimestampInput } from '../common.js';
import { defineRoute } from '../route.js';

export const auditActorKinds = ['user', 'apiKey', 'participant', 'operator'] as const;
export const auditOutcomes = ['done', 'refused', 'failed'] as const;

const AuditTarget = z
  .object({
    kind: z.string().describe('sanction, person, participant, project, …'),
    id: z.string().describe('A person is named by the external user id; erased: the person was erased'),
    name: z.string().nullable().describe('Of a person: the name of today'),
  })
  .meta({ id: 'AuditTarget' });

export const AuditEntry = z
  .object({
    id: z.string(),
    at: Timestamp,
    tenantId: z.string().nullable().describe('null: the operator did it to the whole installation'),
    projectId: z.string().nullable(),
    actor: z.object({
      kind: z
        .enum(auditActorKinds)
        .describe("operator: a command of earshotd; participant: the holder of a moderator's link"),
      id: z.string().nullable(),
      name: z
        .string()
        .nullable()
        .describe('E-mail address or name of the key, as it was then; of a participant `player ID` as it is now'),
    }),
    address: z.string().nullable().describe('Network address of the caller'),
    requestId: z.string().nullable().describe('As in the header X-Request-Id of the answer'),
    action: z.string().describe('Operation, by its operationId; of the operator: the command'),
    outcome: z
      .enum(auditOutcomes)
      .describe('refused: a login that was refused; failed: it ended with an error after a part of it was stored'),
    targets: z.array(AuditTarget),
    changed: z.array(z.string()).describe('Names of the fields that were sent; values are never recorded'),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;

const Cursor = z
  .string()
  .regex(/^\d{1,14}-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, 'is no place in the log; send the `next` of an answer');

/** Behind this entry, as `after` takes it and `next` says it. */
export const placeOfEntry = ({ at, id }: { readonly at: string; readonly id: string }): string =>
  `${Date.parse(at)}-${id}`;

const AuditFilter = z.object({
  actor: z.string().min(1).max(320).optional().describe('Who did it: e-mail address, name of a key, id, or operator'),
  target: z
    .string()
    .min(1)
    .max(320)
    .optional()
    .describe('To whom or what it was done: an id, the name of a person, or a name that the entry shows'),
  action: z.string().min(1).max(100).optional().describe('Operation, exact or the beginning with a trailing *'),
  since: TimestampInput.optional().describe('Done at this time or later'),
  until: TimestampInput.optional().describe('Done before this time'),
  after: Cursor.optional().describe('Continue after this place: `next` of the previous answer'),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

const AuditQuery = AuditFilter.extend({ limit: pageLimit('Entries') });

export const AuditExportQuery = AuditFilter.extend({ limit: exportLimit('entries') });
export type AuditExportQuery = z.infer<typeof AuditExportQuery>;

export const AuditPage = z
  .object({
    entries: z.array(AuditEntry),
    next: z.string().nullable().describe('Go on with this as `after`; null: that was all'),
  })
  .meta({ id: 'AuditPage' });
export type AuditPage = z.infer<typeof AuditPage>;

const group = 'Audit log';
const auth = ['apiKey', 'bearer'] as const;
const scope = 'audit:read';
const exportDescription =
  'One JSON object a line. The last line is `{"next": …}`: where to go on, or null at the end. An answer without it was cut off: ask again. The export itself is recorded.';
const lines = {
  status: 200,
  contentType: 'application/x-ndjson',
  item: z.union([AuditEntry, ExportEnd]).meta({ id: 'AuditExportLine' }),
} as const;

export const auditRoutes = {
  list: defineRoute({
    operationId: 'listAudit',
    summary: 'List who did what in a project, newest first.',
    group,
    method: 'get',
    path: '/api/projects/{projectId}/audit',
    auth,
    scope,
    role: 'admin',
    params: ProjectPath,
    query: AuditQuery,
    success: { status: 200, body: AuditPage },
    errors: [],
  }),
  listTenant: defineRoute({
    operationId: 'listTenantAudit',
    summary: 'List who did what in the whole tenant, newest first: logins, keys and removed projects too.',
    group,
    method: 'get',
    path: '/api/audit',
    auth,
    scope,
    tenantRole: 'admin',
    query: AuditQuery,
    success: { status: 200, body: AuditPage },
    errors: [],
  }),
  export: defineRoute({
    operationId: 'exportAudit',
    summary: 'Stream the audit log of a project, newest first.',
    description: exportDescription,
    group,
    method: 'get',
    path: '/api/projects/{projectId}/audit/export',
    auth,
    scope,
    role: 'admin',
    params: ProjectPath,
    query: AuditExportQuery,
    success: lines,
    errors: ['rate_limited'],
  }),
  exportTenant: defineRoute({
    operationId: 'exportTenantAudit',
    summary: 'Stream the audit log of the whole tenant, newest first.',
    description: exportDescription,
    group,
    method: 'get',
    path: '/api/audit/export',
    auth,
    scope,
    tenantRole: 'admin',
    query: AuditExportQuery,
    success: lines,
    errors: ['rate_limited'],
  }),
};
