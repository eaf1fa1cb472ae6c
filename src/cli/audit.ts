/** What the commands of the audit log share. */
import { Flags } from '@oclif/core';
import { sleep, waitMs } from '../client/back-off.js';
import type { EarshotClient } from '../client/earshot-client.js';
import { ApiError, DaemonUnreachable } from '../client/errors.js';
import { AuditEntry, AuditExportEnd, type AuditFilter, auditRoutes } from '../contract/audit/audit.js';
import { stated } from './fields.js';
import { CutOff, linesOf } from './ndjson.js';
import { parseTime } from './times.js';

const entriesAtOnce = 50_000;
const failuresMax = 8;

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

/** Everything, newest first, an array at a time. Throws ApiError, DaemonUnreachable. */
export async function* exportedEntries(
  client: EarshotClient,
  projectId: string | null,
  filter: AuditFilter,
  signal: AbortSignal,
): AsyncGenerator<AuditEntry[], void> {
  let after: string | null = filter.after ?? null;
  for (let failures = 0; !signal.aborted; ) {
    const query = { ...filter, limit: entriesAtOnce, ...stated({ after }) };
    try {
      for await (const part of answerOf(client, projectId, query, signal)) {
        failures = 0;
        if ('entries' in part) yield part.entries;
        else if (part.next === null) return;
        else after = part.next;
      }
    } catch (error) {
      failures += 1;
      // What an answer brought before it was cut off has been passed on, so only one that had not begun is asked again.
      const mayPass = error instanceof ApiError ? error.isPassing : error instanceof DaemonUnreachable;
      if (signal.aborted || !mayPass || failures > failuresMax) throw error;
      const asked = error instanceof ApiError ? error.retryAfterSeconds : null;
      await sleep(asked === null ? waitMs(failures - 1) : asked * 1_000, signal);
    }
  }
}

type Part = { readonly entries: AuditEntry[] } | { readonly next: string | null };

async function* answerOf(
  client: EarshotClient,
  projectId: string | null,
  query: AuditFilter & { readonly limit: number },
  signal: AbortSignal,
): AsyncGenerator<Part, void> {
  const { body } =
    projectId === null
      ? await client.open(auditRoutes.exportTenant, { query }, signal)
      : await client.open(auditRoutes.export, { params: { projectId }, query }, signal);
  for await (const lines of linesOf(body)) {
    const entries: AuditEntry[] = [];
    for (const line of lines) {
      const read: unknown = JSON.parse(line);
      const end = AuditExportEnd.safeParse(read);
      if (!end.success) entries.push(AuditEntry.parse(read));
      else {
        yield { entries };
        return yield { next: end.data.next };
      }
    }
    yield { entries };
  }
  throw new CutOff();
}

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
