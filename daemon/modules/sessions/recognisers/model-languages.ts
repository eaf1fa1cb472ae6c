/** Languages that models know, and those that a model can be told to expect: one that it does not know would end its process. */
import { metadataOf } from './onnx-metadata.js';
import { detectSherpaModel, type SherpaModelConfig } from './sherpa-model.js';

/** As the library names them in its table; other names are `auto`. */
const senseVoice = ['zh', 'en', 'ja', 'ko', 'yue'];

/** Languages of Whisper's models, as its tokenizer lists them. */
export const whisperLanguages: readonly string[] = (
  'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv ' +
  'bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt ' +
  'sa lb my bo tl mg as tt haw ln ha ba jw su yue'
).split(' ');

/** Codes without a region; empty: the model takes none. */
export async function languagesOf(config: SherpaModelConfig | null): Promise<ReadonlySet<string>> {
  if (config?.senseVoice !== undefined) return new Set(senseVoice);
  const encoder = whisperEncoder(config);
  if (encoder === null || (await metadataOf(encoder, 'is_multilingual')) === '0') return new Set();
  const list = (await metadataOf(encoder, 'all_language_codes')) ?? ''; // such as `en,de,fr`
  return new Set(list.split(',').filter((code) => /^[a-z]{2,3}$/.test(code)));
}

/** Returns the languages that the model in a folder knows; null: neither its kind nor its metadata says. */
export async function languagesKnownBy(folder: string): Promise<readonly string[] | null> {
  const config = await detectSherpaModel(folder);
  const encoder = whisperEncoder(config);
  if (encoder !== null && (await metadataOf(encoder, 'is_multilingual')) === '0') return ['en'];
  const named = [...(await languagesOf(config))];
  return named.length > 0 ? named : encoder === null ? null : whisperLanguages;
}

function whisperEncoder(config: SherpaModelConfig | null): string | null {
  const whisper = config?.whisper;
  return typeof whisper === 'object' ? (whisper.encoder ?? null) : null;
}
