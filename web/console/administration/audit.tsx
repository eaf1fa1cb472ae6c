import { useState } from 'react';
import { auditRoutes } from '../../../src/contract/audit/audit.js';
import type { Result } from '../../../src/contract/route.js';
import { useProject } from '../frame/project.js';
import { readingOf } from '../parts/answer.js';
import { CliLine, commandLine, Id } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { Dialog } from '../parts/dialog.js';
import { Facts } from '../parts/facts.js';
import { TextFilter } from '../parts/filters.js';
import { isoTime } from '../parts/iso-time.js';
import { Time } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { useRead } from '../parts/use-read.js';
import { PersonLink } from '../people/person-link.js';
import { useWords, type Words } from '../words/all-words.js';

type AuditLine = Result<typeof auditRoutes.list>['entries'][number];
const idOf = ({ id }: AuditLine) => id;
const shownMax = 200;
const nameOf = ({ actor: { kind, name, id } }: AuditLine): string => name ?? id ?? kind;

const columnsOf = ({ administration: words }: Words): readonly Column<AuditLine>[] => [
  { ...{ id: 'at', label: words.when, width: '150px' }, cell: ({ at }) => <Time at={at} />, sort: ({ at }) => at },
  { ...{ id: 'actor', label: words.who }, cell: (entry) => <bdi>{nameOf(entry)}</bdi>, sort: nameOf },
  { ...{ id: 'action', label: words.what }, cell: ({ action }) => action, sort: ({ action }) => action },
  {
    ...{ id: 'targets', label: words.target, wide: true },
    cell: ({ targets }) => <Targets of={targets} />,
  },
  {
    ...{ id: 'outcome', label: words.outcome, width: '100px' },
    cell: ({ outcome }) => <span className={`badge ${outcome === 'done' ? '' : 'bad'}`}>{outcome}</span>,
  },
];

const Targets = ({ of }: { readonly of: AuditLine['targets'] }) => (
  <span className="named">
    {of.map(({ kind, id, name }) =>
      kind === 'person' ? <PersonLink key={id} id={id} /> : <bdi key={id}>{`${kind} ${name ?? id}`}</bdi>,
    )}
  </span>
);

export default function Audit() {
  const words = useWords();
  const own = words.administration;
  const { params } = useProject();
  const [actor, setActor] = useFilter('actor');
  const [target, setTarget] = useFilter('target');
  const [action, setAction] = useFilter('action');
  const [day, setDay] = useFilter('since');
  const since = isoTime(new Date(`${day}T00:00`));
  const [open, setOpen] = useState<AuditLine | null>(null);
  const filters = {
    ...(actor === '' ? {} : { actor }),
    ...(target === '' ? {} : { target }),
    ...(action === '' ? {} : { action }),
    ...(since === undefined ? {} : { since }),
  };
  const log = useRead(auditRoutes.list, {
    params,
    query: { ...filters, limit: shownMax },
  });
  return (
    <>
      <div className="page-actions tab-actions">
        <TextFilter label={own.who} value={actor} onChange={setActor} />
        <TextFilter label={own.target} value={target} onChange={setTarget} />
        <TextFilter label={own.what} value={action} onChange={setAction} />
        <TextFilter label={own.since} value={day} onChange={setDay} isDate />
      </div>
      <DataTable
        label={own.audit}
        of={readingOf(log, ({ entries }) => entries)}
        columns={columnsOf(words)}
        idOf={idOf}
        onOpen={setOpen}
        empty={own.noEntry}
        height="calc(100dvh - 250px)"
      />
      {log.data !== undefined && log.data.next !== null && <p className="quiet">{own.olderByCommand(shownMax)}</p>}
      <CliLine
        line={commandLine('audit', 'list', ...Object.entries(filters).flatMap(([name, value]) => [`--${name}`, value]))}
      />
      <Dialog opened={open !== null} onClose={() => setOpen(null)} title={own.entry} size="lg">
        {open !== null && (
          <Facts
            of={[
              [own.when, <Time key="at" at={open.at} />],
              [own.who, <bdi key="who">{`${nameOf(open)} (${open.actor.kind})`}</bdi>],
              [own.what, open.action],
              [own.target, <Targets key="targets" of={open.targets} />],
              [own.outcome, open.outcome],
              [own.changed, open.changed.join(', ')],
              [own.address, open.address],
              [own.request, open.requestId === null ? null : <Id key="request" id={open.requestId} />],
            ]}
          />
        )}
      </Dialog>
    </>
  );
}
