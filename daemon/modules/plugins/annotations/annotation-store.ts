/** Rows of annotations. */
import type { MessageAnnotation, SessionAnnotation } from '../../../../src/contract/plugins/annotations.js';
import { addTo } from '../../../platform/collections/add-to.js';
import { type WithValues, withJson } from '../../../platform/database/column-values.js';
import { type Database, idsAtOnce, type Transaction } from '../../../platform/database/database.js';
import { Pauses, slicesOf } from '../../../platform/database/slices.js';
import type { MovingPerson } from '../../../platform/moving-person.js';
import { annotationRows, runStatements } from '../actions/sql.js';

export interface AnnotationRow {
  readonly id: string;
  readonly projectId: string;
  readonly sessionId: string;
  readonly messageId: string | null;
  readonly pluginSlug: string;
  readonly actionId: string;
  readonly ordinal: number;
  readonly type: string;
  readonly content: SessionAnnotation['content'];
  readonly participantId: string | null;
  readonly externalUserId: string | null;
  readonly createdAt: Date;
}

/** As the table holds it. */
type StoredAnnotation = WithValues<AnnotationRow, { readonly content: string }>;
const toRow = (stored: StoredAnnotation): AnnotationRow => ({ ...stored, content: JSON.parse(stored.content) });

type MessageAnnotationRow = AnnotationRow & { readonly messageId: string };

const common = ({ id, type, content, pluginSlug, createdAt, sessionId }: AnnotationRow): SessionAnnotation => ({
  id,
  type,
  content,
  pluginSlug,
  createdAt: createdAt.toISOString(),
  sessionId,
});

export const toSessionAnnotation = common;

export const toMessageAnnotation = (row: MessageAnnotationRow): MessageAnnotation => ({
  ...common(row),
  messageId: row.messageId,
  participantId: row.participantId,
  externalUserId: row.externalUserId,
});

export function byMessage(rows: readonly MessageAnnotationRow[]): Map<string, MessageAnnotation[]> {
  const found = new Map<string, MessageAnnotation[]>();
  for (const row of rows) addTo(found, row.messageId, toMessageAnnotation(row));
  return found;
}

const isOfMessage = (row: AnnotationRow): row is AnnotationRow & { readonly messageId: string } =>
  row.messageId !== null;

const inOrder = { orderBy: { id: 'asc' } } as const;

export class AnnotationStore {
  private readonly sql;

  constructor(private readonly database: Database) {
    this.sql = runStatements[database.dialect];
  }

  async insert(tx: Transaction, rows: readonly AnnotationRow[]): Promise<void> {
    if (rows.length > 0)
      await tx.$executeRawUnsafe(this.sql.annotate, annotationRows.text(rows.map((row) => withJson(row, 'content'))));
  }

  /** Returns annotations about the session itself. */
  async ofSession(sessionId: string): Promise<AnnotationRow[]> {
    const where = { sessionId, messageId: null };
    return (await this.database.read.pluginAnnotation.findMany({ where, ...inOrder })).map(toRow);
  }

  /** With the project of each. */
  async ofMessages(ids: readonly string[]): Promise<(AnnotationRow & { readonly messageId: string })[]> {
    const pauses = new Pauses();
    const found: AnnotationRow[] = [];
    for (const part of slicesOf(ids, idsAtOnce)) {
      const where = { messageId: { in: [...part] } };
      found.push(...(await this.database.read.pluginAnnotation.findMany({ where, ...inOrder })).map(toRow));
      await pauses.next();
    }
    return found.filter(isOfMessage);
  }

  /** Returns those of the messages that have an annotation of this type. */
  async messagesWith(type: string, ids: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    for (const part of slicesOf(ids, idsAtOnce)) {
      const where = { type, messageId: { in: [...part] } };
      for (const { messageId } of await this.database.read.pluginAnnotation.findMany({
        where,
        select: { messageId: true },
      }))
        if (messageId !== null) found.add(messageId);
    }
    return found;
  }

  /** The session annotations of a plugin, of one type. */
  ofType = (tx: Transaction, sessionId: string, pluginSlug: string, type: string) =>
    tx.pluginAnnotation.findMany({ where: { sessionId, messageId: null, pluginSlug, type } });

  /** Annotations of a person's messages, in sessions in which they said something. */
  async reassign(tx: Transaction, { projectId, id, joinedId, from, to }: MovingPerson, sessionIds: readonly string[]) {
    const data = { externalUserId: to, participantId: id };
    const theirs = joinedId === null ? [from] : [from, to];
    for (const some of slicesOf(sessionIds, idsAtOnce)) {
      const where = { projectId, sessionId: { in: [...some] }, externalUserId: { in: theirs } };
      await tx.pluginAnnotation.updateMany({ where, data });
    }
  }

  remove = (tx: Transaction, ids: readonly string[]) =>
    tx.pluginAnnotation.deleteMany({ where: { id: { in: [...ids] } } });

  /** Deletes annotations about the sessions themselves. */
  removeOfSessions = (tx: Transaction, sessionIds: readonly string[]) =>
    tx.pluginAnnotation.deleteMany({ where: { sessionId: { in: [...sessionIds] }, messageId: null } });

  /**
   * Session annotations from before a time, which repeat what was said. Annotations of messages are deleted with the
   * messages.
   */
  beforeInSessions = (tx: Transaction, projectId: string, time: Date, take: number) =>
    tx.pluginAnnotation.findMany({
      where: { projectId, messageId: null, createdAt: { lt: time } },
      orderBy: { createdAt: 'asc' },
      take,
    });
}
