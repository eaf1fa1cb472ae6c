/** Passes what people in a room are saying on to those streams of the room that ask for it. */
import type { PartialMessages } from '../../sessions/partial-messages.js';
import type { RoomStreams } from './room-streams.js';

export function roomPartials(
  streams: Pick<RoomStreams, 'readsAlong' | 'partial'>,
  spoken: Pick<PartialMessages, 'follow'>,
): { start(): void; stop(): void } {
  let end = () => {};
  return {
    start: () => {
      end = spoken.follow({
        wants: (room) => streams.readsAlong(room),
        read: (_tenantId, { projectId, roomId, shadowMuted, externalUserId, senderName, content, timestamp }) =>
          streams.partial(
            { projectId, roomId },
            { externalUserId, senderName, content, timestamp },
            shadowMuted ? externalUserId : null,
          ),
      });
    },
    stop: () => end(),
  };
}
