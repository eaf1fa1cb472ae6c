import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { figureRoutes, type ProjectFigures } from '../../../src/contract/figures/figures.js';
import { type Room, roomRoutes } from '../../../src/contract/rooms/rooms.js';
import { kindWord, useFigures, useFirstWaiting } from '../cases/queries.js';
import { useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { Answer, List, type Reading, readingOf } from '../parts/answer.js';
import { Page, Panel } from '../parts/page.js';
import { Ago, roughlySince } from '../parts/time.js';
import { PersonLink } from '../people/person-link.js';
import { client, useSession } from '../session/session.js';
import { useWords } from '../words/words.js';
import { useHealth } from './health.js';
import './now.css';
import { bars, Sparkline } from './sparkline.js';

/** Apart, because only new projects need it. */
const FirstWord = lazy(() => import('./first-word.js'));
/** Apart and after the numbers, because the contract of all events is large. */
const Feed = lazy(() => import('./feed.js'));
const DayChart = lazy(() => import('./day-chart.js'));
const firstRoom = 'first-room';

interface TileProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly foot?: ReactNode;
  readonly to?: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly tone?: string;
}
function Tile({ name, value, foot, to, search = {}, tone = '' }: TileProps) {
  const inside = (
    <>
      <div className="name">{name}</div>
      <div className={`value ${tone}`}>{value}</div>
      <div className="foot">{foot}</div>
    </>
  );
  return to === undefined ? (
    <div className="tile">{inside}</div>
  ) : (
    <Link className="tile" to={to} search={search as never}>
      {inside}
    </Link>
  );
}

export default function Overview() {
  const words = useWords().overview;
  const { params, project, may } = useProject();
  const session = useSession();
  const base = `/projects/${project.id}`;
  const isAdmin = 'user' in session && session.user.role === 'admin';
  const health = useHealth();
  const rooms = useQuery({
    queryKey: ['rooms', project.id],
    queryFn: () => client.call(roomRoutes.list, { params }),
    refetchInterval: 5_000,
  });
  const counts = useFigures();
  const { cases, sanctions } = counts.data ?? {};
  const figures = useQuery({
    queryKey: ['figures'],
    queryFn: () => client.call(figureRoutes.live, {}),
    refetchInterval: 5_000,
    enabled: isAdmin,
  });
  const mayBeNew =
    sanctions?.active === 0 && rooms.data?.every(({ roomId }) => roomId === firstRoom) === true && may('moderator');
  useRefresh(['rooms', project.id], 'participant.', 'room.', 'bot.');

  const peers = (rooms.data ?? []).flatMap((room) => room.peers).filter(({ bot, observer }) => !bot && !observer);
  const transcribed = (rooms.data ?? []).filter(({ peers: all }) => all.some(({ bot }) => bot)).length;
  const failed = figures.data?.deliveries.failed ?? 0;
  const failedLately = useLately(failed, figures.dataUpdatedAt);
  return (
    <Page title={words.title}>
      {mayBeNew && (
        <Suspense fallback={null}>
          <FirstWord roomId={firstRoom} />
        </Suspense>
      )}
      <Now counts={counts} rooms={rooms} health={health} />
      <div className="tiles">
        <Tile
          name={words.health}
          value={health === undefined ? '…' : health === null ? words.ready : words.notReady}
          tone={health === undefined ? '' : health === null ? 'good' : 'bad'}
          foot={health ?? figures.data?.version}
          {...(isAdmin ? { to: `${base}/administration/daemon` } : {})}
        />
        <Tile
          name={words.rooms}
          value={rooms.data?.length ?? '…'}
          foot={rooms.data && words.people(peers.length, peers.filter(({ speaking }) => speaking).length)}
          to={`${base}/rooms`}
        />
        <Tile
          name={words.recogniser}
          value={rooms.data === undefined ? '…' : transcribed}
          foot={rooms.data && (transcribed === 0 ? words.nobodyListens : words.transcribed(transcribed))}
          to={`${base}/rooms`}
        />
        <Tile
          name={words.cases}
          value={cases?.waiting ?? '…'}
          tone={(cases?.waiting ?? 0) > 0 ? 'warn' : ''}
          foot={
            cases &&
            (cases.oldestAt === null ? (
              words.noCases
            ) : (
              <>
                {words.oldest} <Ago at={cases.oldestAt} />
              </>
            ))
          }
          to={`${base}/cases`}
        />
        <Tile
          name={words.sanctions}
          value={sanctions?.active ?? '…'}
          foot={
            sanctions && (
              <>
                {words.lastHour(sanctions.lastHour)}
                <Sparkline counts={sanctions.parts} />
              </>
            )
          }
          to={`${base}/sanctions`}
        />
        {isAdmin && (
          <Tile
            name={words.deliveries}
            value={figures.data?.deliveries.pending ?? '…'}
            tone={failed > 0 ? 'bad' : ''}
            foot={
              figures.data && (
                <>
                  {failed > 0 ? words.failing(failed) : words.pending(figures.data.deliveries.pending)}
                  <Sparkline counts={failedLately} />
                </>
              )
            }
            to={`${base}/developers/webhooks`}
            search={failed > 0 ? { status: 'failed' } : {}}
          />
        )}
      </div>
      <div className="columns">
        <Answer of={counts}>
          {() => (
            <Suspense fallback={null}>
              <div className="stack">
                <DayChart />
                <Feed />
              </div>
            </Suspense>
          )}
        </Answer>
        <div className="stack">
          <Waiting />
          <Talking of={rooms} />
        </div>
      </div>
    </Page>
  );
}

interface NowProps {
  readonly counts: Reading<ProjectFigures>;
  readonly rooms: Reading<readonly Room[]>;
  readonly health: string | null | undefined;
}

/** What waits and what fails, in sentences that lead there; where there is nothing, that all is well. */
function Now({ counts, rooms, health }: NowProps) {
  const words = useWords().overview;
  const known = readingOf(counts, (data) => (health === undefined ? undefined : data));
  return (
    <section className="now" aria-label={words.now}>
      <Answer of={known}>
        {(data) =>
          data !== undefined && (
            <ul>
              <Troubles counts={data} health={health ?? null} />
              <Talk rooms={rooms.data ?? []} />
            </ul>
          )
        }
      </Answer>
    </section>
  );
}

interface TroublesProps {
  readonly counts: ProjectFigures;
  readonly health: string | null;
}

function Troubles({ counts: { cases, appeals, webhooks }, health }: TroublesProps) {
  const words = useWords().overview;
  const isWell = health === null && webhooks.failing + cases.waiting + appeals.waiting === 0;
  return (
    <>
      {isWell && <Sentence tone="good" text={words.allWell} />}
      {health !== null && <Sentence tone="bad" text={words.unwell} />}
      {webhooks.failingSince !== null && (
        <Sentence
          tone="bad"
          text={words.failingWebhooks(webhooks.failing, roughlySince(webhooks.failingSince))}
          to="developers/webhooks"
        />
      )}
      {cases.oldestAt !== null && (
        <Sentence
          tone={cases.overdue > 0 ? 'bad' : 'warn'}
          text={[
            words.waitingCases(cases.waiting, roughlySince(cases.oldestAt)),
            ...(cases.overdue > 0 ? [words.overdue(cases.overdue)] : []),
          ].join(', ')}
          to="cases"
          search={cases.overdue > 0 ? { status: 'overdue' } : {}}
        />
      )}
      {appeals.oldestAt !== null && (
        <Sentence
          tone="warn"
          text={words.waitingAppeals(appeals.waiting, roughlySince(appeals.oldestAt))}
          to="cases"
          search={{ kind: 'appeal' }}
        />
      )}
    </>
  );
}

function Talk({ rooms }: { readonly rooms: readonly Room[] }) {
  const words = useWords().overview;
  const people = rooms.flatMap(({ peers }) => peers).filter(({ bot, observer }) => !bot && !observer);
  const speaking = people.filter((one) => one.speaking).length;
  if (people.length === 0) return null;
  const parts = [words.inRooms(people.length, rooms.length), ...(speaking > 0 ? [words.speaking(speaking)] : [])];
  return <Sentence tone="" text={parts.join(', ')} to="rooms" />;
}

interface SentenceProps {
  readonly tone: '' | 'good' | 'warn' | 'bad';
  readonly text: string;
  /** Page of the project; left out: it leads nowhere. */
  readonly to?: string;
  readonly search?: Readonly<Record<string, string>>;
}

function Sentence({ tone, text, to, search = {} }: SentenceProps) {
  const { project } = useProject();
  return (
    <li className={tone}>
      {to === undefined ? (
        text
      ) : (
        <Link to={`/projects/${project.id}/${to}`} search={search as never}>
          {text} →
        </Link>
      )}
    </li>
  );
}

/** The figure as it was read the last twelve times, the newest last. */
function useLately(figure: number, readAt: number): readonly number[] {
  const [lately, setLately] = useState<readonly number[]>(() => Array.from({ length: bars }, () => 0));
  useEffect(() => {
    if (readAt > 0) setLately((before) => [...before.slice(1), figure]);
  }, [figure, readAt]);
  return lately;
}

const shownMax = 6;

/** The cases that come first. */
function Waiting() {
  const words = useWords();
  const { project } = useProject();
  const waiting = useFirstWaiting(shownMax);
  return (
    <Panel title={words.overview.cases}>
      <List of={waiting} empty={words.overview.noCases}>
        {({ id, kind, person, room, since }) => (
          <li key={id}>
            <Link className="badge accent" to={`/projects/${project.id}/cases/${id}`}>
              {kindWord(words, kind)} →
            </Link>
            {person === null ? <bdi>{room ?? id}</bdi> : <PersonLink id={person} />}
            <span className="end quiet">
              <Ago at={since} />
            </span>
          </li>
        )}
      </List>
    </Panel>
  );
}

/** The people in the rooms, by the number of people. */
function Talking({ of }: { readonly of: Reading<readonly Room[]> }) {
  const words = useWords().overview;
  const { project } = useProject();
  const people = ({ peers }: Room) => peers.filter(({ bot, observer }) => !bot && !observer);
  const busiest = readingOf(of, (rooms) =>
    rooms.toSorted((one, other) => people(other).length - people(one).length).slice(0, shownMax),
  );
  return (
    <Panel title={words.rooms}>
      <List of={busiest} empty={words.noRooms}>
        {(room) => (
          <li key={room.roomId}>
            <Link to={`/projects/${project.id}/rooms/${encodeURIComponent(room.roomId)}`}>
              <bdi>{room.roomId}</bdi>
            </Link>
            {people(room)
              .slice(0, shownMax)
              .map(({ externalUserId, displayName, speaking }) => (
                <span key={externalUserId} className={speaking ? 'speaking' : 'quiet'}>
                  <PersonLink id={externalUserId} name={displayName} isBrief />
                </span>
              ))}
            <span className="end number">{people(room).length}</span>
          </li>
        )}
      </List>
    </Panel>
  );
}
