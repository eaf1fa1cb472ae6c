/** In which room a sanction holds that is limited to one session. */
import type { EarshotClient } from '../client/earshot-client.js';
import { ApiError } from '../client/errors.js';
import { sessionRoutes } from '../contract/sessions/sessions.js';

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
  const ids = new Set(sanctions.flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId])));
  for (const id of [...ids].slice(0, askedMax)) {
    try {
      rooms.set(id, (await client.call(sessionRoutes.get, { params: { projectId, id } })).externalRoomId);
    } catch (error) {
      if (!(error instanceof ApiError && (error.status === 403 || error.status === 404))) throw error;
    }
  }
  return ({ sessionId }) => {
    if (sessionId === null) return '';
    const room = rooms.get(sessionId);
    return room === undefined ? 'in one room' : `in room ${room}`;
  };
}
