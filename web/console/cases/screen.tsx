import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Case, CaseStatus, caseRoutes } from '../../../src/contract/reports/cases.js';
import { useColleagues, useOpenId, useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { ChoiceFilter } from '../parts/filters.js';
import { Page } from '../parts/page.js';
import { Refusal } from '../parts/refusal.js';
import { Ago } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { PersonLink } from '../people/person-link.js';
import { client } from '../session/session.js';
import type { FirstWords } from '../words/en.js';
import { useWords } from '../words/words.js';
import { OpenCase } from './open-case.js';
import { casesMax, useMe } from './queries.js';
import { ReviewList } from './review-list.js';

const idOf = ({ id }: Case) => id;
const columnsOf = (words: FirstWords, me: string, names: ReadonlyMap<string, string>): readonly Column<Case>[] => [
  {
    ...{ id: 'priority', label: words.cases.priority, width: '70px' },
    cell: ({ priority }) => priority.toFixed(1),
    sort: ({ priority }) => -priority,
  },
  {
    ...{ id: 'category', label: words.cases.kind, width: '170px' },
    cell: ({ category }) => <span className="badge accent">{category}</span>,
    sort: ({ category }) => category,
  },
  {
    ...{ id: 'person', label: words.person, width: '150px' },
    cell: ({ externalUserId, roomId }) => <PersonLink id={externalUserId} name={externalUserId ?? roomId} />,
  },
  { ...{ id: 'why', label: words.cases.why, wide: true }, cell: ({ why }) => <bdi title={why}>{why}</bdi> },
  {
    ...{ id: 'status', label: words.status, width: '100px' },
    cell: ({ status, decision, missedAt }) => (
      <span className={`badge ${missedAt !== null && decision === null ? 'bad' : status === 'open' ? 'warn' : ''}`}>
        {decision === null ? words.cases[status] : words.cases.decisions[decision]}
      </span>
    ),
    sort: ({ status }) => status,
  },
  {
    ...{ id: 'claimed', label: words.cases.claimedBy, wide: true, width: '130px' },
    cell: ({ claimedByUserId: by }) => (by === null ? '' : by === me ? words.cases.me : (names.get(by) ?? by)),
  },
  {
    ...{ id: 'waits', label: words.cases.waits, width: '90px' },
    cell: ({ createdAt }) => <Ago at={createdAt} />,
    sort: ({ createdAt }) => createdAt,
  },
];

export default function Cases() {
  const { may } = useProject();
  const openId = useOpenId();
  if (openId !== undefined) return <OpenCase key={openId} id={openId} />;
  return may('moderator') ? <CaseList /> : <ReviewList />;
}

/** Heaviest first. */
function CaseList() {
  const words = useWords();
  const { params, project } = useProject();
  const navigate = useNavigate();
  const me = useMe();
  const names = useColleagues();
  const [status, setStatus] = useFilter('status');
  const key = ['cases', params.projectId];
  const filter =
    status === '' ? {} : status === 'overdue' ? { overdue: true } : { status: CaseStatus.catch('open').parse(status) };
  const { data, error, refetch, hasNextPage, fetchNextPage, isPlaceholderData } = useInfiniteQuery({
    queryKey: [...key, 'list', status],
    queryFn: ({ pageParam: after }) =>
      client.call(caseRoutes.list, {
        params,
        query: { ...filter, limit: casesMax, ...(after === '' ? {} : { after }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
  });
  useRefresh(key, 'case.');
  const rows = data?.pages.flatMap(({ cases }) => cases);
  const flag = status === 'overdue' ? (['--overdue'] as const) : (['--status', status] as const);
  return (
    <Page
      title={words.cases.title}
      actions={
        <ChoiceFilter
          label={words.status}
          value={status}
          onChange={setStatus}
          choices={[
            { value: '', label: words.cases.undecided },
            ...CaseStatus.options.map((value) => ({ value, label: words.cases[value] })),
            { value: 'overdue', label: words.cases.overdue },
          ]}
        />
      }
    >
      <Refusal error={error} onRetry={() => void refetch()} />
      {rows !== undefined && (
        <DataTable
          label={words.cases.title}
          rows={rows}
          columns={columnsOf(words, me, names)}
          idOf={idOf}
          isStale={isPlaceholderData}
          onOpen={({ id }) => void navigate({ to: `/projects/${project.id}/cases/${id}` })}
          empty={words.cases.empty}
        />
      )}
      {hasNextPage && (
        <Button variant="default" onClick={() => void fetchNextPage()}>
          {words.cases.more}
        </Button>
      )}
      <CliLine line={commandLine('cases', 'list', flag)} />
    </Page>
  );
}
