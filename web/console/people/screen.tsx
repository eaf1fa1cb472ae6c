import { Link, useNavigate } from '@tanstack/react-router';
import { type Participant, participantRoutes } from '../../../src/contract/people/participants.js';
import { useOpenId, useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { TextFilter } from '../parts/filters.js';
import { Page } from '../parts/page.js';
import { Refusal } from '../parts/refusal.js';
import { Time } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { usePages } from '../parts/use-pages.js';
import { client } from '../session/session.js';
import type { FirstWords } from '../words/en.js';
import { useWords } from '../words/words.js';
import { OpenPerson } from './open-person.js';

const idOf = ({ id }: Participant) => id;
const columnsOf = (words: FirstWords): readonly Column<Participant>[] => [
  {
    ...{ id: 'name', label: words.person },
    cell: ({ displayName }) => <bdi>{displayName}</bdi>,
    sort: ({ displayName }) => displayName.toLowerCase(),
  },
  {
    ...{ id: 'id', label: 'id' },
    cell: ({ externalUserId }) => <code>{externalUserId}</code>,
    sort: ({ externalUserId }) => externalUserId,
  },
  {
    ...{ id: 'joined', label: words.people.joined, wide: true, width: '170px' },
    cell: ({ joinedAt }) => <Time at={joinedAt} />,
    sort: ({ joinedAt }) => joinedAt,
  },
];

export default function People() {
  const words = useWords();
  const { params, project } = useProject();
  const navigate = useNavigate();
  const openId = useOpenId();
  const [search, setSearch] = useFilter('search');
  const key = ['people', params.projectId];
  const { rows, total, error, refetch, isStale, onEnd } = usePages<Participant>(
    [...key, search],
    async (page) => {
      const query = { ...page, ...(search === '' ? {} : { search }) };
      const { participants, total: found } = await client.call(participantRoutes.list, { params, query });
      return { rows: participants, total: found };
    },
    openId === undefined,
  );
  useRefresh(key, 'participant.created', 'participant.updated', 'participant.deleted');
  if (openId !== undefined) return <OpenPerson key={openId} user={openId} />;
  const to = (id: string) => `/projects/${project.id}/people/${encodeURIComponent(id)}`;
  return (
    <Page
      title={words.people.title}
      actions={<TextFilter label={words.people.search} value={search} onChange={setSearch} />}
    >
      <Refusal error={error} onRetry={() => void refetch()} />
      {rows !== undefined && (
        <>
          <DataTable
            label={words.people.title}
            rows={rows}
            isStale={isStale}
            onEnd={onEnd}
            columns={columnsOf(words)}
            idOf={idOf}
            onOpen={({ externalUserId }) => void navigate({ to: to(externalUserId) })}
            empty={
              search === '' ? (
                words.people.empty
              ) : (
                <>
                  <p>{words.people.noMatch}</p>
                  <Link to={to(search)}>
                    <bdi>{words.people.openExact(search)}</bdi>
                  </Link>
                </>
              )
            }
          />
          <p className="quiet">{words.rows(rows.length, total)}</p>
        </>
      )}
      <CliLine line={commandLine('participants', 'list', ['--search', search])} />
    </Page>
  );
}
