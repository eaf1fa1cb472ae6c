// Recordings of a folder (WAV, FLAC, Ogg Opus), each with what was said in a text file of the same name.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { OggOpusDecoder } from 'ogg-opus-decoder';
import { readWav } from '#dist/src/voice.js';

async function decoded(Decoder, bytes) {
  const decoder = new Decoder();
  await decoder.ready;
  try {
    const { channelData, samplesDecoded: length, sampleRate: rate } = await decoder.decodeFile(bytes);
    if (length === 0) throw new Error('holds no sound that can be read');
    const at = (index) => channelData.reduce((sum, channel) => sum + (channel[index] ?? 0), 0) / channelData.length;
    return { rate, length, at };
  } finally {
    decoder.free();
  }
}

const readers = {
  '.wav': readWav,
  '.flac': (bytes) => decoded(FLACDecoder, bytes),
  '.opus': (bytes) => decoded(OggOpusDecoder, bytes),
};

/** Throws where the folder has none; a recording without a text is left out, and named. */
export async function ownClips(folder) {
  const clips = [];
  for (const file of readdirSync(folder).sort()) {
    const read = readers[extname(file).toLowerCase()];
    if (read === undefined) continue;
    const text = join(folder, `${basename(file, extname(file))}.txt`);
    if (!existsSync(text)) {
      console.log(`${file} is left out: ${text} is missing.`);
      continue;
    }
    try {
      clips.push({ words: readFileSync(text, 'utf8'), recording: await read(readFileSync(join(folder, file))) });
    } catch (error) {
      console.log(`${file} is left out: ${error.message}`);
    }
  }
  if (clips.length === 0)
    throw new Error(`${folder} has no recordings (.wav, .flac, .opus) with a .txt of the same name.`);
  return clips;
}
