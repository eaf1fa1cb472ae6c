/** Ciphers of encrypted rooms, derived once for all peers: a derivation takes about 50 ms. */
import { LRUCache } from 'lru-cache';
import { FrameCipher } from '../../../../src/media/frame-cipher.js';
import { atMost } from '../../../platform/collections/at-most.js';
import { type RoomSeal, roomLimits } from '../media/engine.js';

export class RoomCiphers {
  private readonly known = new LRUCache<string, Promise<FrameCipher>>(atMost(roomLimits.rooms.together));

  cipherFor({ key, keyIndex }: RoomSeal): Promise<FrameCipher> {
    const name = `${keyIndex} ${key}`;
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const cipher = derived(key, keyIndex);
    this.known.set(name, cipher);
    cipher.catch(() => this.known.delete(name));
    return cipher;
  }
}

async function derived(key: string, keyIndex: number): Promise<FrameCipher> {
  const cipher = new FrameCipher();
  await cipher.addPassword(key, keyIndex);
  return cipher;
}
