/** Reads annotations that other modules show beside messages. */
import type { Message } from '../../../../src/contract/sessions/sessions.js';
import { type AnnotationStore, byMessage } from './annotation-store.js';

export interface AnnotationReader {
  /** The messages with their annotations. */
  beside(messages: readonly Message[]): Promise<Message[]>;
}

export const annotationReader = (store: AnnotationStore): AnnotationReader => ({
  async beside(messages) {
    const found = byMessage(await store.ofMessages(messages.map(({ id }) => id)));
    return messages.map((message) => ({ ...message, annotations: found.get(message.id) ?? [] }));
  },
});
