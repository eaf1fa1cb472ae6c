import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type Review, type ReviewStatus, reviewRoutes } from '../../../src/contract/moderation/reviews.js';
import { useColleagues, useProject } from '../frame/project.js';
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
import { casesMax, useMe } from './queries.js';

const idOf = ({ id }: Review) => id;
const columnsOf = (words: FirstWords, me: string, names: ReadonlyMap<string, string>): readonly Column<Review>[] => [
  {
    ...{ id: 'kind', label: words.cases.kind, width: '130px' },
    cell: ({ kind }) => <span className="badge accent">{kind}</span>,
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

/** Reviews, oldest first, for viewers, who see no reports. */
export function ReviewList() {
  const words = useWords();
  const { params, project } = useProject();
  const navigate = useNavigate();
  const me = useMe();
  const names = useColleagues();
  const [status, setStatus] = useFilter('status');
  const key = ['reviews', params.projectId];
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [...key, 'list', status],
    queryFn: () =>
      client.call(reviewRoutes.list, {
        params,
        query: { limit: casesMax, ...(status === '' ? {} : { status: status as ReviewStatus }) },
      }),
    placeholderData: (before) => before,
  });
  useRefresh(key, 'review.');
  // Without a filter: what waits, that is open or claimed.
  const rows = (data?.reviews ?? []).filter((review) => status !== '' || review.status !== 'decided');
  return (
    <Page
      title={words.cases.title}
      actions={
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
      }
    >
      <Refusal error={error} onRetry={() => void refetch()} />
      {data !== undefined && (
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
      <CliLine line={commandLine('reviews', 'list', ['--status', status])} />
    </Page>
  );
}
