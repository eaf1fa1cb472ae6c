import { FrameCipher } from '../../media/frame-cipher.js';
import type { RoomAccess } from '../room/room-access.js';

/** Null where the sound of the room is not encrypted. */
export async function cipherFor({ encryption }: RoomAccess): Promise<FrameCipher | null> {
  if (encryption === null) return null;
  const cipher = new FrameCipher();
  await cipher.addPassword(encryption.password, encryption.keyIndex);
  return cipher;
}
