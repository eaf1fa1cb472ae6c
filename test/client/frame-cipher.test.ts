import { beforeAll, describe, expect, it } from 'vitest';
import { FrameCipher } from '../../src/media/frame-cipher.js';
import { sealFrame } from '../support/sealed-frames.js';

const frame = Uint8Array.from({ length: 80 }, (_, index) => index);

describe('FrameCipher', () => {
  const cipher = new FrameCipher();
  beforeAll(() => cipher.addPassword('open sesame'));

  it('opens what a browser sealed with the same password, 30 bytes shorter', async () => {
    const sealed = await sealFrame(frame, 'open sesame');
    expect(sealed.length).toBe(frame.length + 30);
    expect(sealed.subarray(1, 80)).not.toEqual(frame.subarray(1));
    expect(Uint8Array.from(cipher.open(sealed) ?? [])).toEqual(frame);
  });

  it('opens a frame of one byte', async () => {
    expect(Uint8Array.from(cipher.open(await sealFrame(frame.subarray(0, 1), 'open sesame')) ?? [])).toEqual(
      Uint8Array.of(0),
    );
  });

  it.each([
    ['under another password', async () => sealFrame(frame, 'open barley')],
    ['under a key index that it does not know', async () => sealFrame(frame, 'open sesame', 1)],
    ['in clear', async () => frame],
    ['with the clear byte changed', async () => changed(await sealFrame(frame, 'open sesame'), 0)],
    ['with a byte changed', async () => changed(await sealFrame(frame, 'open sesame'), 40)],
    ['with its tag changed', async () => changed(await sealFrame(frame, 'open sesame'), 85)],
    ['with another length of IV', async () => changed(await sealFrame(frame, 'open sesame'), 108)],
    ['cut short', async () => (await sealFrame(frame, 'open sesame')).subarray(-30)],
    ['empty', async () => new Uint8Array()],
  ])('refuses a frame %s', async (_, sealed) => {
    expect(cipher.open(await sealed())).toBeNull();
  });

  it('knows several keys by their index, and takes a new one for an old', async () => {
    const rotating = new FrameCipher();
    await rotating.addPassword('first', 0);
    await rotating.addPassword('second', 1);
    expect(rotating.open(await sealFrame(frame, 'first', 0))).not.toBeNull();
    expect(rotating.open(await sealFrame(frame, 'second', 1))).not.toBeNull();
    await rotating.addPassword('third', 0);
    expect(rotating.open(await sealFrame(frame, 'first', 0))).toBeNull();
  });
});

function changed(bytes: Uint8Array, index: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[index] = (copy[index] ?? 0) ^ 1;
  return copy;
}
