/** Stores what bots heard: the text, and the sound where the project keeps debug audio. */
import { LRUCache } from 'lru-cache';
import type { Session } from '../../../src/contract/sessions/sessions.js';
import { atMost } from '../../platform/collections/at-most.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { RecognizedUtterance } from './bot/bot.js';
import type { PersonInRoom } from './heard-rooms.js';
import type { HeardUtterance } from './transcripts.js';
import { type SpeechThresholds, unheardReason } from './unheard.js';

/** Stores recognised utterances in the transcript. */
export interface Transcripts {
  /** null: it was not stored. */
  append(session: Session, heard: HeardUtterance): Promise<object | null>;
}

/** Tells whether the project keeps debug audio, and which lines it trusts; null without settings. */
export interface UtteranceSettings {
  open(projectId: string): Promise<({ readonly debugAudioEnabled: boolean } & SpeechThresholds) | null>;
}

/** Stores debug audio; null: it is not kept. */
export interface KeptRecordings {
  write(pcm: Int16Array): Promise<string | null>;
  remove(name: string): Promise<void>;
}

const noThresholds: SpeechThresholds = { speechConfidenceMin: null, noSpeechProbabilityMax: null };

/** Projects and recognisers of which was warned; after so many others, one is warned of again. */
const warnedMax = 1_000;

export class HeardUtterances {
  private readonly warned = new LRUCache<string, true>(atMost(warnedMax));

  constructor(
    private readonly transcripts: Transcripts,
    private readonly settings: UtteranceSettings,
    private readonly recordings: KeptRecordings,
    private readonly log: Logger,
  ) {}

  /** Returns the message; null: there is none, because the speaker or the session is erased. */
  async store(
    session: Session,
    { audio, ...transcript }: RecognizedUtterance,
    people: readonly PersonInRoom[],
  ): Promise<object | null> {
    const speaker = people.find(({ externalUserId }) => externalUserId === transcript.externalUserId);
    const displayName = speaker?.name ?? null;
    const audioFile = await this.keep(session, audio);
    const asr = await this.judged(session, transcript);
    const message = await this.transcripts.append(session, { ...transcript, asr, displayName, audioFile });
    if (message === null && audioFile !== null) await this.recordings.remove(audioFile);
    return message;
  }

  /** The recogniser's report, and whether plugins and rules may read the line. */
  private async judged(
    { projectId }: Session,
    { asr, content, language, startMs, endMs }: Omit<RecognizedUtterance, 'audio'>,
  ): Promise<HeardUtterance['asr']> {
    if (asr === null) return null;
    const thresholds = (await this.settings.open(projectId)) ?? noThresholds;
    this.warnOfUnstated(projectId, asr, thresholds);
    return { ...asr, unheard: unheardReason(content, language, { ...asr, spokenMs: endMs - startMs }, thresholds) };
  }

  /** A threshold has no effect where the recogniser states no number: says so once for each. */
  private warnOfUnstated(
    projectId: string,
    { engine, confidence, noSpeechProbability }: NonNullable<RecognizedUtterance['asr']>,
    { speechConfidenceMin, noSpeechProbabilityMax }: SpeechThresholds,
  ): void {
    const unstated = [
      ...(speechConfidenceMin !== null && confidence === null ? ['speechConfidenceMin'] : []),
      ...(noSpeechProbabilityMax !== null && noSpeechProbability === null ? ['noSpeechProbabilityMax'] : []),
    ];
    for (const setting of unstated) {
      const key = `${projectId} ${engine} ${setting}`;
      if (this.warned.has(key)) continue;
      this.warned.set(key, true);
      const fields = { projectId, engine, setting };
      this.log.warn(fields, 'a threshold of the project has no effect: the recogniser states no such number');
    }
  }

  /**
   * Name of the recording where the project keeps debug audio. The text matters more: it is stored even when the
   * recording fails.
   */
  private async keep({ id, projectId }: Session, audio: Int16Array): Promise<string | null> {
    try {
      if ((await this.settings.open(projectId))?.debugAudioEnabled !== true) return null;
      const name = await this.recordings.write(audio);
      if (name === null) this.log.warn({ sessionId: id }, 'debug audio is full (EARSHOT_DEBUG_AUDIO_QUOTA_MB)');
      return name;
    } catch (error) {
      this.log.error({ err: error, sessionId: id }, 'debug audio could not be written');
      return null;
    }
  }
}
