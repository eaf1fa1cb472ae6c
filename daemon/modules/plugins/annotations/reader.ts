/** Reads annotations that other modules show beside messages. */
import type { Message } from '../../../../src/contract/sessions/sessions.js';
import { type AnnotationStore, byMessage } from './annotation-store.js';

export class AnnotationReader {
  constructor(private readonly store: AnnotationStore) {}

  /** Returns the messages with their annotations. */
  async beside(messages: readonly Message[]): Promise<Message[]> {
    const found = byMessage(await this.store.ofMessages(messages.map(({ id }) => id)));
    return messages.map((message) => ({ ...message, annotations: found.get(message.id) ?? [] }));
  }

  /** Returns those of the messages in which toxicity was found. */
  flagged(ids: readonly string[]): Promise<Set<string>> {
    return this.store.messagesWith('toxicity', ids);
  }
}
