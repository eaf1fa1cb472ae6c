/** Access of one person to a room: its address, their token, and the key of its sound where it is encrypted. */
import type { GenerateTokenResponse } from '../../contract/rooms/tokens.js';
import { ForeignRooms } from './errors.js';

/** Key of the end-to-end encryption. The index (0–255) tells the keys of a room apart. */
export interface RoomKey {
  readonly password: string;
  readonly keyIndex: number;
}

export interface RoomAccess {
  /** For example http://127.0.0.1:8080/rooms/demo */
  readonly url: string;
  /** Where the room is once the daemon at `url` is lost. Default: nowhere else. */
  readonly otherUrls?: readonly string[];
  readonly token: string;
  readonly encryption: RoomKey | null;
}

/** Returns the access that an answer of `routes.tokens.generateForProject` gives. Throws ForeignRooms. */
export function accessOf({ token, provider, url, otherUrls, e2ee }: GenerateTokenResponse): RoomAccess {
  if (provider !== 'embedded' || url === null)
    throw new ForeignRooms(`The rooms of this project run at ${provider}; join them with its own client.`);
  const encryption = e2ee === null || e2ee.key === null ? null : { password: e2ee.key, keyIndex: e2ee.keyIndex ?? 0 };
  return { url, otherUrls, token, encryption };
}

/** The room's page for this person. The token stands behind the #, which browsers send to no server. */
export function pageLink({ url, token, encryption }: RoomAccess): string {
  const opening = new URLSearchParams({ token });
  if (encryption !== null) {
    opening.set('key', encryption.password);
    opening.set('keyIndex', String(encryption.keyIndex));
  }
  return `${url}#${opening}`;
}

/** Reads what stands behind the # of such a link; null when there is no token. */
export function accessIn(url: string, opening: string): RoomAccess | null {
  const given = new URLSearchParams(opening);
  const [token, password] = [given.get('token'), given.get('key')];
  const encryption = password === null ? null : { password, keyIndex: Number(given.get('keyIndex') ?? 0) };
  return token === null ? null : { url, token, encryption };
}
