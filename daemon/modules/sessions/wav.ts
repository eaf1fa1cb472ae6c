/** WAV as the recognisers want it: one plain 44-byte header, PCM 16 bit, mono. */

export const wavHeaderBytes = 44;

/** A complete WAV file of `pcm` (16 bit, mono) at `sampleRate` Hz. */
export function wavFile(pcm: Int16Array, sampleRate: number): Buffer {
  const file = Buffer.alloc(wavHeaderBytes + pcm.byteLength);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16); // size of the format block
  file.writeUInt16LE(1, 20); // PCM
  file.writeUInt16LE(1, 22); // channels
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 2, 28); // bytes a second
  file.writeUInt16LE(2, 32); // bytes a sample
  file.writeUInt16LE(16, 34); // bits a sample
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(pcm.byteLength, 40);
  for (let index = 0; index < pcm.length; index++) file.writeInt16LE(pcm[index] ?? 0, wavHeaderBytes + index * 2);
  return file;
}
