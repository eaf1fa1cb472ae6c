/** The cipher of a room that a bot listens to, kept in step with the room's key. */
import { FrameCipher } from '../../../../src/media/frame-cipher.js';

export class FrameOpener {
  /** Null where the room is not encrypted. */
  cipher: FrameCipher | null = null;
  private seal: { key: string; keyIndex: number } | null = null;

  constructor(private readonly read: () => Promise<{ key: string; keyIndex: number } | null>) {}

  /** To be called before somebody enters: a person who enters may bring a new key. */
  async refresh(): Promise<void> {
    const seal = await this.read();
    if (seal?.key === this.seal?.key && seal?.keyIndex === this.seal?.keyIndex) return;
    const cipher = seal === null ? null : new FrameCipher();
    if (seal !== null) await cipher?.addPassword(seal.key, seal.keyIndex);
    [this.seal, this.cipher] = [seal, cipher];
  }
}
