/** Shared parts of the commands about the audit log. */
import * as Flags from '@oclif/core/flags';
import type { EarshotClient } from '../../client/earshot-client.js';
import { AuditEntry, type AuditFilter, auditRoutes, placeOfEntry } from '../../contract/audit/audit.js';
import { didYouMean, nearest } from '../../contract/nearest.js';
import { looksLikeId } from '../../names/id-shape.js';
import type { Screen } from '../../terminal/output.js';
import { harmless } from '../../text/printable.js';
import { shellWord } from '../../text/shell-word.js';
import { type ExportedRow, exportedRows, rowsAtOnce } from '../files/line-export.js';
import { namedBy, namesNear } from '../names/candidates.js';
import { daemonNow } from '../typed/daemon-clock.js';
import { stated } from '../typed/fields.js';
import { parseTime } from '../typed/times.js';

export const auditFlags = {
  actor: Flags.string({ description: 'Who did it: e-mail address, name of a key, id, or operator' }),
  target: Flags.string({
    description: "Whom or what it was done to: an id, a person's name, or a name that the entry shows",
  }),
  action: Flags.string({ description: 'Operation: exact, or a prefix with a trailing *' }),
  since: Flags.string({ description: 'Only what was done at this time or later: 2h, yesterday, "mon 18:00"' }),
  until: Flags.string({ description: 'Only what was done before this time; default: now' }),
  'all-projects': Flags.boolean({ description: 'The whole tenant, including logins, keys and deleted projects' }),
};

interface AuditFlags {
  readonly actor?: string | undefined;
  readonly target?: string | undefined;
  readonly action?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Returns the filter that the flags state. Throws UsageError. */
export function auditFilter({ actor, target, action, since, until }: AuditFlags): AuditFilter {
  const now = daemonNow();
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

const actorsFromMax = 200;

/** `Did you mean --actor ann@example.com?` where nobody of that name acted lately; else null. */
export async function actorsMeant(
  client: EarshotClient,
  projectId: string | null,
  typed: string,
): Promise<string | null> {
  const { entries } = await auditPage(client, projectId, { limit: actorsFromMax });
  const known = entries.map(({ actor }) => ({
    id: actor.id ?? actor.kind,
    names: actor.name === null ? [] : [actor.name],
    says: '',
  }));
  if (namedBy(typed, known).length > 0) return null;
  const near = namesNear(typed, known).map((name) => `--actor ${shellWord(name)}`);
  return near.length === 0 ? null : `Did you mean ${near.join(' or ')}?`;
}

const actionsMax = 5;

/** `Did you mean --action createRule?` where no operation has that name; else null. */
export async function actionsMeant(typed: string): Promise<string | null> {
  const { allRoutes } = await import('../../contract/routes.js');
  const names = allRoutes.map(({ operationId }) => operationId);
  const begin = typed.replace(/\*$/, '');
  const isKnown = names.some((name) => (typed.endsWith('*') ? name.startsWith(begin) : name === typed));
  if (isKnown) return null;
  const stem = begin.toLowerCase().replace(/s$/, '');
  const within = names.filter((name) => name.toLowerCase().includes(stem)).slice(0, actionsMax);
  const near = (within.length > 0 ? within : nearest(begin, names)).map((name) => `--action ${name}`);
  return `No operation is called ${harmless(typed)}. ${didYouMean(near, '`earshot audit list` shows the names.')}`;
}

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

type AuditTarget = AuditEntry['targets'][number];

const isPerson = ({ kind }: AuditTarget): boolean => kind === 'person' || kind === 'participant';
/** On a narrow screen an id would be cut off, and says nothing so. */
const narrow = ({ isTerminal, ids, width = 80 }: Screen): boolean => isTerminal && ids !== true && width < idsWidthMin;
const idsWidthMin = 120;

/** People first, somebody who is a participant too once; of things those that have a name. */
function targetsShown(targets: readonly AuditTarget[], screen: Screen): string {
  const people = targets.filter(isPerson);
  const kept = people.filter(
    (one, index) => people.findIndex(({ name }) => name !== null && name === one.name) === index || one.name === null,
  );
  const things = targets.filter((one) => !isPerson(one));
  const words = ({ kind, id, name }: AuditTarget): string =>
    name === null && narrow(screen) && looksLikeId.test(id) ? kind : `${kind} ${name ?? id}`;
  return [...kept, ...things.filter(({ name }) => name !== null), ...things.filter(({ name }) => name === null)]
    .map(words)
    .join(', ');
}

/** Returns the row of an entry for tables: actor, action and target first. */
export const auditRow = (
  { at, actor, action, outcome, targets, changed, address, id }: AuditEntry,
  screen: Screen,
) => ({
  at,
  who: actor.name ?? actor.id ?? actor.kind,
  action: outcome === 'done' ? action : `${action} (${outcome})`,
  target: targetsShown(targets, screen),
  changed: changed.join(', '),
  from: address,
  id,
});

/** Columns of the audit log. Addresses and the names of fields are shown in wide terminals, and in `--json`. */
export const auditColumns = (screen: Screen): readonly string[] => [
  ...['at', 'who', 'action', 'target'],
  ...(narrow(screen) ? [] : ['changed', 'from']),
];
