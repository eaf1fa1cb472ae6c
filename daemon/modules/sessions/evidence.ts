/** What was said around a sanction: the messages that it names, and the minute around them. */
import type { Sanction } from '../../../src/contract/moderation/sanctions.js';
import type { Message } from '../../../src/contract/sessions/sessions.js';
import type { Clock } from '../../platform/clock.js';
import { type Database, idsAtOnce } from '../../platform/database/database.js';
import { slicesOf, Turns } from '../../platform/database/turns.js';
import { type MessageRow, toMessage } from './message-store.js';

/** Half a minute before the first of them and after the last. */
const aroundMs = 30_000;
const transcriptMax = 200;

export class SpokenEvidence {
  constructor(
    private readonly database: Database,
    private readonly now: Clock,
  ) {}

  /** Without named messages: the minute around the person's last words before the sanction. */
  async of(sanction: Sanction): Promise<{ messages: Message[]; transcript: Message[] }> {
    const messages = await this.named(sanction.projectId, sanction.evidence?.messageIds ?? []);
    const [anchor] = messages.length > 0 ? messages : await this.lastWords(sanction);
    if (anchor === undefined) return { messages: [], transcript: [] };
    const here = messages.filter(({ sessionId }) => sessionId === anchor.sessionId);
    const last = here.at(-1) ?? anchor;
    const rows = await this.database.read.message.findMany({
      where: {
        projectId: sanction.projectId,
        sessionId: anchor.sessionId,
        timestamp: {
          gte: new Date(anchor.timestamp.getTime() - aroundMs),
          lte: new Date(last.timestamp.getTime() + aroundMs),
        },
      },
      orderBy: [{ timestamp: 'asc' }, { id: 'asc' }],
      take: transcriptMax,
    });
    return { messages: this.shown(messages), transcript: this.shown(rows) };
  }

  /** Those of these messages that exist in the project. */
  async known(projectId: string, ids: readonly string[]): Promise<Set<string>> {
    const found = new Set<string>();
    const turns = new Turns();
    for (const part of slicesOf(ids, idsAtOnce)) {
      const where = { projectId, id: { in: [...part] } };
      for (const { id } of await this.database.read.message.findMany({ where, select: { id: true } })) found.add(id);
      await turns.next();
    }
    return found;
  }

  private named(projectId: string, ids: string[]): Promise<MessageRow[]> {
    return this.database.read.message.findMany({
      where: { projectId, id: { in: ids } },
      orderBy: [{ timestamp: 'asc' }, { id: 'asc' }],
    });
  }

  private async lastWords({ projectId, externalUserId, createdAt }: Sanction): Promise<MessageRow[]> {
    if (externalUserId === null) return [];
    return this.database.read.message.findMany({
      where: { projectId, externalUserId, type: 'user', timestamp: { lte: new Date(createdAt) } },
      orderBy: [{ timestamp: 'desc' }, { id: 'desc' }],
      take: 1,
    });
  }

  private shown(rows: readonly MessageRow[]): Message[] {
    const now = this.now();
    return rows.map((row) => toMessage(row, now));
  }
}
