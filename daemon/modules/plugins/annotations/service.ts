/** Annotations as callers may read them. */
import type { MessageAnnotation, SessionAnnotation } from '../../../../src/contract/plugins/annotations.js';
import { bytesOf, WithinBytes } from '../../../platform/collections/within-bytes.js';
import { slicesOf } from '../../../platform/database/slices.js';
import type { Member } from '../../../platform/http/caller.js';
import { type AnnotationStore, byMessage, toSessionAnnotation } from './annotation-store.js';

const messagesAtOnce = 100;

interface AnnotationNeeds {
  /** True if the caller may read the project. */
  mayRead(caller: Member, projectId: string): Promise<boolean>;
  /** The project of a session; null: there is none. */
  projectOf(sessionId: string): Promise<string | null>;
  /** The messages that exist, with their projects. */
  messages(ids: readonly string[]): Promise<readonly { readonly id: string; readonly projectId: string }[]>;
}

export class Annotations {
  constructor(
    private readonly store: AnnotationStore,
    private readonly needs: AnnotationNeeds,
  ) {}

  /** Empty for a session that is unknown or out of reach. */
  async ofSession(caller: Member, sessionId: string): Promise<SessionAnnotation[]> {
    const projectId = await this.needs.projectOf(sessionId);
    if (projectId === null || !(await this.needs.mayRead(caller, projectId))) return [];
    return (await this.store.ofSession(sessionId)).map(toSessionAnnotation);
  }

  /**
   * By message, with an empty list for those without annotations; unknown messages and those out of reach are left out, and
   * those behind the end of the answer.
   */
  async ofMessages(caller: Member, ids: readonly string[]): Promise<Record<string, MessageAnnotation[]>> {
    const messages = await this.needs.messages([...new Set(ids)]);
    const readable = new Set<string>();
    for (const projectId of new Set(messages.map((message) => message.projectId)))
      if (await this.needs.mayRead(caller, projectId)) readable.add(projectId);
    const open = messages.filter(({ projectId }) => readable.has(projectId)).map(({ id }) => id);
    const space = new WithinBytes();
    const shown: [string, MessageAnnotation[]][] = [];
    for (const some of slicesOf(open, messagesAtOnce)) {
      const found = byMessage(await this.store.ofMessages(some));
      for (const id of some) {
        const annotations = found.get(id) ?? [];
        if (!space.take(bytesOf(annotations))) return Object.fromEntries(shown);
        shown.push([id, annotations]);
      }
    }
    return Object.fromEntries(shown);
  }
}
