/** Reads the messages around a sanction: those that it names, and the minute around them. */
import type { Sanction } from '../../../src/contract/moderation/sanction-record.js';
import type { AsrReport, Message } from '../../../src/contract/sessions/sessions.js';
import type { MessageAnnotations } from './message-annotations.js';
import { asrOf, type MessageRow, type MessageStore } from './message-store.js';
import type { MessageView } from './message-view.js';

/** Half a minute before the first of them and after the last. */
const aroundMs = 30_000;
const transcriptMax = 200;

/** A line that a report refers to. */
type ReportedLine = Pick<MessageRow, 'id' | 'sessionId' | 'externalUserId' | 'senderName' | 'content' | 'timestamp'> & {
  readonly asr: AsrReport | null;
};

/** What the statement of a sanction says of a line that it rests on. */
export interface SaidLine {
  readonly saidAt: Date;
  readonly origin: Message['origin'];
  /** Toxicity was found in it by a plugin. */
  readonly isFlagged: boolean;
}

const toPosition = ({ id, sessionId, timestamp }: MessageRow) => ({
  id,
  sessionId,
  timestamp: timestamp.toISOString(),
});

export class SpokenEvidence {
  constructor(
    private readonly messages: MessageStore,
    private readonly annotations: Pick<MessageAnnotations, 'beside' | 'flagged'>,
    private readonly view: MessageView,
  ) {}

  /** Without named messages: the minute around the person's last words before the sanction. */
  async messagesAround(sanction: Sanction): Promise<{ messages: Message[]; transcript: Message[] }> {
    const messages = await this.messages.byIds(sanction.projectId, sanction.evidence?.messageIds ?? []);
    const [anchor] = messages.length > 0 ? messages : await this.lastWords(sanction);
    if (anchor === undefined) return { messages: [], transcript: [] };
    const here = messages.filter(({ sessionId }) => sessionId === anchor.sessionId);
    const last = here.at(-1) ?? anchor;
    const around = {
      from: new Date(anchor.timestamp.getTime() - aroundMs),
      to: new Date(last.timestamp.getTime() + aroundMs),
    };
    const rows = await this.messages.between(sanction.projectId, anchor.sessionId, around, transcriptMax);
    const { projectId } = sanction;
    return { messages: await this.shown(projectId, messages), transcript: await this.shown(projectId, rows) };
  }

  /**
   * Returns what a report refers to, oldest first: each named message with the half minutes around it, and what was said last
   * in a session in a time.
   */
  async around(
    projectId: string,
    {
      messageIds,
      session,
    }: { messageIds: readonly string[]; session: { id: string; since: Date; until: Date } | null },
  ): Promise<ReportedLine[]> {
    const found = new Map<string, MessageRow>();
    const add = (rows: readonly MessageRow[]): void => {
      for (const row of rows) if (row.type === 'user' && found.size < transcriptMax) found.set(row.id, row);
    };
    const named = await this.messages.byIds(projectId, messageIds);
    add(named);
    if (session !== null)
      add(
        await this.messages.lastSaid(projectId, session.id, { from: session.since, to: session.until }, transcriptMax),
      );
    for (const one of named)
      add(await this.messages.around(projectId, toPosition(one), aroundMs, transcriptMax, 'user'));
    return [...found.values()]
      .sort((a, b) => a.timestamp.getTime() - b.timestamp.getTime() || (a.id < b.id ? -1 : 1))
      .map((row) => ({ ...row, asr: asrOf(row) }));
  }

  /** Returns the messages in this time after a message, oldest first, with their annotations. */
  async page(...asked: Parameters<MessageStore['page']>): Promise<Message[]> {
    return this.shown(asked[0], await this.messages.page(...asked));
  }

  /** The session of the first of these messages that is kept, else of the last words before a time; null: there is none. */
  async sessionOf(
    projectId: string,
    { messageIds, externalUserId, before }: { messageIds: readonly string[]; externalUserId: string; before: Date },
  ): Promise<string | null> {
    const named = messageIds.length === 0 ? [] : await this.messages.byIds(projectId, messageIds);
    const [said] = named.length > 0 ? named : await this.messages.wordsOf(projectId, externalUserId, 1, before);
    return said?.sessionId ?? null;
  }

  /** Returns the kept messages among the ids, with their annotations. */
  async named(projectId: string, ids: readonly string[]): Promise<Message[]> {
    return ids.length === 0 ? [] : this.shown(projectId, await this.messages.byIds(projectId, ids));
  }

  /** Returns the messages of the project among the ids, with what sanctions say of them. */
  async facts(projectId: string, ids: readonly string[]): Promise<Map<string, SaidLine>> {
    const said = await this.messages.said(projectId, ids);
    const flagged = await this.annotations.flagged(said.map(({ id }) => id));
    return new Map(
      said.map(({ id, timestamp, origin }) => [id, { saidAt: timestamp, origin, isFlagged: flagged.has(id) }]),
    );
  }

  /** The time whose words are evidence of what was said at a time. */
  spanAround = (at: Date) => ({ from: new Date(at.getTime() - aroundMs), to: new Date(at.getTime() + aroundMs) });

  /** Returns the lines among these messages that somebody said or wrote, with their sessions. */
  async lines(projectId: string, ids: readonly string[]) {
    const rows = (await this.messages.byIds(projectId, ids)).filter(({ type }) => type === 'user');
    return rows.map((row) => ({ ...row, asr: asrOf(row) }));
  }

  /** Returns the rooms of these messages, as far as the project has them, by room and speaker with the last of their times. */
  async saidIn(projectId: string, ids: readonly string[]) {
    if (ids.length === 0) return [];
    const found = new Map<string, { roomId: string; externalUserId: string | null; saidAt: Date }>();
    // Whoever was there since the last of them was so since the first.
    for (const { roomId, externalUserId, timestamp } of await this.messages.rooms(projectId, ids))
      found.set(JSON.stringify([roomId, externalUserId]), { roomId, externalUserId, saidAt: timestamp });
    return [...found.values()];
  }

  /** Returns the ids of what was said last in the room in a time. */
  saidInRoom(projectId: string, { roomId, ...time }: { roomId: string; since: Date; until: Date }): Promise<string[]> {
    return this.messages.saidInRoom(projectId, roomId, time, transcriptMax);
  }

  /** True if the transcript of the room shows that the person was there since then. */
  hasBeenIn(projectId: string, roomId: string, externalUserId: string, since: Date): Promise<boolean> {
    return this.messages.hasBeenIn(projectId, roomId, externalUserId, since);
  }

  private async lastWords({ projectId, externalUserId, createdAt }: Sanction): Promise<MessageRow[]> {
    if (externalUserId === null) return [];
    return this.messages.wordsOf(projectId, externalUserId, 1, new Date(createdAt));
  }

  private async shown(projectId: string, rows: readonly MessageRow[]): Promise<Message[]> {
    return this.annotations.beside(await this.view.shown(projectId, rows));
  }
}
