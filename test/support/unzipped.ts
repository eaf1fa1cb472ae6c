/** Reads a ZIP archive by its central directory, as programs that unpack one do. */
import { crc32, inflateRawSync } from 'node:zlib';

/** Throws where lengths or checksums disagree. */
export function unzipped(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = archive.lastIndexOf(Buffer.from('504b0506', 'hex'));
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [sum, packed, size] = [at + 16, at + 20, at + 24].map((place) => archive.readUInt32LE(place));
    const [name, extra, comment] = [at + 28, at + 30, at + 32].map((place) => archive.readUInt16LE(place));
    const local = archive.readUInt32LE(at + 42);
    const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const content = inflateRawSync(archive.subarray(begin, begin + (packed ?? 0)));
    if (content.length !== size || crc32(content) !== sum) throw new Error('The archive is damaged.');
    files.set(archive.toString('utf8', at + 46, at + 46 + (name ?? 0)), content);
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}
