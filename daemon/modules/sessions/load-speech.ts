/** The recogniser that the settings ask for, tried and started; what is missing is logged once, with what to do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TroubleReport } from '../../platform/observability/condition.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { OnFault } from '../../platform/processes/watched-process.js';
import { loadVoiceActivity } from './bot/voice-activity.js';
import type { Speech } from './recogniser-lookup.js';
import {
  type RecognitionLimit,
  RecognitionQueue,
  type RecognitionQueueOptions,
} from './recognisers/recognition-queue.js';
import { selectTranscriber, type TranscriberSettings } from './recognisers/select.js';
import type { Transcriber } from './recognisers/transcriber.js';

/** A recogniser that was replaced finishes what waits for it, for so long at most. */
const retireMs = 60_000;
const retireStepMs = 500;

export class SpeechLoader {
  private active: {
    readonly transcriber: Transcriber;
    readonly label: string;
    readonly queue: RecognitionQueue;
  } | null = null;
  /** Recognisers that finish what they were given. */
  private readonly replaced = new Set<Transcriber>();
  private missing: string | null = null;
  private readonly failure: TroubleReport;
  private readonly overload: TroubleReport;

  constructor(
    private readonly settings: TranscriberSettings & { readonly limit: RecognitionLimit },
    private readonly log: Logger,
    private readonly onFault: OnFault,
    private readonly onSettled: RecognitionQueueOptions['onSettled'],
  ) {
    const begins = 'the speech recogniser fails: what is said now is not written down';
    this.failure = new TroubleReport(log, { begins, ends: 'the speech recogniser works again' });
    this.overload = new TroubleReport(log, {
      begins: 'more is said than the speech recogniser keeps up with: the newest utterances are not written down',
      ends: 'the speech recogniser keeps up again',
    });
  }

  /** To be called again when a recogniser may have been installed; the queue is the same one where nothing else is chosen. */
  async load(): Promise<Speech> {
    const newDetector = await loadVoiceActivity();
    const selection = await selectTranscriber(this.settings, this.onFault);
    if (selection.transcriber === null) {
      const { reason, remedy } = selection;
      if (reason !== this.missing) this.log.error({ reason }, `no speech is recognised: ${reason} ${remedy}`);
      this.missing = reason;
      return { queue: null, newDetector };
    }
    const { transcriber, label } = selection;
    const before = this.active;
    if (before !== null && before.label === label) return { queue: before.queue, newDetector };
    await transcriber.start();
    const engine = transcriber.name;
    const queue = new RecognitionQueue(transcriber, {
      limit: this.settings.limit,
      onOutcome: (reason) => this.failure.set(reason === null ? null : { engine, reason }),
      onSettled: this.onSettled,
      onFull: (waiting) => this.overload.set(waiting === null ? null : { engine, waiting }),
    });
    this.missing = null;
    this.active = { transcriber, label, queue };
    this.log.info({ engine: transcriber.name }, `speech recogniser is ready: ${label}`);
    if (before !== null) void this.retire(before);
    return { queue, newDetector };
  }

  private async retire({ transcriber, queue }: NonNullable<SpeechLoader['active']>): Promise<void> {
    this.replaced.add(transcriber);
    for (let waitedMs = 0; queue.size > 0 && waitedMs < retireMs; waitedMs += retireStepMs)
      await sleep(retireStepMs, undefined, { ref: false });
    await transcriber.stop();
    this.replaced.delete(transcriber);
  }

  async stop(): Promise<void> {
    await Promise.all([this.active?.transcriber, ...this.replaced].map((one) => one?.stop()));
  }
}
