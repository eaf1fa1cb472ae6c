import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Room } from '../../../src/contract/rooms/rooms.js';
import type { Message } from '../../../src/contract/sessions/sessions.js';
import { eventRoutes } from '../../../src/contract/streams/event-streams.js';
import { isPartOf } from '../../../src/text/fold.js';
import { useOpenId, useProject } from '../frame/project.js';
import { useEvents } from '../live/use-live.js';
import { Answer, readingOf } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { Dialog } from '../parts/dialog.js';
import { TextFilter } from '../parts/filters.js';
import { Icon } from '../parts/icon.js';
import { useKeys } from '../parts/keys.js';
import { Page } from '../parts/page.js';
import { Time } from '../parts/time.js';
import { useFilter } from '../parts/use-filter.js';
import { useRead } from '../parts/use-read.js';
import { MutedMark, PersonLink } from '../people/person-link.js';
import { MuteAct } from '../sanctions/mute-act.js';
import { useWords } from '../words/words.js';
import { Announcement } from './announcement.js';
import { OpenRoom } from './open-room.js';
import { RoomBadges, useRooms } from './room-parts.js';
import './cards.css';

const people = ({ peers }: Room) => peers.filter(({ bot, observer }) => !bot && !observer);
/** Lines that are looked through for the last one of each room. */
const linesRead = 200;
/** People of a card; the room itself has all. */
const shownMax = 8;

export default function Rooms() {
  const words = useWords();
  const { may } = useProject();
  const openId = useOpenId();
  const [search, setSearch] = useFilter('search');
  const [announces, setAnnounces] = useState(false);
  const rooms = useRooms();
  const lines = useLastLines(openId === undefined);
  const isWanted = (room: Room) =>
    [room.roomId, ...people(room).flatMap(({ externalUserId, displayName }) => [externalUserId, displayName])].some(
      (text) => isPartOf(search, text),
    );
  useKeys(openId === undefined ? { j: () => focusCard(1), k: () => focusCard(-1) } : {});
  if (openId !== undefined) return <OpenRoom key={openId} roomId={openId} />;
  const inhabited = (rooms.data ?? []).filter((room) => people(room).length > 0).map(({ roomId }) => roomId);
  return (
    <Page
      title={words.rooms.title}
      actions={
        <>
          <TextFilter label={words.rooms.search} value={search} onChange={setSearch} />
          {may('moderator') && inhabited.length > 0 && (
            <Button variant="default" onClick={() => setAnnounces(true)}>
              {words.rooms.announceAll}
            </Button>
          )}
        </>
      }
    >
      <Answer of={readingOf(rooms, (all) => all.filter(isWanted))}>
        {(all) =>
          all.length === 0 ? (
            <p className="empty">{words.rooms.empty}</p>
          ) : (
            <ul className="room-cards" aria-label={words.rooms.title}>
              {all.map((room) => (
                <Card key={room.roomId} room={room} line={lines.get(room.sessionId ?? '')} />
              ))}
            </ul>
          )
        }
      </Answer>
      <CliLine line={commandLine('rooms', 'list')} />
      <Dialog opened={announces} onClose={() => setAnnounces(false)} title={words.rooms.announceAll}>
        <Announcement roomIds={inhabited} onDone={() => setAnnounces(false)} />
      </Dialog>
    </Page>
  );
}

function focusCard(by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('.room-cards .room-name')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  links[at < 0 ? (by > 0 ? 0 : links.length - 1) : (at + by + links.length) % links.length]?.focus();
}

/** What was said last in each session, by its id. The lines are read once; events bring the next ones. */
function useLastLines(enabled: boolean): ReadonlyMap<string, Message> {
  const { params } = useProject();
  const query = { types: 'message.created', limit: linesRead };
  const { data } = useRead(eventRoutes.list, { params, query }, { enabled });
  const [heard, setHeard] = useState<ReadonlyMap<string, Message>>(new Map());
  useEvents(({ type, payload }) => {
    if (!enabled || type !== 'message.created' || payload.data.redacted !== undefined) return;
    const line = payload.data;
    if (line.type === 'user') setHeard((before) => new Map(before).set(line.sessionId, line));
  });
  const lines = (data?.events ?? []).map(({ payload }) => payload.data as unknown as Message);
  const latest = new Map<string, Message>();
  for (const line of [...lines.filter(({ type }) => type === 'user'), ...heard.values()]) {
    const known = latest.get(line.sessionId);
    if (known === undefined || known.timestamp < line.timestamp) latest.set(line.sessionId, line);
  }
  return latest;
}

/** The people of a card, with all who speak, in a fixed order, so that nobody moves under the pointer. */
function shownOf(inside: readonly Room['peers'][number][]): readonly Room['peers'][number][] {
  const sorted = inside.toSorted((one, other) => (one.externalUserId < other.externalUserId ? -1 : 1));
  const speakersFirst = sorted.toSorted((one, other) => Number(other.speaking) - Number(one.speaking));
  const shown = new Set(speakersFirst.slice(0, shownMax));
  return sorted.filter((one) => shown.has(one));
}

function Card({ room, line }: { readonly room: Room; readonly line: Message | undefined }) {
  const words = useWords();
  const { project, may } = useProject();
  const inside = people(room);
  return (
    <li className="room-card" aria-label={room.roomId}>
      <header>
        <Link className="room-name" to={`/projects/${project.id}/rooms/${encodeURIComponent(room.roomId)}`}>
          <bdi>{room.roomId}</bdi>
        </Link>
        <RoomBadges room={room} />
        <span className="end quiet">{words.rooms.count(inside.length)}</span>
      </header>
      <ul>
        {shownOf(inside).map(({ externalUserId, displayName, speaking, muted }) => (
          <li key={externalUserId} className={speaking ? 'speaking' : ''}>
            <span className={speaking ? 'level on' : 'level'} title={speaking ? words.rooms.speaking : undefined}>
              <Icon name={muted ? 'muted' : 'mic'} />
              {speaking && <span className="only-read">{words.rooms.speaking}</span>}
            </span>
            <PersonLink id={externalUserId} name={displayName} isBrief />
            {muted && <MutedMark id={externalUserId} />}
            {muted && may('moderator') && <MuteAct id={externalUserId} name={displayName} />}
          </li>
        ))}
      </ul>
      {inside.length > shownMax && <p className="quiet">{words.rooms.more(inside.length - shownMax)}</p>}
      {line !== undefined && (
        <p className="last-line">
          <span className="quiet">
            <Time at={line.timestamp} /> <bdi>{line.senderName}</bdi>:
          </span>{' '}
          <bdi>{line.content}</bdi>
        </p>
      )}
    </li>
  );
}
