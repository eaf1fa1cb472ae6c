/** What the recognisers need of the settings. */
import type { Settings } from '../config/schema.js';
import type { TranscriberSettings } from '../voice/transcribers/select.js';

export const transcriberSettings = (settings: Settings, dataDir: string): TranscriberSettings => ({
  choice: settings.EARSHOT_TRANSCRIBER,
  dataDir,
  openai: {
    baseUrl: settings.EARSHOT_OPENAI_BASE_URL ?? null,
    apiKey: settings.EARSHOT_OPENAI_API_KEY?.reveal() ?? null,
    model: settings.EARSHOT_OPENAI_MODEL,
  },
  sherpaModelDir: settings.EARSHOT_SHERPA_MODEL_DIR ?? null,
});
