/** Erases people from runs and summaries, and deletes what is too old: summaries repeat what was said, and runs are about a person. */

import type { Database, Transaction } from '../../platform/database/database.js';
import type { ResourceRedaction } from '../../platform/events/redaction.js';
import type { PersonErasure, PersonMoveSteps } from '../../platform/module.js';
import type { MovingPerson } from '../../platform/moving-person.js';
import type { Clock } from '../../platform/time/clock.js';
import { dayMs } from '../../platform/time/spans.js';
import type { SettingsStore } from '../projects/settings/store.js';
import type { TranscriptReader } from '../sessions/transcript-reader.js';
import type { ActionStore } from './actions/action-store.js';
import type { AnnotationStore } from './annotations/annotation-store.js';

interface PluginErasureNeeds {
  readonly database: Database;
  readonly actions: ActionStore;
  readonly annotations: AnnotationStore;
  readonly now: Clock;
  readonly transcripts: Pick<TranscriptReader, 'spokenIn'>;
  readonly events: ResourceRedaction;
  readonly settings: Pick<SettingsStore, 'keptTranscripts'>;
}

interface ErasedSpeaker {
  readonly externalUserId: string;
}

export class PluginErasure implements PersonErasure, PersonMoveSteps {
  constructor(private readonly needs: PluginErasureNeeds) {}

  inBatches(projectId: string, person: ErasedSpeaker): Promise<void> {
    return this.needs.database.transaction((tx) => this.afterLog(tx, projectId, person));
  }

  /** Called before their messages are deleted, with which the annotations of these go. */
  async afterLog(tx: Transaction, projectId: string, { externalUserId }: ErasedSpeaker): Promise<void> {
    const sessionIds = await this.needs.transcripts.spokenIn(tx, projectId, externalUserId);
    await this.needs.actions.beginAgain(tx, projectId, sessionIds, this.needs.now());
    await this.needs.annotations.removeOfSessions(tx, sessionIds);
    await this.redactEvents(tx, projectId, sessionIds);
  }

  /** Called before their messages have the other external user id. */
  async merge(tx: Transaction, person: MovingPerson): Promise<void> {
    const known = person.joinedId === null ? [person.from] : [person.from, person.to];
    for (const externalUserId of known)
      await this.needs.annotations.reassign(
        tx,
        person,
        await this.needs.transcripts.spokenIn(tx, person.projectId, externalUserId),
      );
  }

  /** Deletes summaries as old as transcripts may be, up to `limit` in a project; returns how many there were. */
  async pruneSummaries(limit: number): Promise<number> {
    let removed = 0;
    for (const { projectId, transcriptRetentionDays: days } of await this.needs.settings.keptTranscripts()) {
      const before = new Date(this.needs.now().getTime() - days * dayMs);
      removed += await this.needs.database.transaction(async (tx) => {
        const rows = await this.needs.annotations.beforeInSessions(tx, projectId, before, limit);
        if (rows.length === 0) return 0;
        await this.redactEvents(tx, projectId, [...new Set(rows.map(({ sessionId }) => sessionId))]);
        await this.needs.annotations.remove(
          tx,
          rows.map(({ id }) => id),
        );
        return rows.length;
      });
    }
    return removed;
  }

  private async redactEvents(tx: Transaction, projectId: string, sessionIds: readonly string[]): Promise<void> {
    const resources = sessionIds.map((id) => ({ subjectUserId: null, resourceId: `session:${id}` }));
    await this.needs.events.resources(tx, projectId, resources, ({ payload }) => payload.includes('"pluginSlug"'));
  }
}
