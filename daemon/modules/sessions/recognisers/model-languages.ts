/** Languages that a model can be told to expect. One that it does not know would end its process. */
import { metadataOf } from './onnx-metadata.js';
import type { SherpaModelConfig } from './sherpa-model.js';

/** As the library names them in its table; other names are `auto`. */
const senseVoice = ['zh', 'en', 'ja', 'ko', 'yue'];

/** Codes without a region; empty: the model takes none. */
export async function languagesOf(config: SherpaModelConfig | null): Promise<ReadonlySet<string>> {
  if (config?.senseVoice !== undefined) return new Set(senseVoice);
  const whisper = config?.whisper;
  if (typeof whisper !== 'object' || whisper.encoder === undefined) return new Set();
  const list = (await metadataOf(whisper.encoder, 'all_language_codes')) ?? ''; // such as `en,de,fr`
  return new Set(list.split(',').filter((code) => /^[a-z]{2,3}$/.test(code)));
}
