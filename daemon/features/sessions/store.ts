/** Rows of voice sessions and their transcripts. */
import { type Bot, botCauses, botStates, type Message, type Session } from '../../../src/contract/sessions.js';
import type { Database, Reader, Transaction } from '../../database/database.js';

export interface SessionRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly externalRoomId: string;
  readonly gateway: string;
  readonly title: string;
  readonly createdByUserId: string;
  readonly createdAt: Date;
  readonly status: string;
  readonly idleTimeout: number;
  readonly endedAt: Date | null;
  /** Project and room while active; unique, so that a room has one active session. */
  readonly activeRoom: string | null;
  readonly botWanted: boolean;
  readonly botState: string;
  readonly botCause: string | null;
  readonly botSince: Date;
  readonly botCounters: string;
}

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
  readonly startMs: number | null;
  readonly endMs: number | null;
  readonly language: string | null;
  readonly status: string | null;
  readonly asrEngine: string | null;
  readonly asrQuality: string | null;
  readonly shadowMuted: boolean;
  readonly audioFile: string | null;
  readonly audioExpiresAt: Date | null;
}

export type BotCounters = Bot['counters'];
export const noCounters: BotCounters = { peers: 0, packets: 0, speechSeconds: 0, utterances: 0, dropped: 0, failed: 0 };
export const activeRoomKey = (projectId: string, roomId: string): string => `${projectId} ${roomId}`;

const oneOf = <T extends string>(values: readonly T[], text: string | null): T | null =>
  values.find((value) => value === text) ?? null;

export const toBot = (row: SessionRow): Bot => ({
  state: oneOf(botStates, row.botState) ?? 'idle',
  cause: oneOf(botCauses, row.botCause),
  since: row.botSince.toISOString(),
  counters: JSON.parse(row.botCounters),
});

export const toSession = (row: SessionRow): Session => ({
  id: row.id,
  tenantId: row.tenantId,
  projectId: row.projectId,
  externalRoomId: row.externalRoomId,
  gateway: row.gateway,
  title: row.title,
  createdByUserId: row.createdByUserId,
  createdAt: row.createdAt.toISOString(),
  status: row.status === 'ended' ? 'ended' : 'active',
  idleTimeout: row.idleTimeout,
  endedAt: row.endedAt?.toISOString() ?? null,
  bot: toBot(row),
});

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
  startMs: row.startMs,
  endMs: row.endMs,
  language: row.language,
  status: oneOf(['recognised', 'dropped', 'failed'] as const, row.status),
  asr: row.asrEngine === null ? null : { engine: row.asrEngine, quality: row.asrQuality ?? 'unknown' },
  shadowMuted: row.shadowMuted,
});

export class SessionStore {
  constructor(private readonly database: Database) {}

  insert = (tx: Transaction, row: SessionRow) => tx.session.create({ data: row });

  find = (projectId: string, id: string, reader: Reader | Transaction = this.database.read) =>
    reader.session.findFirst({ where: { projectId, id } });

  byIds = (projectId: string, ids: string[]) =>
    this.database.read.session.findMany({ where: { projectId, id: { in: ids } } });

  list = (projectId: string, limit: number, offset: number) =>
    this.database.read.session.findMany({ where: { projectId }, orderBy: { id: 'desc' }, take: limit, skip: offset });

  /** Sessions whose bot should be in its room. */
  wanted = () => this.database.read.session.findMany({ where: { botWanted: true }, orderBy: { id: 'asc' } });

  activeIn = (projectId: string, roomId: string, reader: Reader | Transaction = this.database.read) =>
    reader.session.findUnique({ where: { activeRoom: activeRoomKey(projectId, roomId) } });

  update = (tx: Transaction, id: string, fields: Partial<SessionRow>) =>
    tx.session.update({ where: { id }, data: fields });

  remove = (tx: Transaction, id: string) => tx.session.delete({ where: { id } });

  insertMessage = (tx: Transaction, row: MessageRow) => tx.message.create({ data: row });

  messages = (sessionId: string) =>
    this.database.read.message.findMany({ where: { sessionId }, orderBy: [{ timestamp: 'asc' }, { id: 'asc' }] });

  /** What a person said last, newest first. */
  wordsOf = (projectId: string, externalUserId: string, take: number) =>
    this.database.read.message.findMany({
      where: { projectId, externalUserId, type: 'user' },
      orderBy: [{ timestamp: 'desc' }, { id: 'desc' }],
      take,
    });

  /** Messages whose recording is one of these and has not expired. */
  recorded = (names: readonly string[], now: Date) =>
    this.database.read.message.findMany({
      where: { audioFile: { in: [...names] }, audioExpiresAt: { gt: now } },
      select: { projectId: true, audioFile: true },
    });

  message = (projectId: string, sessionId: string, id: string) =>
    this.database.read.message.findFirst({ where: { projectId, sessionId, id } });
}
