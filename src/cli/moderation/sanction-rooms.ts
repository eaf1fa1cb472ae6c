/** Names the room of a sanction that is limited to one session. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { sessionRoutes } from '../../contract/sessions/sessions.js';
import { eachInSight } from '../command/refusals.js';

interface Limited {
  readonly sessionId: string | null;
}
export type RoomWords = (sanction: Limited) => string;

/** Sessions of further ones are not asked for: each takes a call. */
const askedMax = 20;

/** `in room demo`; `in one room` where the session is gone or not open to the caller; nothing where it holds everywhere. */
export async function roomWords(
  client: EarshotClient,
  projectId: string,
  sanctions: readonly Limited[],
): Promise<RoomWords> {
  const rooms = new Map<string, string>();
  const ids = sanctions.flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId]));
  await eachInSight(ids, askedMax, async (id) =>
    rooms.set(id, (await client.call(sessionRoutes.get, { params: { projectId, id } })).externalRoomId),
  );
  return ({ sessionId }) => {
    if (sessionId === null) return '';
    const room = rooms.get(sessionId);
    return room === undefined ? 'in one room' : `in room ${room}`;
  };
}
