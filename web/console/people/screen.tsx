import { Link, useNavigate } from '@tanstack/react-router';
import { type ListedParticipant, ListedState, participantRoutes } from '../../../src/contract/people/participants.js';
import { useOpenId, useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { ChoiceFilter, TextFilter } from '../parts/filters.js';
import { Page } from '../parts/page.js';
import { Time } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { usePages } from '../parts/use-pages.js';
import { SanctionBadge } from '../sanctions/sanction-badge.js';
import { client } from '../session/session.js';
import type { FirstWords } from '../words/en.js';
import { useWords } from '../words/words.js';
import { OpenPerson } from './open-person.js';
import { PersonLink } from './person-link.js';

const idOf = ({ id }: ListedParticipant) => id;
const columnsOf = (words: FirstWords): readonly Column<ListedParticipant>[] => [
  {
    ...{ id: 'name', label: words.person },
    cell: ({ externalUserId, displayName }) => <PersonLink id={externalUserId} name={displayName} />,
    sort: ({ displayName }) => displayName.toLowerCase(),
  },
  {
    ...{ id: 'id', label: 'id', wide: true, width: '150px' },
    cell: ({ externalUserId }) => <code>{externalUserId}</code>,
    sort: ({ externalUserId }) => externalUserId,
  },
  {
    ...{ id: 'seen', label: words.people.lastSeen, width: '150px' },
    cell: ({ marks }) =>
      (marks?.rooms?.length ?? 0) > 0 ? (
        <span className="badge good">{words.people.hereNow}</span>
      ) : (
        <Time at={marks?.lastSeenAt ?? null} />
      ),
    sort: ({ marks }) => marks?.lastSeenAt ?? '',
  },
  {
    ...{ id: 'sanctions', label: words.people.sanctions, wide: true, width: '230px' },
    cell: ({ marks }) => (
      <span className="named">
        {(marks?.sanctions ?? []).map(({ id, type }) => (
          <SanctionBadge key={id} type={type} />
        ))}
      </span>
    ),
    sort: ({ marks }) => marks?.sanctions?.length ?? 0,
  },
  {
    ...{ id: 'reports', label: words.people.reports, wide: true, width: '90px' },
    cell: ({ marks }) => <span className="number">{marks?.reports ?? '–'}</span>,
    sort: ({ marks }) => marks?.reports ?? 0,
  },
  {
    ...{ id: 'joined', label: words.people.joined, wide: true, width: '150px' },
    cell: ({ joinedAt }) => <Time at={joinedAt} />,
    sort: ({ joinedAt }) => joinedAt,
  },
];

export default function People() {
  const words = useWords();
  const { params, project, may } = useProject();
  const navigate = useNavigate();
  const openId = useOpenId();
  const [search, setSearch] = useFilter('search');
  const [state, setState] = useFilter('state');
  const key = ['people', params.projectId];
  const { rows, total, onEnd } = usePages<ListedParticipant>(
    [...key, search, state],
    async (page) => {
      const query = {
        ...{ ...page, marks: true },
        ...(search === '' ? {} : { search }),
        ...(state === '' ? {} : { state: ListedState.catch('sanctioned').parse(state) }),
      };
      const { participants, total: found } = await client.call(participantRoutes.list, { params, query });
      return { rows: participants, total: found };
    },
    openId === undefined,
  );
  useRefresh(key, 'participant.', 'sanction.', 'report.');
  if (openId !== undefined) return <OpenPerson key={openId} user={openId} />;
  const to = (id: string) => `/projects/${project.id}/people/${encodeURIComponent(id)}`;
  return (
    <Page
      title={words.people.title}
      actions={
        <>
          <TextFilter label={words.people.search} value={search} onChange={setSearch} />
          <ChoiceFilter
            label={words.filter}
            value={state}
            onChange={setState}
            choices={[
              { value: '', label: words.all },
              ...ListedState.options
                .filter((value) => value !== 'reported' || may('moderator'))
                .map((value) => ({ value, label: words.people.states[value] })),
            ]}
          />
        </>
      }
    >
      <DataTable
        label={words.people.title}
        of={rows}
        onEnd={onEnd}
        columns={columnsOf(words)}
        idOf={idOf}
        onOpen={({ externalUserId }) => void navigate({ to: to(externalUserId) })}
        empty={
          search === '' ? (
            words.people[state === '' ? 'empty' : 'noneSo']
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
      {rows.data !== undefined && <p className="quiet">{words.rows(rows.data.length, total)}</p>}
      <CliLine line={commandLine('participants', 'list', ['--search', search], ['--state', state])} />
    </Page>
  );
}
