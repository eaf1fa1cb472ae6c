/** Detects from the file names in a folder which kind of sherpa-onnx model it holds, and its configuration. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { metadataOf } from './onnx-metadata.js';

/**
 * The library's `OfflineModelConfig`: `tokens`, and one family with the paths of its files. Of a model that hears while people speak,
 * `streamingTransducer`, and `chunkFrames`, how many frames of 10 ms it takes at a time.
 */
export type SherpaModelConfig = { tokens: string } & Record<string, string | Record<string, string>>;

interface Family {
  key: string;
  /** The library's name of a file → the last word of its name in the folder. */
  files: Record<string, string>;
}

/** The family with the most files comes first: a transducer's folder would also pass for Whisper's. */
const families: Family[] = [
  {
    key: 'moonshine',
    files: {
      preprocessor: 'preprocess',
      encoder: 'encode',
      uncachedDecoder: 'uncached_decode',
      cachedDecoder: 'cached_decode',
    },
  },
  { key: 'moonshine', files: { encoder: 'encoder_model', mergedDecoder: 'decoder_model_merged' } },
  { key: 'transducer', files: { encoder: 'encoder', decoder: 'decoder', joiner: 'joiner' } },
  { key: 'whisper', files: { encoder: 'encoder', decoder: 'decoder' } },
  { key: 'senseVoice', files: { model: 'model' } },
];

/** Configuration for the model in `folder`, or null when it holds none that is known. */
export async function detectSherpaModel(folder: string): Promise<SherpaModelConfig | null> {
  const config = sherpaModelFrom(await readdir(folder).catch(() => []), folder);
  if (isMerged(config) && !(await hasBase64Tokens(config.tokens))) return null;
  if (typeof config?.transducer !== 'object') return config;
  const { tokens, transducer } = config;
  const chunkFrames = await metadataOf(transducer.encoder ?? '', 'decode_chunk_len');
  return chunkFrames === null ? config : { tokens, streamingTransducer: transducer, chunkFrames };
}

/** Returns the file of a Silero voice activity detector that lies with a model, or null. Of several, the last by name. */
export async function sileroIn(folder: string): Promise<string | null> {
  const names = await readdir(folder).catch(() => []);
  const file = names
    .filter((name) => /^silero_vad.*\.onnx$/.test(name))
    .toSorted()
    .at(-1);
  return file === undefined ? null : join(folder, file);
}

/** Moonshine with one decoder; other models are exported under the same file names, with tokens of another form. */
const isMerged = (config: SherpaModelConfig | null): config is SherpaModelConfig =>
  typeof config?.moonshine === 'object' && 'mergedDecoder' in config.moonshine;

/** True if the first token is in Base64, as the library wants those of this family. */
async function hasBase64Tokens(file: string): Promise<boolean> {
  const [first = ''] = (await readFile(file, 'utf8').catch(() => '')).split('\t', 1);
  return first !== '' && Buffer.from(first, 'base64').toString('base64') === first;
}

/**
 * Pure part of `detectSherpaModel`. File names may begin with the model's name (`tiny.en-encoder.onnx`), have a suffix
 * (`encoder-epoch-99-avg-1.onnx`), and be quantised (`encoder.int8.onnx`), which is preferred: smaller and faster. Of several, the
 * first by name.
 */
export function sherpaModelFrom(listed: readonly string[], folder: string): SherpaModelConfig | null {
  const names = listed.toSorted();
  const tokens = names.find((name) => /(^|-)tokens\.txt$/.test(name));
  if (tokens === undefined) return null;
  for (const { key, files } of families) {
    const found = Object.entries(files).map(([role, word]) => [role, fileOf(names, word)] as const);
    if (found.some(([, name]) => name === undefined)) continue;
    const paths = Object.fromEntries(found.map(([role, name]) => [role, join(folder, name ?? '')]));
    return { tokens: join(folder, tokens), [key === 'senseVoice' && isCtc(folder) ? 'nemoCtc' : key]: paths };
  }
  return null;
}

function fileOf(names: readonly string[], word: string): string | undefined {
  const candidates = names.filter((name) => new RegExp(`(^|-)${word}(or|r)?(-[\\w.-]+)?(\\.int8)?\\.onnx$`).test(name));
  return candidates.find((name) => name.endsWith('.int8.onnx')) ?? candidates[0];
}

/** A single `model.onnx` is SenseVoice's unless the folder's name says CTC. */
const isCtc = (folder: string): boolean => /ctc/i.test(folder);
