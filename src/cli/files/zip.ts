/**
 * Writes ZIP archives (PKWARE APPNOTE 6.3.10): each file deflated, names in UTF-8, no file above 4 GiB. Pure.
 */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZippedFile {
  /** With `/` between folders. */
  readonly name: string;
  readonly content: string | Uint8Array;
}

const localHeader = 0x04034b50;
const centralHeader = 0x02014b50;
const endOfCentral = 0x06054b50;
/** Version 2.0 can unpack it: deflate and folders. */
const version = 20;
/** Bit 11: the name is UTF-8. */
const flags = 0x0800;
const deflated = 8;
/** Regular file that its owner may read and write, as Unix keeps it in the upper half. */
const ownerOnly = (0o100600 << 16) >>> 0;

/** Date and time as MS-DOS writes them, in UTC and steps of two seconds. */
const dosTime = (at: Date): readonly [time: number, date: number] => [
  (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
];

/** Concatenates numbers of two or four bytes, least significant byte first. */
function fields(...numbers: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  const buffer = Buffer.alloc(numbers.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of numbers) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
}

export function zipOf(files: readonly ZippedFile[], at: Date): Buffer {
  const [time, date] = dosTime(at);
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of files) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const path = Buffer.from(name);
    const about = [
      ...([
        [2, flags],
        [2, deflated],
        [2, time],
        [2, date],
      ] as const),
      ...([
        [4, crc32(bytes)],
        [4, packed.length],
        [4, bytes.length],
        [2, path.length],
        [2, 0],
      ] as const),
    ] as const;
    const head = fields([4, localHeader], [2, version], ...about);
    local.push(head, path, packed);
    const made = (3 << 8) | version; // by Unix
    const place = [
      [2, 0],
      [2, 0],
      [2, 0],
      [4, ownerOnly],
      [4, offset],
    ] as const;
    central.push(fields([4, centralHeader], [2, made], [2, version], ...about, ...place), path);
    offset += head.length + path.length + packed.length;
  }
  const directory = Buffer.concat(central);
  const count = [
    [2, files.length],
    [2, files.length],
  ] as const;
  const end = fields([4, endOfCentral], [2, 0], [2, 0], ...count, [4, directory.length], [4, offset], [2, 0]);
  return Buffer.concat([...local, directory, end]);
}
