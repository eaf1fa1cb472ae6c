/** The audit log: who did what to whom, when and from where. */
import { z } from 'zod';
import { ExportEnd, exportLimit, ProjectPath, pageLimit, Timestamp, TimestampInput } from '../common.js';
import { defineRoute } from '../route.js';

export const auditActorKinds = ['user', 'apiKey', 'participant', 'operator'] as const;
export const auditOutcomes = ['done', 'refused', 'failed'] as const;

const AuditTarget = z
  .object({
    kind: z.string().describe('sanction, person, participant, project, …'),
    id: z.string().describe('External user id of a person; erased: the person was erased'),
    name: z.string().nullable().describe('For a person, the current name'),
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
        .describe("operator: somebody who ran an earshotd command; participant: the holder of a moderator's link"),
      id: z.string().nullable(),
      name: z
        .string()
        .nullable()
        .describe('E-mail address or name of the key at the time; for a participant, `player ID` with the current id'),
    }),
    address: z.string().nullable().describe('Network address of the caller'),
    requestId: z.string().nullable().describe('Value of the header X-Request-Id of the answer'),
    action: z.string().describe('operationId of the operation; for the operator, the command'),
    outcome: z
      .enum(auditOutcomes)
      .describe('refused: a login was refused; failed: the operation ended with an error after part of it was stored'),
    targets: z.array(AuditTarget),
    changed: z
      .array(z.string())
      .describe('Names of the fields that were sent, and of the options of a read; values are never recorded'),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;

const Cursor = z
  .string()
  .regex(/^\d{1,14}-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, 'is no cursor of the log; send the `next` of an answer');

/** Returns the cursor after an entry, as in `after` and `next`. */
export const placeOfEntry = ({ at, id }: { readonly at: string; readonly id: string }): string =>
  `${Date.parse(at)}-${id}`;

const AuditFilter = z.object({
  actor: z.string().min(1).max(320).optional().describe('Who did it: e-mail address, name of a key, id, or operator'),
  target: z
    .string()
    .min(1)
    .max(320)
    .optional()
    .describe("Whom or what it was done to: an id, a person's name, or a name that the entry shows"),
  action: z.string().min(1).max(100).optional().describe('Operation: exact, or a prefix with a trailing *'),
  since: TimestampInput.optional().describe('Only what was done at this time or later'),
  until: TimestampInput.optional().describe('Only what was done before this time'),
  after: Cursor.optional().describe('Continue after this cursor: `next` of the previous answer'),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

const AuditQuery = AuditFilter.extend({ limit: pageLimit('Entries') });

export const AuditExportQuery = AuditFilter.extend({ limit: exportLimit('entries') });
export type AuditExportQuery = z.infer<typeof AuditExportQuery>;

export const AuditPage = z
  .object({
    entries: z.array(AuditEntry),
    next: z.string().nullable().describe('Pass this as `after` to continue; null: there is no more'),
  })
  .meta({ id: 'AuditPage' });
export type AuditPage = z.infer<typeof AuditPage>;

const group = 'Audit log';
const auth = ['apiKey', 'bearer'] as const;
const scope = 'audit:read';
const exportDescription =
  'One JSON object per line. The last line is `{"next": …}`: the cursor to continue from, or null at the end. An answer without that line was cut off: ask again. The export itself is recorded.';
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
    summary: 'List who did what in the whole tenant, newest first, including logins, keys and deleted projects.',
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
