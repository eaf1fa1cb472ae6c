/**
 * Reads WAV files of PCM: any rate, mono or stereo (mixed down), 8 to 32 bits or floating point. Pure: bytes in, samples
 * out. Whatever else it is given it refuses with a sentence that says what to do. Writes mono at 16 bits.
 */
import { UnusableRecording } from './errors.js';

/** Mono; `at` is the sample at an index, between -1 and 1, and 0 outside. */
export interface Recording {
  /** Hz. */
  readonly rate: number;
  readonly length: number;
  at(index: number): number;
}

/** Bytes of a file: a quarter of an hour at the best quality, three hours of speech at 16 kHz. */
export const recordingBytesMax = 256 * 1024 * 1024;
const rateMin = 4_000;
const rateMax = 384_000;
const channelsMax = 2;
const convert = 'Convert it, for example: ffmpeg -i INPUT -ac 1 -ar 48000 -c:a pcm_s16le OUTPUT.wav';

const codes = { pcm: 1, float: 3, extensible: 0xfffe } as const;
type Read = (view: DataView, offset: number) => number;
const readers: Readonly<Record<string, Read>> = {
  'pcm 8': (view, offset) => (view.getUint8(offset) - 128) / 128,
  'pcm 16': (view, offset) => view.getInt16(offset, true) / 32_768,
  'pcm 24': (view, offset) => (view.getInt8(offset + 2) * 65_536 + view.getUint16(offset, true)) / 8_388_608,
  'pcm 32': (view, offset) => view.getInt32(offset, true) / 2_147_483_648,
  'float 32': (view, offset) => view.getFloat32(offset, true),
  'float 64': (view, offset) => view.getFloat64(offset, true),
};

/** Throws UnusableRecording. */
export function readWav(bytes: Uint8Array): Recording {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tag = (offset: number): string => String.fromCharCode(...bytes.subarray(offset, offset + 4));
  if (bytes.length > recordingBytesMax) throw refusal('is larger than 256 MiB. Split it.');
  if (bytes.length < 12 || tag(0) !== 'RIFF' || tag(8) !== 'WAVE') throw refusal(`is no WAV file. ${convert}`);
  const chunks = chunksOf(view, tag);
  const format = chunks.get('fmt ');
  const data = chunks.get('data');
  if (format === undefined || format.length < 16 || data === undefined)
    throw refusal(`is a WAV file without format or audio data. ${convert}`);
  const { rate, channels, sampleBytes, read } = formatOf(view, format);
  const frameBytes = sampleBytes * channels;
  const length = Math.floor(data.length / frameBytes);
  if (length === 0) throw refusal('holds no audio.');
  const sample = (index: number, channel: number) =>
    read(view, data.offset + index * frameBytes + channel * sampleBytes);
  const isMixed = channels === 2 && !areOpposite(length, sample);
  return {
    rate,
    length,
    at(index) {
      if (index < 0 || index >= length) return 0;
      const left = sample(index, 0);
      const mixed = isMixed ? (left + sample(index, 1)) / 2 : left;
      return Number.isFinite(mixed) ? Math.min(1, Math.max(-1, mixed)) : 0;
    },
  };
}

/** Frames that are compared, spread over the recording. */
const comparedFrames = 50_000;
/** Share of the channels' energy that is left of a mix whose channels cancel each other out. */
const cancelledShare = 0.01;

/** True if a mix would be nearly silent: a microphone that is wired in reverse, or a balanced line taken for stereo. */
function areOpposite(length: number, sample: (index: number, channel: number) => number): boolean {
  const step = Math.max(1, Math.floor(length / comparedFrames));
  let [mixed, apart] = [0, 0];
  for (let index = 0; index < length; index += step) {
    const [left, right] = [sample(index, 0), sample(index, 1)];
    mixed += ((left + right) / 2) ** 2;
    apart += (left ** 2 + right ** 2) / 2;
  }
  return mixed < apart * cancelledShare;
}

interface Chunk {
  readonly offset: number;
  readonly length: number;
}

/**
 * Files that were cut off, or written to a pipe, state more bytes than there are, or none: what is there counts. Recorders
 * write the length at their end, so a part that states none ends with the file, unless another part follows it.
 */
function chunksOf(view: DataView, tag: (offset: number) => string): Map<string, Chunk> {
  const chunks = new Map<string, Chunk>();
  for (let offset = 12; offset + 8 <= view.byteLength; ) {
    const isOpen = view.getUint32(offset + 4, true) === 0 && tag(offset) === 'data' && !isChunk(offset + 8);
    const stated = isOpen ? view.byteLength - offset - 8 : view.getUint32(offset + 4, true);
    const length = Math.min(stated, view.byteLength - offset - 8);
    if (!chunks.has(tag(offset))) chunks.set(tag(offset), { offset: offset + 8, length });
    offset += 8 + stated + (stated % 2);
  }
  return chunks;

  function isChunk(at: number): boolean {
    return (
      at + 8 <= view.byteLength &&
      /^[\x20-\x7e]{4}$/.test(tag(at)) &&
      at + 8 + view.getUint32(at + 4, true) <= view.byteLength
    );
  }
}

function formatOf(view: DataView, { offset, length }: Chunk) {
  const stated = view.getUint16(offset, true);
  const code = stated === codes.extensible && length >= 26 ? view.getUint16(offset + 24, true) : stated;
  const channels = view.getUint16(offset + 2, true);
  const rate = view.getUint32(offset + 4, true);
  const bits = view.getUint16(offset + 14, true);
  const kind = code === codes.pcm ? 'pcm' : code === codes.float ? 'float' : `format ${code}`;
  const read = readers[`${kind} ${bits}`];
  if (read === undefined) throw refusal(`holds ${kind} with ${bits} bits, which is not supported. ${convert}`);
  if (channels < 1 || channels > channelsMax)
    throw refusal(`has ${channels} channels; only one or two are supported. ${convert}`);
  if (rate < rateMin || rate > rateMax)
    throw refusal(`has ${rate} samples per second, which is not supported. ${convert}`);
  return { rate, channels, sampleBytes: bits / 8, read };
}

const refusal = (reason: string): UnusableRecording => new UnusableRecording(`The file ${reason}`);

export const wavHeaderBytes = 44;

/** Returns the header of mono samples of 16 bits; `dataBytes` null: not known yet, to the end of the file. */
export function wavHeader(rate: number, dataBytes: number | null): Buffer {
  const header = Buffer.alloc(wavHeaderBytes);
  const unknown = 0xffff_ffff;
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(dataBytes === null ? unknown : wavHeaderBytes - 8 + dataBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(codes.pcm, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes ?? unknown, 40);
  return header;
}
