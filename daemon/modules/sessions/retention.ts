/**
 * Transcripts are kept for as many days as the project's settings say; then they are deleted, with their sound, log
 * entries and deliveries.
 */
import type { Clock } from '../../platform/clock.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { MessageStore } from './message-store.js';
import type { Recordings } from './removal.js';

export interface KeptTranscripts {
  readonly projectId: string;
  readonly transcriptRetentionDays: number;
}

/** Events of the log, and deliveries, about messages. */
export type ForgetMessages = (
  tx: Transaction,
  projectId: string,
  messages: readonly { readonly id: string; readonly externalUserId: string | null }[],
) => Promise<void>;

const dayMs = 86_400_000;
const jobName = 'transcript-retention';

export class TranscriptRetention {
  constructor(
    private readonly database: Database,
    private readonly messages: MessageStore,
    /** The projects that delete transcripts after a time. */
    private readonly kept: () => Promise<KeptTranscripts[]>,
    private readonly recordings: Recordings,
    private readonly forget: ForgetMessages,
    private readonly now: Clock,
  ) {}

  /** Deletes messages that are too old, up to `limit` in a transaction; returns how many there were. */
  async prune(limit: number): Promise<number> {
    let removed = 0;
    for (const { projectId, transcriptRetentionDays: days } of await this.kept()) {
      const before = new Date(this.now().getTime() - days * dayMs);
      for (let count = limit; count === limit; removed += count)
        count = await this.removeSome(projectId, before, limit);
    }
    return removed;
  }

  private async removeSome(projectId: string, before: Date, limit: number): Promise<number> {
    if (!(await this.messages.hasBefore(projectId, before))) return 0;
    return this.database.transaction(async (tx) => {
      if (!(await this.database.isAlone(tx, jobName))) return 0;
      const rows = await this.messages.before(tx, projectId, before, limit);
      await this.forget(tx, projectId, rows);
      await this.messages.remove(
        tx,
        rows.map(({ id }) => id),
      );
      // Before the commit: sound that is deleted too early is no breach, sound that stays would be.
      for (const { audioFile } of rows) if (audioFile !== null) await this.recordings.remove(audioFile);
      return rows.length;
    });
  }
}

/** Removes their data from the log and from deliveries. */
export const forgetMessages =
  (forgetting: {
    resources(
      tx: Transaction,
      projectId: string,
      resources: readonly { readonly subjectUserId: string | null; readonly resourceId: string }[],
    ): Promise<void>;
  }): ForgetMessages =>
  (tx, projectId, messages) =>
    forgetting.resources(
      tx,
      projectId,
      messages.map(({ id, externalUserId: subjectUserId }) => ({ subjectUserId, resourceId: `message:${id}` })),
    );
