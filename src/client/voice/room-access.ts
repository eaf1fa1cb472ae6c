/** What opens a room to one person: its address, their token, and the key of its sound where it is encrypted. */

import type { GenerateProjectTokenRequest, GenerateTokenResponse } from '../../contract/rooms/tokens.js';
import { tokenRoutes } from '../../contract/rooms/tokens.js';
import { FrameCipher } from '../../frame-cipher.js';
import type { EarshotClient } from '../earshot-client.js';
import { ForeignRooms } from './errors.js';

export interface RoomAccess {
  /** Such as http://127.0.0.1:8080/rooms/demo */
  readonly url: string;
  readonly token: string;
  readonly encryption: { readonly password: string; readonly keyIndex: number } | null;
}

/** Asks for a room token. Throws ApiError, DaemonUnreachable, ForeignRooms. */
export async function requestAccess(
  client: EarshotClient,
  projectId: string,
  body: GenerateProjectTokenRequest,
): Promise<RoomAccess> {
  return accessOf(await client.call(tokenRoutes.generateForProject, { params: { projectId }, body }));
}

/** What a token answer opens. Throws ForeignRooms. */
export function accessOf({ token, provider, url, e2ee }: GenerateTokenResponse): RoomAccess {
  if (provider !== 'embedded' || url === null)
    throw new ForeignRooms(`The rooms of this project are carried by ${provider}; enter them with its own client.`);
  const encryption = e2ee === null || e2ee.key === null ? null : { password: e2ee.key, keyIndex: e2ee.keyIndex ?? 0 };
  return { url, token, encryption };
}

/** Null where the sound of the room is not encrypted. */
export async function cipherFor({ encryption }: RoomAccess): Promise<FrameCipher | null> {
  if (encryption === null) return null;
  const cipher = new FrameCipher();
  await cipher.addPassword(encryption.password, encryption.keyIndex);
  return cipher;
}

/** The room's page for this person. What opens the room stands behind the #, which no server is told. */
export function pageLink({ url, token, encryption }: RoomAccess): string {
  const opening = new URLSearchParams({ token });
  if (encryption !== null) {
    opening.set('key', encryption.password);
    opening.set('keyIndex', String(encryption.keyIndex));
  }
  return `${url}#${opening}`;
}
