/** Enters a room and leaves it again. Its library is loaded only when needed. */
import type { Scratch } from './scratch.js';

export async function enterAndLeave(scratch: Scratch): Promise<string> {
  const { id, externalUserId } = await scratch.person();
  const [{ requestAccess }, { RoomPublisher }, { endMedia }] = await Promise.all([
    import('../../client/room/request-access.js'),
    import('../../client/voice/publisher.js'),
    import('../../client/voice/media-peer.js'),
  ]);
  const body = { roomId: scratch.name, userId: externalUserId };
  const publisher = new RoomPublisher(await requestAccess(scratch.client, scratch.projectId, body));
  try {
    await publisher.join();
    await publisher.leave();
  } finally {
    endMedia();
  }
  return id;
}
