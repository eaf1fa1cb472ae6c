import { useNavigate } from '@tanstack/react-router';
import type { Room } from '../../../src/contract/rooms/rooms.js';
import { useOpenId, useProject } from '../frame/project.js';
import { CliLine, commandLine } from '../parts/copy.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { TextFilter } from '../parts/filters.js';
import { Icon } from '../parts/icon.js';
import { Page } from '../parts/page.js';
import { Refusal } from '../parts/refusal.js';
import { useFilter } from '../parts/use-filter.js';
import type { FirstWords } from '../words/en.js';
import { useWords } from '../words/words.js';
import { OpenRoom } from './open-room.js';
import { RoomBadges, useRooms } from './room-parts.js';

const people = ({ peers }: Room) => peers.filter(({ bot, observer }) => !bot && !observer);
const idOf = ({ roomId }: Room) => roomId;
const columnsOf = (words: FirstWords): readonly Column<Room>[] => [
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
    ...{ id: 'muted', label: words.rooms.muted, width: '90px', wide: true },
    cell: (room) => people(room).filter(({ muted }) => muted).length || '',
    sort: (room) => people(room).filter(({ muted }) => muted).length,
  },
  {
    ...{ id: 'state', label: words.status, width: '170px' },
    cell: (room) => <RoomBadges room={room} />,
  },
];

export default function Rooms() {
  const words = useWords();
  const { project } = useProject();
  const navigate = useNavigate();
  const openId = useOpenId();
  const [search, setSearch] = useFilter('search');
  const { data: rooms, error, refetch } = useRooms();
  if (openId !== undefined) return <OpenRoom key={openId} roomId={openId} />;
  return (
    <Page
      title={words.rooms.title}
      actions={<TextFilter label={words.rooms.search} value={search} onChange={setSearch} />}
    >
      <Refusal error={error} onRetry={() => void refetch()} />
      {rooms !== undefined && (
        <DataTable
          label={words.rooms.title}
          rows={rooms.filter(({ roomId }) => roomId.toLowerCase().includes(search.toLowerCase()))}
          columns={columnsOf(words)}
          idOf={idOf}
          onOpen={({ roomId }) => void navigate({ to: `/projects/${project.id}/rooms/${encodeURIComponent(roomId)}` })}
          empty={words.rooms.empty}
        />
      )}
      <CliLine line={commandLine('rooms', 'list')} />
    </Page>
  );
}
