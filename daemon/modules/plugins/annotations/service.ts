/** Annotations as callers may read them. */
import type { MessageAnnotation, SessionAnnotation } from '../../../../src/contract/plugins/annotations.js';
import { bytesOf, WithinBytes } from '../../../platform/collections/within-bytes.js';
import type { Database } from '../../../platform/database/database.js';
import { slicesOf } from '../../../platform/database/slices.js';
import type { Member } from '../../../platform/http/caller.js';
import type { Access } from '../../projects/access.js';
import type { TranscriptReader } from '../../sessions/transcript-reader.js';
import { type AnnotationStore, byMessage, toSessionAnnotation } from './annotation-store.js';

const messagesAtOnce = 100;

interface AnnotationNeeds {
  readonly access: Pick<Access, 'grant'>;
  readonly transcripts: Pick<TranscriptReader, 'projectOf' | 'messagesIn'>;
  readonly database: Pick<Database, 'read'>;
}

export class Annotations {
  constructor(
    private readonly store: AnnotationStore,
    private readonly needs: AnnotationNeeds,
  ) {}

  /** Empty for a session that is unknown or out of reach. */
  async ofSession(caller: Member, sessionId: string): Promise<SessionAnnotation[]> {
    const projectId = await this.needs.transcripts.projectOf(sessionId);
    if (projectId === null || !(await this.mayRead(caller, projectId))) return [];
    return (await this.store.ofSession(sessionId)).map(toSessionAnnotation);
  }

  /**
   * By message, with an empty list for those without annotations; unknown messages and those out of reach are left out, and
   * those behind the end of the answer.
   */
  async ofMessages(caller: Member, ids: readonly string[]): Promise<Record<string, MessageAnnotation[]>> {
    const messages = await this.needs.transcripts.messagesIn(this.needs.database.read, [...new Set(ids)]);
    const readable = new Set<string>();
    for (const projectId of new Set(messages.map((message) => message.projectId)))
      if (await this.mayRead(caller, projectId)) readable.add(projectId);
    const open = messages.filter(({ projectId }) => readable.has(projectId)).map(({ id }) => id);
    const space = new WithinBytes();
    const shown: [string, MessageAnnotation[]][] = [];
    for (const some of slicesOf(open, messagesAtOnce)) {
      const found = byMessage(await this.store.ofMessages(some));
      for (const id of some) {
        const annotations = found.get(id) ?? [];
        if (!space.reserve(bytesOf(annotations))) return Object.fromEntries(shown);
        shown.push([id, annotations]);
      }
    }
    return Object.fromEntries(shown);
  }

  private async mayRead(caller: Member, projectId: string): Promise<boolean> {
    return (await this.needs.access.grant(caller, projectId)) !== null;
  }
}
