/** The settings that recognisers need. */
import { join, resolve } from 'node:path';
import type { Settings } from '../../platform/config/schema.js';
import type { RecognitionLimit } from './recognisers/recognition-queue.js';
import type { TranscriberSettings } from './recognisers/select.js';
import { catalogue, folderOf } from './speech-install/catalogue.js';
import { sharedSpeechDir } from './speech-install/places.js';

/**
 * Returns the folders in which recognisers may be installed: first the data folder's own, then the one that all daemons
 * of the account share.
 */
export const speechDirsOf = (
  { EARSHOT_SPEECH_DIR: shared }: Settings,
  dataDir: string,
): [own: string, shared: string] => [
  join(dataDir, 'speech'),
  shared === undefined ? sharedSpeechDir() : resolve(shared),
];

/** How long the recogniser may take for an utterance. */
export const recognitionLimitOf = (settings: Settings): RecognitionLimit => ({
  seconds: settings.EARSHOT_RECOGNITION_SECONDS,
  factor: settings.EARSHOT_RECOGNITION_FACTOR,
});

/** Folder of the model that the set-up installs by name; undefined: it installs the usual one, or none of the list. */
function folderOfNamed(wanted: Settings['EARSHOT_SPEECH_INSTALL']): string | undefined {
  const model = catalogue.find(({ name }) => name === wanted);
  return model === undefined ? undefined : folderOf(model);
}

export const transcriberSettings = (settings: Settings, dataDir: string): TranscriberSettings => ({
  choice: settings.EARSHOT_TRANSCRIBER,
  speechDirs: speechDirsOf(settings, dataDir),
  openai: {
    baseUrl: settings.EARSHOT_OPENAI_BASE_URL ?? null,
    apiKey: settings.EARSHOT_OPENAI_API_KEY?.reveal() ?? null,
    model: settings.EARSHOT_OPENAI_MODEL,
  },
  sherpaModelDir: settings.EARSHOT_SHERPA_MODEL_DIR ?? null,
  wantedModel: folderOfNamed(settings.EARSHOT_SPEECH_INSTALL),
});
