import { createCipheriv } from 'node:crypto';
import { FrameCipher } from '../../../src/media/frame-cipher.js';
import { ivBytes, joinFrame, partsOf, splitClear, splitTag } from '../../../src/media/frame-layout.js';
import { type FuzzTarget, hold } from '../engine/target.js';

const sealedExtra = 30;
const cipher = new FrameCipher();
const ready = cipher.addPassword('correct horse', 1);

/** A frame by `seal`, with an IV that stays the same, so that the run can be repeated. */
function sealed(frame: string): Uint8Array {
  const { clear, body } = splitClear(Buffer.from(frame));
  const iv = new Uint8Array(ivBytes);
  const made = createCipheriv('aes-128-gcm', Buffer.alloc(16), iv).setAAD(clear);
  return joinFrame({
    clear,
    sealed: Buffer.concat([made.update(body), made.final(), made.getAuthTag()]),
    iv,
    keyIndex: 1,
  });
}

/** Frames that are encrypted end to end. */
export const frames: FuzzTarget = {
  name: 'frames',
  maxBytes: 64 * 1024,
  parse: (input) => cipher.open(input),
  async check(input) {
    await ready;
    const parts = partsOf(input);
    if (parts !== null) {
      hold(Buffer.compare(joinFrame(parts), input) === 0, 'The parts, joined, are the frame.', parts);
      const { body, tag } = splitTag(parts.sealed);
      hold(tag.length === 16 && body.length + sealedExtra + 1 === input.length, 'Nothing is in two parts.', parts);
    }
    hold(cipher.open(input) === null, 'A frame that nobody sealed does not open.');
    if (input.length === 0) return;
    const made = cipher.seal(input, 1);
    hold(made.length === input.length + sealedExtra && made[0] === input[0], 'A sealed frame is 30 bytes longer.');
    hold(Buffer.compare(cipher.open(made) ?? Buffer.alloc(0), input) === 0, 'A sealed frame opens as it was.');
    const at = input.readUInt8(0) % made.length;
    const altered = Buffer.from(made);
    altered[at] = (altered[at] ?? 0) ^ (1 << (input.length % 8));
    hold(cipher.open(altered) === null, 'An altered frame does not open.', at);
  },
  seeds: [sealed('x'), sealed('some sound'), Buffer.alloc(31), Buffer.from('0c', 'hex')],
  words: ['0c', '0c00', '0c01', '0cff'].map((hex) => Buffer.from(hex, 'hex')),
};
