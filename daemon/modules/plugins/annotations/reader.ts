/** What other modules show of annotations beside messages. */
import type { Message } from '../../../../src/contract/sessions/sessions.js';
import { addTo } from '../../../platform/add-to.js';
import { type AnnotationStore, toMessageAnnotation } from './annotation-store.js';

export interface AnnotationReader {
  /** The messages with their annotations. */
  beside(messages: readonly Message[]): Promise<Message[]>;
}

export const annotationReader = (store: AnnotationStore): AnnotationReader => ({
  async beside(messages) {
    const found = new Map<string, NonNullable<Message['annotations']>>();
    for (const row of await store.ofMessages(messages.map(({ id }) => id)))
      addTo(found, row.messageId, toMessageAnnotation(row));
    return messages.map((message) => ({ ...message, annotations: found.get(message.id) ?? [] }));
  },
});
