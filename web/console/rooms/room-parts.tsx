/** What the list of rooms and an open room share. */
import { useQuery } from '@tanstack/react-query';
import { type Room, roomRoutes } from '../../../src/contract/rooms/rooms.js';
import { useProject } from '../frame/project.js';
import { useRefresh } from '../live/use-live.js';
import { Countdown } from '../parts/time.js';
import { client } from '../session/session.js';
import { useWords } from '../words/words.js';

/** The daemon knows for a second who speaks, and no event tells it. */
const readMs = 2_000;

export const useRooms = () => {
  const { params } = useProject();
  const key = ['rooms', params.projectId];
  useRefresh(key, 'participant.', 'room.', 'bot.', 'sanction.');
  return useQuery({
    queryKey: key,
    queryFn: () => client.call(roomRoutes.list, { params }),
    refetchInterval: readMs,
  });
};

export function RoomBadges({ room }: { readonly room: Room }) {
  const words = useWords().rooms;
  return (
    <>
      {room.peers.some(({ bot }) => bot) && (
        <span className="badge good">
          {words.bot} {words.listens}
        </span>
      )}{' '}
      {room.muted !== null && (
        <span className="badge warn">
          {words.roomMuted} {room.muted.until !== null && <Countdown at={room.muted.until} />}
        </span>
      )}{' '}
      {room.closed !== null && (
        <span className="badge bad">
          {words.roomClosed} {room.closed.until !== null && <Countdown at={room.closed.until} />}
        </span>
      )}
    </>
  );
}
