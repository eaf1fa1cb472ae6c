import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, memo, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { EarshotEvent } from '../../../src/contract/events.js';
import { figureRoutes } from '../../../src/contract/figures/figures.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { type Room, roomRoutes } from '../../../src/contract/rooms/rooms.js';
import { useWaiting } from '../cases/queries.js';
import { useProject } from '../frame/project.js';
import { useEvents, useRefresh } from '../live/use-live.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { Page, Panel } from '../parts/page.js';
import { Ago, Time } from '../parts/time.js';
import { client, daemonNow, useSession } from '../session/session.js';
import { useWords } from '../words/words.js';
import { type EventLine, lineOf } from './event-line.js';
import { useHealth } from './health.js';
import { bars, countsOfHour, Sparkline } from './sparkline.js';

/** Apart, because only new projects need it. */
const FirstWord = lazy(() => import('./first-word.js'));
const firstRoom = 'first-room';

const linesMax = 100;
const hourMs = 3_600_000;

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
  const waiting = useWaiting();
  const active = useQuery({
    queryKey: ['sanctions', project.id, 'active'],
    queryFn: () => client.call(sanctionRoutes.list, { params, query: { activeOnly: true, limit: 1 } }),
  });
  const recent = useQuery({
    queryKey: ['sanctions', project.id, 'hour'],
    queryFn: () =>
      client.call(sanctionRoutes.list, {
        params,
        query: { since: new Date(daemonNow() - hourMs).toISOString(), limit: 200 },
      }),
    refetchInterval: 60_000,
  });
  const figures = useQuery({
    queryKey: ['figures'],
    queryFn: () => client.call(figureRoutes.live, {}),
    refetchInterval: 5_000,
    enabled: isAdmin,
  });
  const mayBeNew =
    active.data?.total === 0 && rooms.data?.every(({ roomId }) => roomId === firstRoom) === true && may('moderator');
  useRefresh(['rooms', project.id], 'participant.', 'room.', 'bot.');
  useRefresh(['sanctions', project.id], 'sanction.');

  const peers = (rooms.data ?? []).flatMap((room) => room.peers).filter(({ bot, observer }) => !bot && !observer);
  const transcribed = (rooms.data ?? []).filter(({ peers: all }) => all.some(({ bot }) => bot)).length;
  const oldest = [...(waiting?.items ?? [])].sort((a, b) => (a.since < b.since ? -1 : 1))[0];
  const failed = figures.data?.deliveries.failed ?? 0;
  const failedLately = useLately(failed, figures.dataUpdatedAt);
  return (
    <Page title={words.title}>
      {mayBeNew && (
        <Suspense fallback={null}>
          <FirstWord roomId={firstRoom} />
        </Suspense>
      )}
      <div className="tiles">
        <Tile
          name={words.health}
          value={health === null ? words.ready : words.notReady}
          tone={health === null ? 'good' : 'bad'}
          foot={health ?? figures.data?.version}
          {...(isAdmin ? { to: `${base}/administration/daemon` } : {})}
        />
        <Tile
          name={words.rooms}
          value={rooms.data?.length ?? '–'}
          foot={words.people(peers.length, peers.filter(({ speaking }) => speaking).length)}
          to={`${base}/rooms`}
        />
        <Tile
          name={words.recogniser}
          value={transcribed}
          foot={transcribed === 0 ? words.nobodyListens : words.transcribed(transcribed)}
          to={`${base}/rooms`}
        />
        <Tile
          name={words.cases}
          value={waiting?.count ?? '–'}
          tone={(waiting?.items.length ?? 0) > 0 ? 'warn' : ''}
          foot={
            oldest === undefined ? (
              words.noCases
            ) : (
              <>
                {words.oldest} <Ago at={oldest.since} />
              </>
            )
          }
          to={`${base}/cases`}
        />
        <Tile
          name={words.sanctions}
          value={active.data?.total ?? '–'}
          foot={
            <>
              {words.lastHour(recent.data?.total ?? 0)}
              <Sparkline
                counts={countsOfHour(
                  (recent.data?.sanctions ?? []).map(({ createdAt }) => Date.parse(createdAt)),
                  daemonNow(),
                )}
              />
            </>
          }
          to={`${base}/sanctions`}
        />
        {isAdmin && (
          <Tile
            name={words.deliveries}
            value={figures.data?.deliveries.pending ?? '–'}
            tone={failed > 0 ? 'bad' : ''}
            foot={
              <>
                {failed > 0 ? words.failing(failed) : words.pending(figures.data?.deliveries.pending ?? 0)}
                <Sparkline counts={failedLately} />
              </>
            }
            to={`${base}/developers/webhooks`}
            search={failed > 0 ? { status: 'failed' } : {}}
          />
        )}
      </div>
      <div className="columns">
        <LatestEvents />
        <div className="stack">
          <Waiting />
          <Talking rooms={rooms.data ?? []} />
        </div>
      </div>
    </Page>
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
  const words = useWords().overview;
  const { project } = useProject();
  const waiting = useWaiting();
  return (
    <Panel title={words.cases}>
      {waiting?.items.length === 0 && <p className="quiet">{words.noCases}</p>}
      <ul className="list">
        {(waiting?.items ?? []).slice(0, shownMax).map(({ id, kind, who, since }) => (
          <li key={id}>
            <span className="badge accent">{kind}</span>
            <Link to={`/projects/${project.id}/cases/${id}`}>
              <bdi>{who ?? id}</bdi>
            </Link>
            <span className="end quiet">
              <Ago at={since} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The people in the rooms, by the number of people. */
function Talking({ rooms }: { readonly rooms: readonly Room[] }) {
  const words = useWords().overview;
  const { project } = useProject();
  const people = ({ peers }: Room) => peers.filter(({ bot, observer }) => !bot && !observer);
  const busiest = [...rooms].sort((one, other) => people(other).length - people(one).length).slice(0, shownMax);
  return (
    <Panel title={words.rooms}>
      {busiest.length === 0 && <p className="quiet">{words.noRooms}</p>}
      <ul className="list">
        {busiest.map((room) => (
          <li key={room.roomId}>
            <Link to={`/projects/${project.id}/rooms/${encodeURIComponent(room.roomId)}`}>
              <bdi>{room.roomId}</bdi>
            </Link>
            {people(room)
              .slice(0, shownMax)
              .map(({ externalUserId, displayName, speaking }) => (
                <bdi key={externalUserId} className={speaking ? 'speaking' : 'quiet'}>
                  {displayName}
                </bdi>
              ))}
            <span className="end number">{people(room).length}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Lines that arrive within this time come onto the page together; where so many come, in a longer time. */
const gatherMs = 200;
const manyLines = 20;
const longGatherMs = 1_000;

function LatestEvents() {
  const words = useWords().overview;
  const [lines, setLines] = useState<readonly EventLine[]>([]);
  const [gathered] = useState({ events: [] as EarshotEvent[], isWaiting: false, forMs: gatherMs });
  useEvents((event) => {
    gathered.events.push(event);
    if (gathered.events.length > linesMax) gathered.events.shift();
    if (gathered.isWaiting) return;
    gathered.isWaiting = true;
    setTimeout(() => {
      const arrived = gathered.events.splice(0).reverse().map(lineOf);
      gathered.isWaiting = false;
      gathered.forMs = arrived.length > manyLines ? longGatherMs : gatherMs;
      setLines((before) => [...arrived, ...before].slice(0, linesMax));
    }, gathered.forMs);
  });
  return (
    <Panel title={words.events}>
      {lines.length === 0 && <p className="quiet">{words.noEvents}</p>}
      <ul className="list scrolling" aria-label={words.events}>
        {lines.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
      <CliLine line={commandLine('events', 'tail')} />
    </Panel>
  );
}

/** Lines that are there are not drawn again when others come. */
const Line = memo(({ line: { at, type, who, what, to } }: { readonly line: EventLine }) => {
  const { project } = useProject();
  return (
    <li>
      <span className="line-time">
        <Time at={at} />
      </span>
      <span className="badge">{type}</span>
      {who !== null && (
        <Link to={`/projects/${project.id}/people/${encodeURIComponent(who)}`}>
          <bdi>{who}</bdi>
        </Link>
      )}
      {to === null ? (
        <bdi>{what}</bdi>
      ) : (
        <Link to={`/projects/${project.id}/${to}`}>
          <bdi>{what}</bdi>
        </Link>
      )}
    </li>
  );
});
