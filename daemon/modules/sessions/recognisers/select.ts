/** Chooses the recogniser that EARSHOT_TRANSCRIBER asks for; `auto` takes the first that is configured and works. */
import { availableParallelism } from 'node:os';
import { ignoreFaults, type OnFault } from '../../../platform/processes/watched-process.js';
import { PocketsphinxTranscriber } from './pocketsphinx.js';
import { installedSherpaModel, SherpaTranscriber, sherpaModelsDir } from './sherpa.js';
import type { Transcriber } from './transcriber.js';

const transcriberChoices = ['auto', 'openai', 'openai-realtime', 'sherpa', 'pocketsphinx', 'off'] as const;

export interface TranscriberSettings {
  choice: (typeof transcriberChoices)[number];
  /** Folders of recognisers that were installed; the first is the data folder's own. */
  speechDirs: readonly string[];
  openai: { baseUrl: string | null; apiKey: string | null; model: string };
  /** Null: the first model that was installed. */
  sherpaModelDir: string | null;
  /** Name of the folder of the installed model to use; left out: the first. */
  wantedModel?: string | undefined;
}

/** The chosen recogniser, not started yet, and what operators call it; or two sentences: what is missing and what to do. */
type RecogniserSelection =
  | { transcriber: Transcriber; label: string }
  | { transcriber: null; reason: string; remedy: string };

const openAiRequestsMax = 8;
/** Each takes a core and about 100 MB. */
const decodersMax = 8;

/** One core is left to the rest of the daemon. */
export const decoderCount = (): number => Math.min(Math.max(availableParallelism() - 1, 1), decodersMax);

/**
 * Tries the candidates in order, for real: takes from a fraction of a second (pocketsphinx) to as long as a model
 * loads.
 */
export async function selectTranscriber(
  settings: TranscriberSettings,
  onFault: OnFault = ignoreFaults,
): Promise<RecogniserSelection> {
  if (settings.choice === 'off') {
    return {
      transcriber: null,
      reason: 'Speech recognition is switched off.',
      remedy: 'Set EARSHOT_TRANSCRIBER=auto.',
    };
  }
  const failures: { reason: string; remedy: string }[] = [];
  for (const transcriber of await candidates(settings, onFault)) {
    const probe = await transcriber.probe();
    if (probe.ok) return { transcriber, label: transcriber.label ?? transcriber.name };
    failures.push(probe);
  }
  return {
    transcriber: null,
    reason: failures.map(({ reason }) => reason).join(' '),
    remedy: failures.at(-1)?.remedy ?? '',
  };
}

/** In `auto`, only configured recognisers are tried; pocketsphinx needs no configuration. */
async function candidates(settings: TranscriberSettings, onFault: OnFault): Promise<Transcriber[]> {
  const { choice, speechDirs, openai } = settings;
  const auto = choice === 'auto';
  const modelDir = settings.sherpaModelDir ?? (await installedSherpaModel(speechDirs, settings.wantedModel));
  const found: Transcriber[] = [];
  if (choice === 'openai' || (auto && (openai.baseUrl !== null || openai.apiKey !== null))) {
    const { OpenAiTranscriber } = await import('./openai.js'); // a large package that few daemons need
    found.push(new OpenAiTranscriber({ ...openai, requestsMax: openAiRequestsMax }));
  }
  if (choice === 'openai-realtime') {
    const { OpenAiRealtimeTranscriber } = await import('./openai-realtime.js');
    found.push(new OpenAiRealtimeTranscriber({ ...openai, requestsMax: openAiRequestsMax }));
  }
  if (choice === 'sherpa' || (auto && modelDir !== null)) {
    found.push(
      new SherpaTranscriber(
        { modelDir: modelDir ?? sherpaModelsDir(speechDirs[0] ?? ''), threads: decoderCount() },
        onFault,
      ),
    );
  }
  if (choice === 'pocketsphinx' || auto)
    found.push(new PocketsphinxTranscriber({ speechDirs, decoders: decoderCount() }, onFault));
  return found;
}
