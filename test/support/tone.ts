/** A tone in place of a voice, where nobody has to understand it. */
import { readWav } from '../../src/client/voice/wav-file.js';

const rate = 16_000;

/** Mono, 16 bits, 16 kHz: written out here, so that it does not follow a mistake of what is tested. */
function header(bytes: number): Buffer {
  const fixed = Buffer.from(
    '524946460000000057415645666d74201000000001000100803e0000007d0000020010006461746100000000',
    'hex',
  );
  fixed.writeUInt32LE(bytes + fixed.length - 8, 4);
  fixed.writeUInt32LE(bytes, 40);
  return fixed;
}

export function toneWav(seconds: number, hertz = 440): Buffer {
  const samples = Int16Array.from({ length: rate * seconds }, (_, index) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * hertz * index) / rate)),
  );
  return Buffer.concat([header(samples.byteLength), new Uint8Array(samples.buffer)]);
}

export const tone = (seconds: number) => readWav(toneWav(seconds));
