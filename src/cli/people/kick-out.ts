/** Throwing somebody out of a room. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { type Room, roomRoutes } from '../../contract/rooms/rooms.js';
import { personWords } from './person-words.js';

/** Returns what is said of it: who is out of which room. Throws as `rooms.kick`. */
export async function kickOut(
  client: EarshotClient,
  projectId: string,
  { roomId, peers }: Pick<Room, 'roomId' | 'peers'>,
  externalUserId: string,
): Promise<string> {
  await client.call(roomRoutes.kick, { params: { projectId, roomId, externalUserId } });
  const name = peers.find((peer) => peer.externalUserId === externalUserId)?.displayName ?? externalUserId;
  return `${personWords(name, externalUserId)} was removed from ${roomId}.`;
}
