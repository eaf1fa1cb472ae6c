/** Deletes messages with everything that repeats them: their sound, and their data in the log and in deliveries. */
import type { Transaction } from '../../platform/database/database.js';
import type { ResourceRedaction } from '../../platform/events/redaction.js';
import type { IdempotencyStore } from '../../platform/idempotency/store.js';
import type { MessageRow, MessageStore } from './message-store.js';
import type { Recordings } from './removal.js';

export class TranscriptErasure {
  constructor(
    private readonly store: MessageStore,
    private readonly recordings: Recordings,
    private readonly events: ResourceRedaction,
    private readonly answers: Pick<IdempotencyStore, 'redactNaming'>,
  ) {}

  async messages(
    tx: Transaction,
    projectId: string,
    rows: readonly Pick<MessageRow, 'id' | 'externalUserId' | 'audioFile'>[],
  ): Promise<void> {
    await this.events.resources(
      tx,
      projectId,
      rows.map(({ id, externalUserId: subjectUserId }) => ({ subjectUserId, resourceId: `message:${id}` })),
    );
    await this.store.remove(
      tx,
      rows.map(({ id }) => id),
    );
    // Before the commit: sound that is deleted too early is no breach, sound that stays would be.
    for (const { audioFile } of rows) if (audioFile !== null) await this.recordings.remove(audioFile);
  }

  /**
   * Redacts what the log and deliveries say about the session itself, its title and summaries, and the answers about it and its
   * messages that are kept for repeated requests.
   */
  async session(tx: Transaction, projectId: string, id: string): Promise<void> {
    await this.events.resources(tx, projectId, [{ subjectUserId: null, resourceId: `session:${id}` }]);
    await this.answers.redactNaming(tx, projectId, id);
  }

  /** True if a legal hold keeps something that was said in the session. */
  isHeld = (tx: Transaction, projectId: string, sessionId: string): Promise<boolean> =>
    this.store.hasHeld(tx, projectId, sessionId);

  /** Up to `limit` messages of the session; returns how many there were. */
  async someOf(tx: Transaction, projectId: string, sessionId: string, limit: number): Promise<number> {
    const rows = await this.store.someOf(tx, projectId, sessionId, limit);
    await this.messages(tx, projectId, rows);
    return rows.length;
  }
}
