import { describe, expect, it } from 'vitest';
import { readWav } from '../../../src/client/voice/wav-file.js';

interface Parts {
  code?: number;
  channels?: number;
  rate?: number;
  bits?: number;
  data: Uint8Array;
  /** Bytes that the data chunk claims to have. */
  stated?: number;
  before?: Buffer;
}

const chunk = (name: string, body: Uint8Array, stated = body.length): Buffer => {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(stated, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
};

function wav({
  code = 1,
  channels = 1,
  rate = 16_000,
  bits = 16,
  data,
  stated,
  before = Buffer.alloc(0),
}: Parts): Buffer {
  const format = Buffer.alloc(16);
  format.writeUInt16LE(code, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt16LE(bits, 14);
  return Buffer.concat([
    chunk('RIFF', Buffer.from('WAVE')),
    before,
    chunk('fmt ', format),
    chunk('data', data, stated),
  ]);
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const float32 = (value: number): Uint8Array => new Uint8Array(Float32Array.of(value).buffer);

describe('readWav', () => {
  it.each([
    ['8 bits, around 128', { bits: 8, data: bytes(192) }, 0.5],
    ['16 bits', { bits: 16, data: bytes(0x00, 0xc0) }, -0.5],
    ['24 bits', { bits: 24, data: bytes(0x00, 0x00, 0x40) }, 0.5],
    ['32 bits', { bits: 32, data: bytes(0x00, 0x00, 0x00, 0xc0) }, -0.5],
    ['floating point', { code: 3, bits: 32, data: float32(0.25) }, 0.25],
    ['floating point that is no number, as silence', { code: 3, bits: 32, data: float32(Number.NaN) }, 0],
    ['floating point out of bounds, clipped', { code: 3, bits: 32, data: float32(7) }, 1],
    ['two channels of opposite phases, as the first', { channels: 2, data: bytes(0x00, 0x40, 0x00, 0xc0) }, 0.5],
    ['a file that states no length, to its end', { data: bytes(0x00, 0xc0), stated: 0 }, -0.5],
    ['two channels, mixed', { channels: 2, data: bytes(0x00, 0x40, 0x00, 0x20) }, 0.375],
  ])('reads %s', (_, parts, sample) => {
    const recording = readWav(wav(parts));
    expect(recording).toMatchObject({ rate: 16_000, length: 1 });
    expect(recording.at(0)).toBeCloseTo(sample, 6);
    expect([recording.at(-1), recording.at(1)]).toEqual([0, 0]);
  });

  it('passes over chunks that it does not know, of odd length too', () => {
    expect(readWav(wav({ before: chunk('LIST', bytes(1, 2, 3)), data: bytes(0, 64) })).at(0)).toBe(0.5);
  });

  it('takes what is there of a file that was cut off or piped', () => {
    expect(readWav(wav({ data: bytes(0, 64, 0, 64), stated: 0xffff_ffff })).length).toBe(2);
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'is no WAV file'],
    ['an MP3', Buffer.from('ID3 and so on and on'), 'is no WAV file'],
    ['a file without sound', wav({ data: bytes() }), 'holds no audio'],
    ['no chunks', chunk('RIFF', Buffer.from('WAVE')), 'without format or audio data'],
    ['µ-law', wav({ code: 7, bits: 8, data: bytes(1) }), 'format 7 with 8 bits'],
    ['surround sound', wav({ channels: 6, data: bytes(0, 0) }), '6 channels'],
    ['a rate that no recorder has', wav({ rate: 12, data: bytes(0, 0) }), '12 samples per second'],
  ])('refuses %s with a sentence', (_, file, sentence) => {
    expect(() => readWav(file)).toThrow(sentence);
  });
});
