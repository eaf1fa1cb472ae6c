/**
 * Asks a daemon for access to a room. A server with an API key does this for its players, who must never get the key.
 */
import type { GenerateProjectTokenRequest } from '../../contract/rooms/tokens.js';
import { tokenRoutes } from '../../contract/rooms/tokens.js';
import type { EarshotClient } from '../earshot-client.js';
import { accessOf, type RoomAccess } from './room-access.js';

/** Requests access to a room as a person. Throws ApiError, DaemonUnreachable, ForeignRooms. */
export async function requestAccess(
  client: EarshotClient,
  projectId: string,
  body: GenerateProjectTokenRequest,
): Promise<RoomAccess> {
  return accessOf(await client.call(tokenRoutes.generateForProject, { params: { projectId }, body }));
}

/** Requests access to a room as an observer of the team, who only listens. Throws ApiError, DaemonUnreachable, ForeignRooms. */
export async function requestObservation(
  client: EarshotClient,
  projectId: string,
  roomId: string,
): Promise<RoomAccess> {
  return accessOf(await client.call(tokenRoutes.observe, { params: { projectId, roomId } }));
}
