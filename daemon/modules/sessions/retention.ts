/** Transcripts are kept for as many days as the project's settings say, those of minors for less; then they are deleted. */

import type { Database } from '../../platform/database/database.js';
import type { PersonalData } from '../../platform/scheduler/keep-personal-data.js';
import type { Clock } from '../../platform/time/clock.js';
import { dayMs } from '../../platform/time/spans.js';
import type { SettingsStore } from '../projects/settings/store.js';
import type { MessageStore } from './message-store.js';
import type { TranscriptErasure } from './transcript-erasure.js';

const jobName = 'transcript-retention';

export class TranscriptRetention implements PersonalData {
  readonly kind = 'messages';

  constructor(
    private readonly database: Database,
    private readonly messages: MessageStore,
    private readonly settings: Pick<SettingsStore, 'keptTranscripts' | 'keptOfMinors'>,
    private readonly erasure: TranscriptErasure,
    private readonly now: Clock,
  ) {}

  /** Deletes up to `limit` messages that are too old; returns how many. */
  async prune(limit: number): Promise<number> {
    let removed = 0;
    for (const { projectId, transcriptRetentionDays: days } of await this.settings.keptTranscripts()) {
      const before = new Date(this.now().getTime() - days * dayMs);
      removed += await this.removeSome(projectId, before, limit - removed, false);
      if (removed === limit) return removed;
    }
    for (const { projectId, minorsTranscriptRetentionDays: days } of await this.settings.keptOfMinors()) {
      const before = new Date(this.now().getTime() - days * dayMs);
      removed += await this.removeSome(projectId, before, limit - removed, true);
      if (removed === limit) return removed;
    }
    return removed;
  }

  private async removeSome(projectId: string, before: Date, limit: number, ofMinors: boolean): Promise<number> {
    if (!(await this.messages.hasBefore(projectId, before, ofMinors))) return 0;
    return this.database.transaction(async (tx) => {
      if (!(await this.database.isAlone(tx, jobName))) return 0;
      const rows = await this.messages.before(tx, projectId, before, limit, ofMinors);
      await this.erasure.messages(tx, projectId, rows);
      return rows.length;
    });
  }
}
