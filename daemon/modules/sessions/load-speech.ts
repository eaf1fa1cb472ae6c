/** The recogniser that the settings ask for, tried and started; what is missing is logged once, with what to do. */
import type { Logger } from '../../platform/observability/logger.js';
import type { OnFault } from '../../platform/processes/watched-process.js';
import { loadVoiceActivity } from './bot/voice-activity.js';
import type { Speech } from './recogniser-lookup.js';
import { RecognitionQueue } from './recognisers/recognition-queue.js';
import { selectTranscriber, type TranscriberSettings } from './recognisers/select.js';
import type { Transcriber } from './recognisers/transcriber.js';

export class SpeechLoader {
  private transcriber: Transcriber | null = null;
  private missing: string | null = null;

  constructor(
    private readonly settings: TranscriberSettings,
    private readonly log: Logger,
    private readonly onFault: OnFault,
  ) {}

  /** To be called again while there is no queue: a recogniser may have been installed in the meantime. */
  async load(): Promise<Speech> {
    const newDetector = await loadVoiceActivity();
    const selection = await selectTranscriber(this.settings, this.onFault);
    if (selection.transcriber === null) {
      const { reason, remedy } = selection;
      if (reason !== this.missing) this.log.warn({ reason }, `no speech is recognised: ${reason} ${remedy}`);
      this.missing = reason;
      return { queue: null, newDetector };
    }
    await selection.transcriber.start();
    this.transcriber = selection.transcriber;
    this.log.info({ engine: selection.transcriber.name }, 'speech recogniser is ready');
    return { queue: new RecognitionQueue(selection.transcriber), newDetector };
  }

  async stop(): Promise<void> {
    await this.transcriber?.stop();
  }
}
