import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { appealsOnly, type Case, CaseStatus, caseRoutes } from '../../../src/contract/reports/cases.js';
import { reportSettingsRoutes } from '../../../src/contract/reports/report-settings.js';
import { useColleagues, useOpenId, useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { readingOf } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { ChoiceFilter, TextFilter } from '../parts/filters.js';
import { Page } from '../parts/page.js';
import { Ago } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { PersonLink } from '../people/person-link.js';
import { client } from '../session/session.js';
import type { FirstWords } from '../words/en.js';
import { useWords } from '../words/words.js';
import { MisuseProposals } from './misuse-proposals.js';
import { OpenCase } from './open-case.js';
import { casesMax, kindWord, useMe } from './queries.js';
import { KindFilter, MineFilter, ReviewList } from './review-list.js';
import { reasonsOf, Urgency } from './urgency.js';

const idOf = ({ id }: Case) => id;
const columnsOf = (words: FirstWords, me: string, names: ReadonlyMap<string, string>): readonly Column<Case>[] => [
  {
    ...{ id: 'priority', label: words.cases.priority, width: '80px' },
    cell: (found) => <Urgency of={found} />,
    sort: ({ priority }) => -priority,
  },
  {
    ...{ id: 'category', label: words.cases.kind, width: '170px' },
    cell: ({ category }) => <span className="badge accent">{kindWord(words, category)}</span>,
    sort: ({ category }) => category,
  },
  {
    ...{ id: 'person', label: words.person, width: '300px' },
    cell: ({ externalUserId, roomId }) =>
      externalUserId === null ? <bdi>{roomId}</bdi> : <PersonLink id={externalUserId} />,
  },
  {
    ...{ id: 'why', label: words.cases.why, wide: true },
    cell: (found) => <span title={reasonsOf(words, found)}>{reasonsOf(words, found)}</span>,
  },
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
  const [kind] = useFilter('kind');
  if (openId !== undefined) return <OpenCase key={openId} id={openId} />;
  if (kind === 'appeal') return <ReviewList kind="appeal" />;
  return may('moderator') ? <CaseList /> : <ReviewList />;
}

/** Names of the categories that cases have: those of reports, and of cases without reports. */
function useCategories(): readonly string[] {
  const { params } = useProject();
  const { data } = useQuery({
    queryKey: ['report-settings', params.projectId],
    queryFn: () => client.call(reportSettingsRoutes.get, { params }),
  });
  return [...(data?.categories ?? []).map(({ name }) => name), 'review', appealsOnly];
}

/** Heaviest first. */
function CaseList() {
  const words = useWords();
  const { params, project } = useProject();
  const navigate = useNavigate();
  const me = useMe();
  const names = useColleagues();
  const [status, setStatus] = useFilter('status');
  const [search, setSearch] = useFilter('search');
  const [mine, setMine] = useFilter('mine');
  const [category, setCategory] = useFilter('category');
  const key = ['cases', params.projectId];
  const categories = useCategories();
  const filter = {
    ...(status === ''
      ? {}
      : status === 'overdue'
        ? { overdue: true }
        : { status: CaseStatus.catch('open').parse(status) }),
    ...(search === '' ? {} : { search }),
    ...(mine === '' ? {} : { claimedByUserId: me }),
    ...(category === '' ? {} : { category }),
  };
  const pages = useInfiniteQuery({
    queryKey: [...key, 'list', filter],
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
  const rows = readingOf(pages, (data) => data.pages.flatMap(({ cases }) => cases));
  const total = pages.data?.pages.at(-1)?.total ?? 0;
  const flag = status === 'overdue' ? (['--overdue'] as const) : (['--status', status] as const);
  return (
    <Page
      title={words.cases.title}
      actions={
        <>
          <TextFilter label={words.cases.search} value={search} onChange={setSearch} />
          <MineFilter value={mine} onChange={setMine} />
          <KindFilter />
          <ChoiceFilter
            label={words.cases.anyKind}
            value={category}
            onChange={setCategory}
            choices={[
              { value: '', label: words.cases.anyKind },
              ...categories.map((value) => ({ value, label: kindWord(words, value) })),
            ]}
          />
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
        </>
      }
    >
      <MisuseProposals />
      <DataTable
        label={words.cases.title}
        of={rows}
        columns={columnsOf(words, me, names)}
        idOf={idOf}
        onOpen={({ id }) => void navigate({ to: `/projects/${project.id}/cases/${id}` })}
        empty={words.cases.empty}
        onEnd={pages.hasNextPage && !pages.isFetching ? () => void pages.fetchNextPage() : undefined}
      />
      {rows.data !== undefined && <p className="quiet">{words.rows(rows.data.length, total)}</p>}
      <CliLine
        line={commandLine(
          ...['cases', 'list'],
          flag,
          ['--search', search],
          ['--claimed-by-user-id', mine === '' ? '' : me],
          ['--category', category],
        )}
      />
    </Page>
  );
}
