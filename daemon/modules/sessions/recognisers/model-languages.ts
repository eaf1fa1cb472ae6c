/** Languages that a model can be told to expect. One that it does not know would end its process. */
import { open } from 'node:fs/promises';
import type { SherpaModelConfig } from './sherpa-model.js';

/** Writers of ONNX files put the metadata last, which is field 14; some put it first. */
const readBytes = 1024 * 1024;
/** Key of the list in the metadata of Whisper models, such as `en,de,fr`. */
const whisperKey = Buffer.from('all_language_codes');
/** As the library names them in its table; other names are `auto`. */
const senseVoice = ['zh', 'en', 'ja', 'ko', 'yue'];
/** Tag of the value in an entry of metadata: field 2, length-delimited (protobuf encoding). */
const valueTag = 0x12;

/** Codes without a region; empty: the model takes none. */
export async function languagesOf(config: SherpaModelConfig | null): Promise<ReadonlySet<string>> {
  if (config?.senseVoice !== undefined) return new Set(senseVoice);
  const whisper = config?.whisper;
  if (typeof whisper !== 'object' || whisper.encoder === undefined) return new Set();
  return new Set(await listIn(whisper.encoder));
}

async function listIn(path: string): Promise<string[]> {
  const file = await open(path).catch(() => null); // loading the model says what is wrong
  if (file === null) return [];
  try {
    const { size } = await file.stat();
    for (const position of [Math.max(0, size - readBytes), 0]) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, readBytes)), { position });
      const list = listAfterKey(buffer.subarray(0, bytesRead));
      if (list !== null) return list;
    }
    return [];
  } finally {
    await file.close();
  }
}

function listAfterKey(bytes: Buffer): string[] | null {
  const found = bytes.indexOf(whisperKey);
  let at = found + whisperKey.length;
  if (found < 0 || bytes[at++] !== valueTag) return null;
  let length = 0;
  for (let shift = 0; shift <= 14; shift += 7) {
    const byte = bytes[at++] ?? 0;
    length |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return bytes
    .toString('latin1', at, at + length)
    .split(',')
    .filter((code) => /^[a-z]{2,3}$/.test(code));
}
