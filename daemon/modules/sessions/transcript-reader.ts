/** Answers plugins and rules: which messages and sessions there are, and what was said. */
import type { DatabaseClient, Transaction } from '../../platform/database/database.js';
import type { MessageStore, SpokenLine } from './message-store.js';
import type { SessionStore } from './store.js';

/** A message as far as an annotation repeats it. */
interface AnnotatedMessage {
  readonly id: string;
  readonly projectId: string;
  readonly sessionId: string;
  readonly participantId: string | null;
  readonly externalUserId: string | null;
}

export class TranscriptReader {
  constructor(
    private readonly sessions: SessionStore,
    private readonly messages: MessageStore,
  ) {}

  /** The project of a session; null: there is no such session. */
  async projectOf(sessionId: string): Promise<string | null> {
    return (await this.sessions.projectsOf([sessionId])).get(sessionId) ?? null;
  }

  /** Returns the existing sessions among the ids, with their projects. */
  sessionsIn = (tx: Transaction, ids: readonly string[]): Promise<Map<string, string>> =>
    this.sessions.projectsOf(ids, tx);

  /** Returns the existing messages among the ids. */
  messagesIn = (tx: DatabaseClient, ids: readonly string[]): Promise<AnnotatedMessage[]> =>
    this.messages.annotated(tx, ids);

  /** Sessions in which the person said or wrote something. */
  spokenIn = (tx: Transaction, projectId: string, externalUserId: string): Promise<string[]> =>
    this.messages.sessionsOf(tx, projectId, externalUserId);

  /** Returns up to `limit` spoken and written lines, oldest first; lines under a shadow mute are left out. */
  linesOf = (projectId: string, sessionId: string, limit: number): Promise<SpokenLine[]> =>
    this.messages.lines(projectId, sessionId, limit);
}
