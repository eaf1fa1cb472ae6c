import { Checkbox } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type Review, type ReviewKind, ReviewStatus, reviewRoutes } from '../../../src/contract/moderation/reviews.js';
import { useColleagues, useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { ChoiceFilter, TextFilter } from '../parts/filters.js';
import { Page } from '../parts/page.js';
import { Ago } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { usePages } from '../parts/use-pages.js';
import { PersonLink } from '../people/person-link.js';
import { client } from '../session/session.js';
import type { FirstWords } from '../words/en.js';
import { useWords } from '../words/words.js';
import { useMe } from './queries.js';

const idOf = ({ id }: Review) => id;
const columnsOf = (words: FirstWords, me: string, names: ReadonlyMap<string, string>): readonly Column<Review>[] => [
  {
    ...{ id: 'kind', label: words.cases.kind, width: '130px' },
    cell: ({ kind }) => <span className="badge accent">{words.cases.reviewKinds[kind]}</span>,
    sort: ({ kind }) => kind,
  },
  { ...{ id: 'person', label: words.person }, cell: ({ externalUserId }) => <PersonLink id={externalUserId} /> },
  {
    ...{ id: 'statement', label: words.cases.statement, wide: true },
    cell: ({ statement }) => <bdi>{statement}</bdi>,
  },
  {
    ...{ id: 'status', label: words.status, width: '110px' },
    cell: ({ status, decision }) => (
      <span className={`badge ${status === 'open' ? 'warn' : ''}`}>
        {decision === null ? words.cases[status] : words.cases[decision]}
      </span>
    ),
    sort: ({ status }) => status,
  },
  {
    ...{ id: 'claimed', label: words.cases.claimedBy, wide: true },
    cell: ({ claimedByUserId: by }) => (by === null ? '' : by === me ? words.cases.me : (names.get(by) ?? by)),
  },
  {
    ...{ id: 'waits', label: words.cases.waits, width: '100px' },
    cell: ({ createdAt }) => <Ago at={createdAt} />,
    sort: ({ createdAt }) => createdAt,
  },
];

/** Leads from the cases to the appeals, and back. */
export function KindFilter() {
  const words = useWords().cases;
  const [kind, setKind] = useFilter('kind');
  return (
    <ChoiceFilter
      label={words.kind}
      value={kind}
      onChange={setKind}
      choices={[
        { value: '', label: words.allCases },
        { value: 'appeal', label: words.appeals },
      ]}
    />
  );
}

interface MineFilterProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Limits a list to what the reader has claimed. */
export const MineFilter = ({ value, onChange }: MineFilterProps) => (
  <Checkbox
    label={useWords().cases.mine}
    checked={value !== ''}
    onChange={(event) => onChange(event.currentTarget.checked ? 'yes' : '')}
  />
);

/** Reviews, oldest first: the appeals, or all of them for viewers, who see no reports. */
export function ReviewList({ kind }: { readonly kind?: ReviewKind }) {
  const words = useWords();
  const { params, project, may } = useProject();
  const navigate = useNavigate();
  const me = useMe();
  const names = useColleagues();
  const [status, setStatus] = useFilter('status');
  const [search, setSearch] = useFilter('search');
  const [mine, setMine] = useFilter('mine');
  const key = ['reviews', params.projectId];
  const { rows, total, onEnd } = usePages<Review>([...key, 'list', status, kind, search, mine], async (page) => {
    const { reviews, total: found } = await client.call(reviewRoutes.list, {
      params,
      query: {
        ...page,
        ...(kind === undefined ? {} : { kind }),
        // Without a filter: what waits, that is open or claimed.
        ...(status === '' ? { undecided: true } : { status: ReviewStatus.catch('open').parse(status) }),
        ...(search === '' ? {} : { search }),
        ...(mine === '' ? {} : { claimedByUserId: me }),
      },
    });
    return { rows: reviews, total: found };
  });
  useRefresh(key, 'review.');
  const title = kind === 'appeal' ? words.cases.appeals : words.cases.title;
  return (
    <Page
      title={title}
      actions={
        <>
          <TextFilter label={words.cases.search} value={search} onChange={setSearch} />
          {may('moderator') && <MineFilter value={mine} onChange={setMine} />}
          <KindFilter />
          <ChoiceFilter
            label={words.status}
            value={status}
            onChange={setStatus}
            choices={[
              { value: '', label: `${words.cases.open} + ${words.cases.claimed}` },
              { value: 'open', label: words.cases.open },
              { value: 'claimed', label: words.cases.claimed },
              { value: 'decided', label: words.cases.decided },
            ]}
          />
        </>
      }
    >
      <DataTable
        label={title}
        of={rows}
        columns={columnsOf(words, me, names)}
        idOf={idOf}
        onEnd={onEnd}
        onOpen={({ id }) => void navigate({ to: `/projects/${project.id}/cases/${id}` })}
        empty={kind === 'appeal' ? words.cases.noAppeals : words.cases.empty}
      />
      {rows.data !== undefined && <p className="quiet">{words.rows(rows.data.length, total)}</p>}
      <CliLine
        line={commandLine(
          ...['reviews', 'list'],
          ['--kind', kind ?? ''],
          ...(status === '' ? [['--undecided'] as const] : [['--status', status] as const]),
          ['--search', search],
          ['--claimed-by-user-id', mine === '' ? '' : me],
        )}
      />
    </Page>
  );
}
