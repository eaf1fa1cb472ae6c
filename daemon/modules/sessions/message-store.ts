/** Rows of transcripts. */
import { AsrReport, type Message } from '../../../src/contract/sessions/sessions.js';
import { jsonOrNull, numberOrNull, oneOf } from '../../platform/database/column-values.js';
import { type Database, type DatabaseClient, idsAtOnce, type Transaction } from '../../platform/database/database.js';
import { sqlTime } from '../../platform/database/dialect.js';
import { HeldIds, heldKey, notHeld } from '../../platform/database/held-ids.js';
import { notKept } from '../../platform/database/kept-ids.js';
import { all, type Condition, equal, firstIds, hasAny } from '../../platform/database/mapped-tables.js';
import { withIds } from '../../platform/database/row-ids.js';
import { Pauses, rowsAtOnce, slicesOf } from '../../platform/database/slices.js';
import { continueAfter, uuidv7 } from '../../platform/ids/new-id.js';
import { SearchStore } from './search/search-store.js';

export interface MessageRow {
  readonly id: string;
  readonly projectId: string;
  readonly sessionId: string;
  readonly type: string;
  readonly senderName: string;
  readonly content: string;
  readonly timestamp: Date;
  readonly participantId: string | null;
  readonly externalUserId: string | null;
  readonly origin: string | null;
  readonly startMs: bigint | number | null;
  readonly endMs: bigint | number | null;
  /** Of lines from before the columns had 64 bits. */
  readonly startMs32?: number | null;
  readonly endMs32?: number | null;
  readonly language: string | null;
  readonly status: string | null;
  readonly asrEngine: string | null;
  readonly asrQuality: string | null;
  /** JSON of the rest of AsrReport; null: an earlier message, or not speech. */
  readonly asrReport: string | null;
  readonly shadowMuted: boolean;
  readonly audioFile: string | null;
  readonly audioExpiresAt: Date | null;
}

export type NewMessageRow = Omit<MessageRow, 'id'>;

/** null: not speech. */
export const asrOf = ({ asrEngine, asrQuality, asrReport }: MessageRow): AsrReport | null =>
  asrEngine === null
    ? null
    : AsrReport.parse({ ...jsonOrNull(asrReport), ...{ engine: asrEngine, quality: asrQuality ?? 'unknown' } });

/** A line of a transcript as summaries read it. */
export type SpokenLine = Pick<MessageRow, 'id' | 'senderName' | 'content'>;

export const toMessage = (row: MessageRow, now: Date): Message => ({
  id: row.id,
  sessionId: row.sessionId,
  type: row.type === 'system' ? 'system' : 'user',
  senderName: row.senderName,
  content: row.content,
  timestamp: row.timestamp.toISOString(),
  hasDebugAudio: row.audioFile !== null && row.audioExpiresAt !== null && row.audioExpiresAt > now,
  participantId: row.participantId,
  externalUserId: row.externalUserId,
  origin: oneOf(['speech', 'text'] as const, row.origin),
  startMs: numberOrNull(row.startMs ?? row.startMs32),
  endMs: numberOrNull(row.endMs ?? row.endMs32),
  language: row.language,
  status: oneOf(['recognised', 'dropped', 'failed'] as const, row.status),
  asr: asrOf(row),
  shadowMuted: row.shadowMuted,
});

const messageTable = { name: 'Message' };
/** Messages of people whom no legal hold keeps. */
const free = notHeld('Message', ['externalUserId']);
/** Messages that are no evidence of a sanction. */
const unneeded = notKept('Message', ['id']);
const byMinors: Condition = {
  text: `EXISTS (SELECT 1 FROM "Participant" WHERE "Participant"."projectId" = "Message"."projectId"
    AND "Participant"."externalUserId" = "Message"."externalUserId" AND "Participant"."isMinor")`,
  values: [],
};
const freeBefore = (projectId: string, time: Date, ofMinors: boolean): Condition => {
  const old = { text: '"timestamp" < ?', values: [sqlTime(time)] };
  return all(equal('projectId', projectId), old, free, unneeded, ...(ofMinors ? [byMinors] : []));
};

/** Columns by which everything that repeats a message is found and deleted. */
const forgotten = { id: true, externalUserId: true, audioFile: true } as const;
const oldestFirst = [{ timestamp: 'asc' as const }, { id: 'asc' as const }];
const newestFirst = [{ timestamp: 'desc' as const }, { id: 'desc' as const }];

/** Position of a message in the order of time. */
type MessagePosition = Pick<MessageRow, 'id' | 'timestamp'>;
const laterThan = (behind: MessagePosition | null) =>
  behind === null
    ? {}
    : { OR: [{ timestamp: { gt: behind.timestamp } }, { timestamp: behind.timestamp, id: { gt: behind.id } }] };

const saidColumns = { id: true, timestamp: true, origin: true } as const;

export class MessageStore {
  private readonly index: SearchStore;
  private readonly held: HeldIds;

  constructor(private readonly database: Database) {
    this.index = new SearchStore(database);
    this.held = new HeldIds(database);
  }

  /** Stores a message and indexes it for the search; rows of the index go with their message. */
  async insert(tx: Transaction, row: NewMessageRow): Promise<MessageRow> {
    const stored = await tx.message.create({ data: { ...row, id: await this.nextId(tx, row.sessionId) } });
    await this.index.add(tx, stored);
    return stored;
  }

  /** Ids of a session grow in the order of commits, so that whoever goes on after one misses none. SQLite has one writer anyway. */
  private async nextId(tx: Transaction, sessionId: string): Promise<string> {
    if (this.database.dialect === 'sqlite') return uuidv7();
    await this.database.takeTurn(tx, `messages:${sessionId}`);
    const last = await tx.message.findFirst({ where: { sessionId }, orderBy: { id: 'desc' }, select: { id: true } });
    const id = uuidv7();
    if (last === null || last.id < id) return id;
    continueAfter(last.id); // the clock of another daemon is ahead
    return uuidv7();
  }

  /** In the order in which they were stored, after a message, which may be deleted by now. */
  listStored = (sessionId: string, after: string | undefined, limit?: number) =>
    this.database.read.message.findMany({
      where: { sessionId, ...(after === undefined ? {} : { id: { gt: after } }) },
      orderBy: { id: 'asc' },
      ...(limit === undefined ? {} : { take: limit }),
    });

  /** Oldest first, behind a message (null: from the beginning on), complete where there is no limit. */
  list = (sessionId: string, behind: MessagePosition | null, limit?: number) =>
    this.database.read.message.findMany({
      where: { sessionId, ...laterThan(behind) },
      orderBy: oldestFirst,
      ...(limit === undefined ? {} : { take: limit }),
    });

  countOf = (sessionId: string) => this.database.read.message.count({ where: { sessionId } });

  /** Returns the last messages of a person up to a time, newest first. */
  wordsOf = (projectId: string, externalUserId: string, take: number, until?: Date) =>
    this.database.read.message.findMany({
      where: { projectId, externalUserId, type: 'user', ...(until === undefined ? {} : { timestamp: { lte: until } }) },
      orderBy: newestFirst,
      take,
    });

  /** Messages whose recording is one of these and has not expired. */
  recorded = (names: readonly string[], now: Date) =>
    this.database.read.message.findMany({
      where: { audioFile: { in: [...names] }, audioExpiresAt: { gt: now } },
      select: { projectId: true, audioFile: true },
    });

  /** Recordings among these of people on legal hold. */
  async heldRecordings(names: readonly string[]): Promise<string[]> {
    const rows = await this.database.read.message.findMany({
      where: { audioFile: { in: [...names] }, externalUserId: { not: null } },
      select: { projectId: true, externalUserId: true, audioFile: true },
    });
    const named = rows.map(({ projectId, externalUserId }) => ({ projectId, heldId: externalUserId ?? '' }));
    const held = await this.held.among(named);
    return rows.flatMap(({ projectId, externalUserId, audioFile }) =>
      held.has(heldKey(projectId, externalUserId ?? '')) ? (audioFile ?? []) : [],
    );
  }

  /** Returns when and how these messages were said, of those that the project has. */
  async said(projectId: string, ids: readonly string[]) {
    const found = [];
    const pauses = new Pauses();
    for (const part of slicesOf(ids, idsAtOnce)) {
      const where = { projectId, id: { in: [...part] } };
      const rows = await this.database.read.message.findMany({ where, select: saidColumns });
      found.push(...rows.map((row) => ({ ...row, origin: oneOf(['speech', 'text'] as const, row.origin) })));
      await pauses.next();
    }
    return found;
  }

  /**
   * Returns the project's messages among the ids, oldest first. Queried by id alone and sorted here: SQLite would read
   * every message of the project to have them in order.
   */
  async byIds(projectId: string, ids: readonly string[]): Promise<MessageRow[]> {
    const rows = await this.database.read.message.findMany({ where: { id: { in: [...ids] } } });
    const own = rows.filter((row) => row.projectId === projectId);
    return own.sort((a, b) => a.timestamp.getTime() - b.timestamp.getTime() || (a.id < b.id ? -1 : 1));
  }

  /** Returns the sessions in which these were said, by message id. */
  async sessionOfEach(projectId: string, ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const where = { projectId, id: { in: [...ids] } };
    const rows = await this.database.read.message.findMany({ where, select: { id: true, sessionId: true } });
    return new Map(rows.map(({ id, sessionId }) => [id, sessionId]));
  }

  /** Returns the messages of the session in this time, oldest first. */
  between = (projectId: string, sessionId: string, { from, to }: { from: Date; to: Date }, take: number) =>
    this.database.read.message.findMany({
      where: { projectId, sessionId, timestamp: { gte: from, lte: to } },
      orderBy: oldestFirst,
      take,
    });

  /** Returns the last lines that people said or wrote in the session in this time, newest first. */
  lastSaid = (projectId: string, sessionId: string, { from, to }: { from: Date; to: Date }, take: number) =>
    this.database.read.message.findMany({
      where: { projectId, sessionId, type: 'user', timestamp: { gte: from, lte: to } },
      orderBy: newestFirst,
      take,
    });

  /**
   * The message with what was said so long before and after it, oldest first; half of `take` up to it, half behind.
   *
   * @param type of messages that count; left out: any
   */
  async around(
    projectId: string,
    { id, sessionId, timestamp }: Pick<Message, 'id' | 'sessionId' | 'timestamp'>,
    ms: number,
    take: number,
    type?: Message['type'],
  ): Promise<MessageRow[]> {
    const counting = type === undefined ? {} : { type };
    const at = new Date(timestamp);
    const [from, to] = [new Date(at.getTime() - ms), new Date(at.getTime() + ms)];
    const upTo = await this.database.read.message.findMany({
      where: {
        ...{ projectId, sessionId, ...counting },
        timestamp: { gte: from, lte: at },
        OR: [{ timestamp: { lt: at } }, { id: { lte: id } }],
      },
      orderBy: newestFirst,
      take: Math.ceil(take / 2),
    });
    const behind = await this.database.read.message.findMany({
      where: {
        ...{ projectId, sessionId, ...counting },
        timestamp: { gte: at, lte: to },
        OR: [{ timestamp: { gt: at } }, { id: { gt: id } }],
      },
      orderBy: oldestFirst,
      take: Math.floor(take / 2),
    });
    return [...upTo.reverse(), ...behind];
  }

  /** Returns a page of messages, spoken and written, in this time after a message, oldest first. */
  page = (
    projectId: string,
    { since, until }: { since: Date; until: Date },
    behind: MessagePosition | null,
    take: number,
  ): Promise<MessageRow[]> => {
    const from = behind === null || behind.timestamp < since ? since : behind.timestamp;
    return this.database.read.message.findMany({
      where: { projectId, timestamp: { gte: from, lt: until }, ...laterThan(behind) },
      orderBy: oldestFirst,
      take,
    });
  };

  /** Returns in which rooms these messages were said, oldest first. */
  async rooms(projectId: string, ids: readonly string[]) {
    const rows = await this.database.read.message.findMany({
      where: { projectId, id: { in: [...ids] } },
      select: { externalUserId: true, timestamp: true, session: { select: { externalRoomId: true } } },
      orderBy: { timestamp: 'asc' },
    });
    return rows.map(({ session, ...row }) => ({ ...row, roomId: session.externalRoomId }));
  }

  /** The last of what was said in the room in a time. */
  async saidInRoom(projectId: string, roomId: string, { since, until }: { since: Date; until: Date }, take: number) {
    const rows = await this.database.read.message.findMany({
      where: { projectId, type: 'user', timestamp: { gte: since, lte: until }, session: { externalRoomId: roomId } },
      select: { id: true },
      orderBy: newestFirst,
      take,
    });
    return rows.map(({ id }) => id);
  }

  /** True if the person said something in a session of the room since then, or came or left. */
  hasBeenIn = async (projectId: string, roomId: string, externalUserId: string, since: Date): Promise<boolean> => {
    const where = { projectId, externalUserId, timestamp: { gte: since }, session: { externalRoomId: roomId } };
    return (await this.database.read.message.findFirst({ where, select: { id: true } })) !== null;
  };

  find = (projectId: string, sessionId: string, id: string) =>
    this.database.read.message.findFirst({ where: { projectId, sessionId, id } });

  /** Some of the recordings that messages of the project refer to. */
  async recordings(projectId: string): Promise<string[]> {
    const rows = await this.database.read.message.findMany({
      where: { projectId, audioFile: { not: null } },
      select: { audioFile: true },
      take: rowsAtOnce,
    });
    return rows.flatMap(({ audioFile }) => audioFile ?? []);
  }

  /** Clears references to deleted recordings. */
  async clearRecordings(projectId: string, audioFiles: readonly string[]): Promise<void> {
    await this.database.transaction((tx) =>
      tx.message.updateMany({ where: { projectId, audioFile: { in: [...audioFiles] } }, data: { audioFile: null } }),
    );
  }

  /** Returns the existing messages among the ids, with the columns that an annotation repeats. */
  annotated = (tx: DatabaseClient, ids: readonly string[]) =>
    tx.message.findMany({
      where: { id: { in: [...ids] } },
      select: { id: true, projectId: true, sessionId: true, participantId: true, externalUserId: true },
    });

  /** Sessions in which the person said or wrote something. */
  async sessionsOf(tx: Transaction, projectId: string, externalUserId: string): Promise<string[]> {
    const rows = await tx.message.groupBy({ by: ['sessionId'], where: { projectId, externalUserId } });
    return rows.map(({ sessionId }) => sessionId);
  }

  /** The last of what was said and written, in order; what was not recognised, is unheard, or was heard by nobody, is left out. */
  async lines(projectId: string, sessionId: string, take: number): Promise<SpokenLine[]> {
    const rows = await this.database.read.message.findMany({
      where: {
        projectId,
        sessionId,
        type: 'user',
        shadowMuted: false,
        OR: [{ status: null }, { status: 'recognised' }],
      },
      orderBy: newestFirst,
      select: { id: true, senderName: true, content: true, asrReport: true },
      take,
    });
    const heard = rows.filter(({ asrReport }) => (jsonOrNull(asrReport)?.unheard ?? null) === null);
    return heard.reverse().map(({ asrReport: _, ...line }) => line);
  }

  hasBefore = (projectId: string, time: Date, ofMinors: boolean): Promise<boolean> =>
    hasAny(this.database.read, this.database.dialect, messageTable, freeBefore(projectId, time, ofMinors));

  /** The oldest ones before a time. */
  async before(tx: Transaction, projectId: string, time: Date, take: number, ofMinors: boolean) {
    const ids = await firstIds(tx, this.database.dialect, messageTable, freeBefore(projectId, time, ofMinors), {
      by: 'timestamp',
      take,
    });
    return tx.message.findMany({ where: { id: { in: ids } }, orderBy: { timestamp: 'asc' }, select: forgotten });
  }

  /** True if somebody on legal hold has said something in the session. */
  hasHeld(tx: Transaction, projectId: string, sessionId: string): Promise<boolean> {
    const held = all(equal('projectId', projectId), equal('sessionId', sessionId), {
      text: `NOT ${free.text}`,
      values: [],
    });
    return hasAny(tx, this.database.dialect, messageTable, held);
  }

  someOf = (tx: Transaction, projectId: string, sessionId: string, take: number) =>
    tx.message.findMany({ where: { projectId, sessionId }, take, select: forgotten });

  remove = (tx: Transaction, ids: readonly string[]) => tx.message.deleteMany({ where: { id: { in: [...ids] } } });

  /** Some of what a person said; returns how much it was, and the names of the recordings. */
  async eraseSome(
    tx: Transaction,
    projectId: string,
    externalUserId: string,
  ): Promise<{ readonly count: number; readonly recordings: string[] }> {
    const where = { projectId, externalUserId };
    const rows = await tx.message.findMany({ where, select: forgotten, take: rowsAtOnce });
    const { count } = await tx.message.deleteMany(withIds(rows));
    return { count, recordings: rows.flatMap(({ audioFile }) => audioFile ?? []) };
  }
}
