/** What the commands of the audit log share. */
import { Flags } from '@oclif/core';
import type { EarshotClient } from '../client/earshot-client.js';
import { AuditEntry, type AuditFilter, auditRoutes, placeOfEntry } from '../contract/audit/audit.js';
import { stated } from './fields.js';
import { type ExportedRow, exportedRows, rowsAtOnce } from './line-export.js';
import { parseTime } from './times.js';

export const auditFlags = {
  actor: Flags.string({ description: 'Who did it: e-mail address, name of a key, id, or operator' }),
  target: Flags.string({ description: 'To whom or what: an id, the name of a person, a name that the entry shows' }),
  action: Flags.string({ description: 'Operation, exact or the beginning with a trailing *' }),
  since: Flags.string({ description: 'Done at this time or later: 2h, yesterday, "mon 18:00"' }),
  until: Flags.string({ description: 'Done before this time; left out: now' }),
  'all-projects': Flags.boolean({ description: 'The whole tenant, with logins, keys and removed projects' }),
};

interface Typed {
  readonly actor?: string | undefined;
  readonly target?: string | undefined;
  readonly action?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** What the flags ask for. Throws NotUnderstood. */
export function auditFilter({ actor, target, action, since, until }: Typed): AuditFilter {
  const now = new Date();
  const time = (typed: string | undefined) => (typed === undefined ? undefined : parseTime(typed, now, 'past'));
  return stated({ actor, target, action, since: time(since), until: time(until) });
}

/** A page of the project, or of the whole tenant where `projectId` is null. */
export const auditPage = (
  client: EarshotClient,
  projectId: string | null,
  query: AuditFilter & { readonly limit?: number },
) =>
  projectId === null
    ? client.call(auditRoutes.listTenant, { query })
    : client.call(auditRoutes.list, { params: { projectId }, query });

/** Everything, newest first, an array at a time. Throws ApiError, DaemonUnreachable, CutOff. */
export const exportedEntries = (
  client: EarshotClient,
  projectId: string | null,
  { after: first, ...filter }: AuditFilter,
  signal: AbortSignal,
  trouble: (line: string) => void,
): AsyncGenerator<ExportedRow<AuditEntry>[], void> => {
  const open = (after: string | undefined) => {
    const query = { ...filter, limit: rowsAtOnce, ...stated({ after }) };
    return projectId === null
      ? client.open(auditRoutes.exportTenant, { query }, signal)
      : client.open(auditRoutes.export, { params: { projectId }, query }, signal);
  };
  return exportedRows<AuditEntry>(
    { open, read: (line) => AuditEntry.parse(line), placeOf: placeOfEntry, trouble },
    first,
    signal,
  );
};

const nameOf = ({ kind, id, name }: AuditEntry['targets'][number]): string => `${kind} ${name ?? id}`;

/** As tables show it: who did what to whom first. */
export const auditRow = ({ at, actor, action, outcome, targets, changed, address, id }: AuditEntry) => ({
  at,
  who: actor.name ?? actor.id ?? actor.kind,
  action: outcome === 'done' ? action : `${action} (${outcome})`,
  target: targets.map(nameOf).join(', '),
  changed: changed.join(', '),
  from: address,
  id,
});
export const auditColumns = ['at', 'who', 'action', 'target', 'changed', 'from'] as const;
