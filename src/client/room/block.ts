/** Blocks somebody with the room token: the room sends nothing of them any more, in this room and in every other one. */
import { toApiError } from '../errors.js';
import { pathPart } from '../path.js';
import { postJson, send } from './resource.js';
import type { RoomAccess } from './room-access.js';

/** Resolves once they are not heard any more. Throws ApiError, DaemonUnreachable. */
export async function block(access: RoomAccess, blockedUserId: string): Promise<void> {
  await postJson(access, 'blocks', { blockedUserId });
}

/** Resolves once they are heard again. Throws ApiError, DaemonUnreachable, InvalidPathPart. */
export async function unblock(access: RoomAccess, blockedUserId: string): Promise<void> {
  const url = new URL(`${access.url}/blocks/${pathPart(blockedUserId, 'blockedUserId')}`);
  const response = await send(url, access, { method: 'DELETE', headers: {} });
  if (!response.ok) throw toApiError(response, await response.text());
}
