import { describe, expect, it } from 'vitest';
import { deriveKey, openFrame, sealFrame } from '../../src/browser/frame-cipher.js';
import { FrameCipher } from '../../src/media/frame-cipher.js';

const frame = Uint8Array.from([0x78, 1, 2, 3, 4, 5]);

describe('frames that the page seals', () => {
  it('are opened by the bot with the same password', async () => {
    const bot = new FrameCipher();
    await bot.addPassword('swordfish', 3);
    const sealed = await sealFrame(await deriveKey({ password: 'swordfish', keyIndex: 3 }), frame);
    expect(sealed.subarray(1)).not.toEqual(frame.subarray(1));
    expect(bot.open(sealed)).toEqual(Buffer.from(frame));
  });

  it('are opened by another page, and by nobody without the password', async () => {
    const sealed = await sealFrame(await deriveKey({ password: 'swordfish', keyIndex: 3 }), frame);
    expect(await openFrame(await deriveKey({ password: 'swordfish', keyIndex: 3 }), sealed)).toEqual(frame);
    expect(await openFrame(await deriveKey({ password: 'haddock', keyIndex: 3 }), sealed)).toBeNull();
  });

  it('are dropped when they were altered, or came in clear', async () => {
    const key = await deriveKey({ password: 'swordfish', keyIndex: 3 });
    const sealed = await sealFrame(key, frame);
    for (const index of [0, 3, sealed.length - 1]) {
      const altered = sealed.map((byte, at) => (at === index ? byte ^ 1 : byte));
      expect(await openFrame(key, altered)).toBeNull();
    }
    expect(await openFrame(key, frame)).toBeNull();
  });
});
