/** Ciphers of encrypted rooms, derived once for all peers: a derivation takes about 50 ms. */
import { FrameCipher } from '../../../../src/frame-cipher.js';
import { type RoomSeal, roomLimits } from '../media/engine.js';

export class RoomCiphers {
  private readonly known = new Map<string, Promise<FrameCipher>>();

  of({ key, keyIndex }: RoomSeal): Promise<FrameCipher> {
    const name = `${keyIndex} ${key}`;
    const cipher = this.known.get(name) ?? derived(key, keyIndex);
    this.known.delete(name);
    this.known.set(name, cipher);
    const [oldest] = this.known.keys();
    if (this.known.size > roomLimits.rooms.together && oldest !== undefined) this.known.delete(oldest);
    return cipher;
  }
}

async function derived(key: string, keyIndex: number): Promise<FrameCipher> {
  const cipher = new FrameCipher();
  await cipher.addPassword(key, keyIndex);
  return cipher;
}
