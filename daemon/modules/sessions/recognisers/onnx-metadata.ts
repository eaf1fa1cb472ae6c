/** Reads an entry of the metadata of an ONNX file without loading it. */
import { open } from 'node:fs/promises';

/** Writers of ONNX files put the metadata last, which is field 14; some put it first. */
const readBytes = 1024 * 1024;
/** Tag of the value in an entry of metadata: field 2, length-delimited (protobuf encoding). */
const valueTag = 0x12;

/** Value of the first entry with this key; null: there is none, or no file. */
export async function metadataOf(path: string, key: string): Promise<string | null> {
  const file = await open(path).catch(() => null); // loading the model says what is wrong
  if (file === null) return null;
  try {
    const { size } = await file.stat();
    for (const position of [Math.max(0, size - readBytes), 0]) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, readBytes)), { position });
      const value = valueAfter(Buffer.from(key), buffer.subarray(0, bytesRead));
      if (value !== null) return value;
    }
    return null;
  } finally {
    await file.close();
  }
}

function valueAfter(key: Buffer, bytes: Buffer): string | null {
  const found = bytes.indexOf(key);
  let at = found + key.length;
  if (found < 0 || bytes[at++] !== valueTag) return null;
  let length = 0;
  for (let shift = 0; shift <= 14; shift += 7) {
    const byte = bytes[at++] ?? 0;
    length |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return bytes.toString('latin1', at, at + length);
}
