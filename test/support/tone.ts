/** A tone in place of a voice, where nobody has to understand it. */
import { readWav, wavHeader } from '../../src/client/voice/wav-file.js';

const rate = 16_000;
const hertz = 440;

export function toneWav(seconds: number): Buffer {
  const samples = Int16Array.from({ length: rate * seconds }, (_, index) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * hertz * index) / rate)),
  );
  return Buffer.concat([wavHeader(rate, samples.byteLength), new Uint8Array(samples.buffer)]);
}

export const tone = (seconds: number) => readWav(toneWav(seconds));
