import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Fragment } from 'react';
import { pageLimitMax } from '../../../src/contract/common.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { type MessageHit, messageRoutes } from '../../../src/contract/sessions/message-search.js';
import { type Session, sessionRoutes } from '../../../src/contract/sessions/sessions.js';
import { useOpenId, useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { List, readingOf } from '../parts/answer.js';
import { CliLine, commandLine, type Flag } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { TextFilter } from '../parts/filters.js';
import { isoTime } from '../parts/iso-time.js';
import { Page } from '../parts/page.js';
import { Time } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { useRead } from '../parts/use-read.js';
import { PersonLink } from '../people/person-link.js';
import { client } from '../session/session.js';
import type { Words } from '../words/all-words.js';
import { useWords } from '../words/all-words.js';
import { OpenTranscript } from './open-transcript.js';

const idOf = ({ id }: Session) => id;
const columnsOf = (words: Words): readonly Column<Session>[] => [
  {
    ...{ id: 'title', label: words.transcripts.titleOf },
    cell: ({ title }) => <bdi>{title}</bdi>,
    sort: ({ title }) => title.toLowerCase(),
  },
  {
    ...{ id: 'room', label: words.room },
    cell: ({ externalRoomId }) => <bdi>{externalRoomId}</bdi>,
    sort: ({ externalRoomId }) => externalRoomId,
  },
  {
    ...{ id: 'created', label: words.created, width: '170px' },
    cell: ({ createdAt }) => <Time at={createdAt} />,
    sort: ({ createdAt }) => createdAt,
  },
  {
    ...{ id: 'status', label: words.status, wide: true, width: '170px' },
    cell: ({ status, endedAt }) =>
      status === 'active' ? <span className="badge good">{words.transcripts.active}</span> : <Time at={endedAt} />,
    sort: ({ endedAt }) => endedAt ?? '~',
  },
];

/** Midnight of a day such as `2026-11-26` here, some days later; undefined: no day. */
function midnight(day: string, later = 0): string | undefined {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + later);
  return isoTime(date);
}

export default function Transcripts() {
  const words = useWords();
  const openId = useOpenId();
  const [room, setRoom] = useFilter('room');
  const [since, setSince] = useFilter('since');
  const [until, setUntil] = useFilter('until');
  const [search, setSearch] = useFilter('q');
  const [person, setPerson] = useFilter('person');
  if (openId !== undefined) return <OpenTranscript key={openId} id={openId} />;
  const wanted = { room, person: person.trim(), since: midnight(since), until: midnight(until, 1) };
  return (
    <Page
      title={words.screens.transcripts}
      actions={
        <>
          <TextFilter label={words.transcripts.search} value={search} onChange={setSearch} />
          <TextFilter label={words.person} value={person} onChange={setPerson} />
          <TextFilter label={words.room} value={room} onChange={setRoom} />
          <TextFilter label={words.transcripts.since} value={since} onChange={setSince} isDate />
          <TextFilter label={words.transcripts.until} value={until} onChange={setUntil} isDate />
        </>
      }
    >
      {search.trim() === '' ? <Sessions wanted={wanted} /> : <Hits search={search.trim()} wanted={wanted} />}
    </Page>
  );
}

interface WantedTranscripts {
  /** Part of the name or id of somebody who spoke. */
  readonly person: string;
  readonly room: string;
  readonly since: string | undefined;
  readonly until: string | undefined;
}

const flagsOf = ({ room, since, until }: WantedTranscripts): readonly Flag[] => [
  ['--room', room],
  ['--since', since],
  ['--until', until],
];

function Sessions({ wanted }: { readonly wanted: WantedTranscripts }) {
  const words = useWords();
  const { params, project } = useProject();
  const navigate = useNavigate();
  const { room, person, since, until } = wanted;
  const key = ['sessions', params.projectId];
  const sessions = useQuery({
    queryKey: [...key, 'list', wanted],
    queryFn: () =>
      client.call(sessionRoutes.list, {
        params,
        query: {
          ...{ limit: pageLimitMax, since, until },
          ...(room === '' ? {} : { externalRoomId: room }),
          ...(person === '' ? {} : { search: person }),
        },
      }),
    placeholderData: (before) => before,
  });
  useRefresh(key, 'session.');
  return (
    <>
      <DataTable
        label={words.screens.transcripts}
        of={sessions}
        columns={columnsOf(words)}
        idOf={idOf}
        onOpen={({ id }) => void navigate({ to: `/projects/${project.id}/transcripts/${id}` })}
        empty={words.transcripts.empty}
      />
      <CliLine line={commandLine('sessions', 'list', ['--search', person], ...flagsOf(wanted))} />
    </>
  );
}

function Hits({ search, wanted }: { readonly search: string; readonly wanted: WantedTranscripts }) {
  const words = useWords().transcripts;
  const { params, project } = useProject();
  const { room, person, since, until } = wanted;
  const meant = useRead(
    participantRoutes.list,
    { params, query: { search: person, limit: 1 } },
    { enabled: person !== '' },
  );
  /** Whose lines are searched; null: everybody's. */
  const speaker = person === '' ? null : (meant.data?.participants[0]?.externalUserId ?? person);
  const pages = useInfiniteQuery({
    queryKey: ['message-search', params.projectId, search, wanted, speaker],
    enabled: person === '' || meant.data !== undefined,
    queryFn: ({ pageParam }) =>
      client.call(messageRoutes.search, {
        params,
        query: {
          ...{ q: search, since, until },
          ...(room === '' ? {} : { roomId: room }),
          ...(speaker === null ? {} : { externalUserId: speaker }),
          ...(pageParam === null ? {} : { after: pageParam }),
        },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
  });
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = pages;
  const found = readingOf(pages, (data) => data.pages.flatMap((page) => page.hits));
  return (
    <>
      {speaker !== null && meant.data !== undefined && (
        <p>
          {words.saidBy} <PersonLink id={speaker} />
        </p>
      )}
      <List of={found} empty={hasNextPage ? '' : words.nothing} label={words.search}>
        {(hit) => (
          <li key={hit.message.id}>
            <Link
              className="line-time"
              to={`/projects/${project.id}/transcripts/${hit.message.sessionId}?message=${hit.message.id}`}
            >
              <Time at={hit.message.timestamp} />
            </Link>
            <bdi className="badge">{hit.roomId}</bdi>
            <PersonLink id={hit.message.externalUserId} name={hit.message.senderName} isBrief />
            <Marked hit={hit} />
          </li>
        )}
      </List>
      {hasNextPage && (
        <div className="buttons">
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {words.more}
          </Button>
        </div>
      )}
      <CliLine line={commandLine('messages', 'search', search, ['--user', speaker ?? ''], ...flagsOf(wanted))} />
    </>
  );
}

/** The text of a hit, with the words that were searched for marked. */
function Marked({ hit: { message, marks } }: { readonly hit: MessageHit }) {
  const { content } = message;
  return (
    <bdi>
      {marks.map(({ start, end }, index) => (
        <Fragment key={start}>
          {content.slice(marks[index - 1]?.end ?? 0, start)}
          <mark>{content.slice(start, end)}</mark>
        </Fragment>
      ))}
      {content.slice(marks.at(-1)?.end ?? 0)}
    </bdi>
  );
}
