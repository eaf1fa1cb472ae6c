/** Annotations as callers may read them. */
import type { MessageAnnotation, SessionAnnotation } from '../../../../src/contract/plugins/annotations.js';
import type { Member } from '../../../platform/http/caller.js';
import { type AnnotationStore, byMessage, toSessionAnnotation } from './annotation-store.js';

interface AnnotationNeeds {
  /** Whether the caller may read the project. */
  mayRead(caller: Member, projectId: string): Promise<boolean>;
  /** The project of a session; null: there is none. */
  projectOf(sessionId: string): Promise<string | null>;
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

  /** By message; without those that are unknown, out of reach, or have none. */
  async ofMessages(caller: Member, ids: readonly string[]): Promise<Record<string, MessageAnnotation[]>> {
    const rows = await this.store.ofMessages([...new Set(ids)]);
    const readable = new Set<string>();
    for (const projectId of new Set(rows.map(({ projectId }) => projectId)))
      if (await this.needs.mayRead(caller, projectId)) readable.add(projectId);
    return Object.fromEntries(byMessage(rows.filter(({ projectId }) => readable.has(projectId))));
  }
}
