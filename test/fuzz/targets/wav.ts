import { UnusableRecording } from '../../../src/client/voice/errors.js';
import { type Recording, readWav, wavHeader } from '../../../src/client/voice/wav-file.js';
import { type FuzzTarget, hold, unlessRefused } from '../engine/target.js';

const parse = (input: Buffer): Recording | null => unlessRefused(() => readWav(input), UnusableRecording);

/** WAV files that are spoken into a room. */
export const wav: FuzzTarget = {
  name: 'wav',
  maxBytes: 1024 * 1024,
  parse,
  check(input) {
    const recording = parse(input);
    if (recording === null) return;
    hold(recording.length > 0 && recording.length <= input.length, 'A sample takes a byte or more.', recording.length);
    for (const index of [-1, 0, 1, recording.length - 1, recording.length]) {
      const sample = recording.at(index);
      hold(sample >= -1 && sample <= 1, 'Samples lie between -1 and 1.', index, sample);
      if (index < 0 || index >= recording.length) hold(sample === 0, 'There is silence outside.', index, sample);
    }
    const sound = Buffer.alloc(recording.length * 2);
    for (let index = 0; index < recording.length; index += 1)
      sound.writeInt16LE(Math.round(recording.at(index) * 32_767), index * 2);
    const again = readWav(Buffer.concat([wavHeader(recording.rate, sound.length), sound]));
    hold(
      again.rate === recording.rate && again.length === recording.length,
      'What is written is read as it was.',
      again,
    );
  },
  seeds: [
    Buffer.concat([wavHeader(16_000, 4), Buffer.from('0100feff', 'hex')]),
    Buffer.concat([wavHeader(48_000, null), Buffer.alloc(6, 9)]),
    Buffer.from(
      '524946462c00000057415645666d7420100000000300010080bb000000ee02000400200064617461080000000000803f000080bf',
      'hex',
    ),
  ],
  words: [
    'RIFF',
    'WAVE',
    'fmt ',
    'data',
    'LIST',
    ...['feff', '0100', '0300', '10000000', 'ffffffff', '1800', '2000'].map((hex) => Buffer.from(hex, 'hex')),
  ],
};
