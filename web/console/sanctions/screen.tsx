import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { isToldType, sanctionTypes } from '../../../src/contract/moderation/sanction-kinds.js';
import type { Sanction } from '../../../src/contract/moderation/sanction-record.js';
import { type SanctionListType, sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { statementRoutes } from '../../../src/contract/moderation/statements.js';
import { useOpenId, useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { Pending } from '../parts/answer.js';
import { CliLine, commandLine, Id } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { Dialog } from '../parts/dialog.js';
import { ChoiceFilter, TextFilter } from '../parts/filters.js';
import { Page } from '../parts/page.js';
import { Countdown, Time } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { usePages } from '../parts/use-pages.js';
import { PersonLink } from '../people/person-link.js';
import { client } from '../session/session.js';
import type { FirstWords } from '../words/en.js';
import { useWords } from '../words/words.js';
import { Change } from './change.js';
import { SanctionBadge } from './sanction-badge.js';
import { SanctionForm } from './sanction-form.js';
import { Several } from './several.js';

const Templates = lazy(() => import('./templates.js'));
const Batches = lazy(() => import('./batches.js'));

const idOf = ({ id }: Sanction) => id;
const columnsOf = (words: FirstWords): readonly Column<Sanction>[] => [
  {
    ...{ id: 'type', label: words.type, width: '130px' },
    cell: ({ type, isActive }) => <SanctionBadge type={type} isActive={isActive} />,
    sort: ({ type }) => type,
  },
  {
    ...{ id: 'person', label: words.person },
    cell: ({ externalUserId, participant }) => <PersonLink id={externalUserId} name={participant?.displayName} />,
    sort: ({ externalUserId }) => externalUserId ?? '',
  },
  { ...{ id: 'reason', label: words.reason, wide: true }, cell: ({ reason }) => <bdi>{reason}</bdi> },
  { ...{ id: 'by', label: words.by, wide: true }, cell: ({ createdBy }) => <bdi>{createdBy}</bdi> },
  {
    ...{ id: 'created', label: words.created, wide: true, width: '150px' },
    cell: ({ createdAt }) => <Time at={createdAt} />,
    sort: ({ createdAt }) => createdAt,
  },
  {
    ...{ id: 'ends', label: words.ends, width: '130px' },
    cell: ({ isActive, endAt, status }) =>
      isActive ? <Countdown at={endAt} /> : <span className="quiet">{words.sanctions.statuses[status]}</span>,
    sort: ({ endAt }) => endAt ?? '~',
  },
];

export default function Sanctions() {
  const words = useWords();
  const { params, project, may } = useProject();
  const navigate = useNavigate();
  const [type, setType] = useFilter('type');
  const [person, setPerson] = useFilter('person');
  const [activeOnly, setActiveOnly] = useFilter('active');
  const [issues, setIssues] = useFilter('issue');
  const [view, setView] = useFilter('view');
  const openId = useOpenId();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const key = ['sanctions', params.projectId];
  const { rows, total, onEnd } = usePages<Sanction>([...key, type, person, activeOnly], async (page) => {
    const { sanctions, total: found } = await client.call(sanctionRoutes.list, {
      params,
      query: {
        ...page,
        ...(type === '' ? {} : { type: type as SanctionListType }),
        ...(person === '' ? {} : { externalUserId: person }),
        ...(activeOnly === '' ? {} : { activeOnly: true }),
      },
    });
    return { rows: sanctions, total: found };
  });
  useRefresh(key, 'sanction.');
  const to = (id: string) => `/projects/${project.id}/sanctions${id === '' ? '' : `/${id}`}`;
  return (
    <Page
      title={words.sanctions.title}
      actions={
        <>
          <TextFilter label={words.person} value={person} onChange={setPerson} />
          <ChoiceFilter
            label={words.type}
            value={type}
            onChange={setType}
            choices={[
              { value: '', label: words.all },
              { value: 'ban', label: words.sanctions.anyBan },
              ...sanctionTypes.map((value) => ({ value, label: words.sanctions.types[value] })),
            ]}
          />
          <Checkbox
            label={words.sanctions.activeOnly}
            checked={activeOnly !== ''}
            onChange={(event) => setActiveOnly(event.currentTarget.checked ? 'yes' : '')}
          />
          <Button variant="default" onClick={() => setView('templates')}>
            {words.sanctions.templates}
          </Button>
          <Button variant="default" onClick={() => setView('batches')}>
            {words.sanctions.batches}
          </Button>
          {may('moderator') && <Button onClick={() => setIssues('yes')}>{words.sanctions.issue}</Button>}
        </>
      }
    >
      {selected.size > 0 && (
        <Several
          chosen={(rows.data ?? []).filter(({ id }) => selected.has(id))}
          onClear={() => setSelected(new Set())}
        />
      )}
      <DataTable
        label={words.sanctions.title}
        of={rows}
        onEnd={onEnd}
        columns={columnsOf(words)}
        idOf={idOf}
        chosen={openId}
        onOpen={({ id }) => void navigate({ to: to(id), search: true as never })}
        empty={words.sanctions.empty}
        selection={may('moderator') ? { ids: selected, onChange: setSelected } : undefined}
      />
      {rows.data !== undefined && <p className="quiet">{words.rows(rows.data.length, total)}</p>}
      <CliLine
        line={commandLine(
          ...['sanctions', 'list'],
          ['--type', type],
          ['--user', person],
          ['--status', activeOnly === '' ? '' : 'active'],
        )}
      />
      <Dialog opened={issues !== '' && may('moderator')} onClose={() => setIssues('')} title={words.sanctions.issue}>
        <SanctionForm suggested={person} onDone={() => setIssues('')} />
      </Dialog>
      <Dialog opened={view === 'templates'} onClose={() => setView('')} title={words.sanctions.templates} size="lg">
        <Suspense>
          <Templates />
        </Suspense>
      </Dialog>
      <Dialog opened={view === 'batches'} onClose={() => setView('')} title={words.sanctions.batches} size="lg">
        <Suspense>
          <Batches />
        </Suspense>
      </Dialog>
      <Dialog
        opened={openId !== undefined}
        onClose={() => void navigate({ to: to(''), search: true as never })}
        title={words.sanctions.detail}
        size="lg"
      >
        {openId !== undefined && <Detail id={openId} />}
      </Dialog>
    </Page>
  );
}

function Detail({ id }: { readonly id: string }) {
  const words = useWords();
  const { params, project, may } = useProject();
  const reading = useQuery({
    queryKey: ['sanctions', params.projectId, 'one', id],
    queryFn: () => client.call(sanctionRoutes.get, { params: { ...params, id } }),
  });
  const { data: sanction } = reading;
  const isTold = sanction !== undefined && isToldType(sanction.type);
  const { data: statement } = useQuery({
    queryKey: ['sanctions', params.projectId, 'statement', id],
    // A shadow mute in force has none.
    queryFn: () => client.call(statementRoutes.get, { params: { ...params, id } }).catch(() => null),
    enabled: isTold && may('moderator'),
  });
  const url = statement?.url ?? null;
  if (sanction === undefined) return <Pending of={reading} />;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [words.type, <SanctionBadge key="type" type={sanction.type} isActive={sanction.isActive} />],
    [words.person, <PersonLink key="person" id={sanction.externalUserId} name={sanction.participant?.displayName} />],
    [words.status, words.sanctions.statuses[sanction.status]],
    [words.reason, <bdi key="reason">{sanction.reason}</bdi>],
    [words.note, <bdi key="note">{sanction.note}</bdi>],
    [words.by, <bdi key="by">{sanction.createdBy}</bdi>],
    [words.sanctions.startsAt, <Time key="start" at={sanction.startAt} />],
    [
      words.ends,
      sanction.isActive ? <Countdown key="end" at={sanction.endAt} /> : <Time key="end" at={sanction.endAt} />,
    ],
    ...(sanction.caseId === null
      ? []
      : [
          [
            words.cases.case,
            <Link key="case" to={`/projects/${project.id}/cases/${sanction.caseId}`}>
              {words.cases.back}
            </Link>,
          ] as const,
        ]),
    ...(url === null
      ? []
      : [
          [
            words.sanctions.page,
            <a key="page" href={url} rel="noreferrer" target="_blank">
              {url}
            </a>,
          ] as const,
        ]),
    ['id', <Id key="id" id={sanction.id} />],
  ];
  return (
    <>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {sanction.isActive && may('moderator') && <Change sanction={sanction} />}
    </>
  );
}
