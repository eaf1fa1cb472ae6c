import { useNavigate } from '@tanstack/react-router';
import type { Room } from '../../../src/contract/rooms/rooms.js';
import { isPartOf } from '../../../src/text/fold.js';
import { useOpenId, useProject } from '../frame/project.js';
import { readingOf } from '../parts/answer.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { TextFilter } from '../parts/filters.js';
import { Icon } from '../parts/icon.js';
import { Page } from '../parts/page.js';
import { useFilter } from '../parts/use-filter.js';
import { MutedMark, PersonLink } from '../people/person-link.js';
import { MuteAct } from '../sanctions/mute-act.js';
import type { FirstWords } from '../words/en.js';
import { useWords } from '../words/words.js';
import { OpenRoom } from './open-room.js';
import { RoomBadges, useRooms } from './room-parts.js';

const people = ({ peers }: Room) => peers.filter(({ bot, observer }) => !bot && !observer);
const idOf = ({ roomId }: Room) => roomId;
const columnsOf = (words: FirstWords, mayAct: boolean): readonly Column<Room>[] => [
  { ...{ id: 'room', label: words.room }, cell: ({ roomId }) => <bdi>{roomId}</bdi>, sort: ({ roomId }) => roomId },
  {
    ...{ id: 'people', label: words.rooms.people, width: '80px' },
    cell: (room) => <span className="number">{people(room).length}</span>,
    sort: (room) => people(room).length,
  },
  {
    ...{ id: 'speaking', label: words.rooms.speaking },
    cell: (room) =>
      people(room)
        .filter(({ speaking }) => speaking)
        .map(({ externalUserId, displayName }) => (
          <span key={externalUserId} className="speaking">
            <Icon name="mic" /> <bdi>{displayName}</bdi>{' '}
          </span>
        )),
  },
  {
    ...{ id: 'muted', label: words.rooms.muted, wide: true },
    cell: (room) =>
      people(room)
        .filter(({ muted }) => muted)
        .map(({ externalUserId, displayName }) => (
          <span key={externalUserId} className="muted-peer">
            <PersonLink id={externalUserId} name={displayName} isBrief />
            <MutedMark id={externalUserId} />
            {mayAct && <MuteAct id={externalUserId} name={displayName} />}
          </span>
        )),
    sort: (room) => people(room).filter(({ muted }) => muted).length,
  },
  {
    ...{ id: 'state', label: words.status, width: '170px' },
    cell: (room) => <RoomBadges room={room} />,
  },
];

export default function Rooms() {
  const words = useWords();
  const { project, may } = useProject();
  const navigate = useNavigate();
  const openId = useOpenId();
  const [search, setSearch] = useFilter('search');
  const rooms = useRooms();
  const isWanted = (room: Room) =>
    [room.roomId, ...people(room).flatMap(({ externalUserId, displayName }) => [externalUserId, displayName])].some(
      (text) => isPartOf(search, text),
    );
  if (openId !== undefined) return <OpenRoom key={openId} roomId={openId} />;
  return (
    <Page
      title={words.rooms.title}
      actions={<TextFilter label={words.rooms.search} value={search} onChange={setSearch} />}
    >
      <DataTable
        label={words.rooms.title}
        of={readingOf(rooms, (all) => all.filter(isWanted))}
        columns={columnsOf(words, may('moderator'))}
        idOf={idOf}
        onOpen={({ roomId }) => void navigate({ to: `/projects/${project.id}/rooms/${encodeURIComponent(roomId)}` })}
        empty={words.rooms.empty}
      />
      <CliLine line={commandLine('rooms', 'list')} />
    </Page>
  );
}
