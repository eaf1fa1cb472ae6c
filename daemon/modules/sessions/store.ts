/** Rows of voice sessions. */
import { type Bot, botCauses, botStates } from '../../../src/contract/sessions/bots.js';
import type { Session, SessionListQuery } from '../../../src/contract/sessions/sessions.js';
import { oneOf, timeOrNull, type WithValues, withJson } from '../../platform/database/column-values.js';
import { type Database, idsAtOnce, type Reader, type Transaction } from '../../platform/database/database.js';
import { projectInReach } from '../../platform/database/in-reach.js';
import { lockRow } from '../../platform/database/row-lock.js';
import { newestFirst } from '../../platform/database/row-page.js';
import { Pauses, slicesOf } from '../../platform/database/slices.js';
import { noCounters } from './bot/status.js';

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
  readonly language: string | null;
  readonly endedAt: Date | null;
  /** Project and room while active; unique, so that a room has one active session. */
  readonly activeRoom: string | null;
  readonly botWanted: boolean;
  readonly botState: string;
  readonly botCause: string | null;
  readonly botSince: Date;
  readonly botCounters: string;
}

export type SessionValues = WithValues<SessionRow, { readonly botCounters: Bot['counters'] }>;

export const activeRoomKey = (projectId: string, roomId: string): string => `${projectId} ${roomId}`;

export const toBot = (row: SessionRow): Bot => ({
  state: oneOf(botStates, row.botState) ?? 'idle',
  cause: oneOf(botCauses, row.botCause),
  since: row.botSince.toISOString(),
  counters: { ...noCounters, ...JSON.parse(row.botCounters) },
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
  language: row.language,
  endedAt: timeOrNull(row.endedAt),
  bot: toBot(row),
});

/** `speakers`: only sessions in which one of these people said something; null: all. */
type SessionFilter = Omit<SessionListQuery, 'search'> & { readonly speakers: readonly string[] | null };

const listed = (projectId: string, { externalRoomId, status, since, until, speakers }: SessionFilter) => ({
  projectId,
  ...(speakers === null ? {} : { messages: { some: { projectId, externalUserId: { in: [...speakers] } } } }),
  externalRoomId,
  status,
  ...(until === undefined ? {} : { createdAt: { lt: new Date(until) } }),
  ...(since === undefined ? {} : { OR: [{ endedAt: null }, { endedAt: { gte: new Date(since) } }] }),
});

export class SessionStore {
  constructor(private readonly database: Database) {}

  insert = (tx: Transaction, row: SessionValues) => tx.session.create({ data: withJson(row, 'botCounters') });

  find = (projectId: string, id: string, reader: Reader | Transaction = this.database.read) =>
    reader.session.findFirst({ where: { projectId, id } });

  /** The row, locked until the transaction has ended; waits for transactions that add to the session. */
  async lock(tx: Transaction, projectId: string, id: string): Promise<SessionRow | null> {
    await lockRow(tx, this.database.dialect, 'Session', id);
    return this.find(projectId, id, tx);
  }

  byIds = (projectId: string, ids: string[]) =>
    this.database.read.session.findMany({ where: { projectId, id: { in: ids } } });

  /** The projects of those of these sessions that exist. */
  async projectsOf(ids: readonly string[], reader: Reader | Transaction = this.database.read) {
    const rows = await reader.session.findMany({
      where: { id: { in: [...ids] } },
      select: { id: true, projectId: true },
    });
    return new Map(rows.map(({ id, projectId }) => [id, projectId]));
  }

  /** Newest first. */
  list = (projectId: string, query: SessionFilter) =>
    this.database.read.session.findMany(newestFirst(listed(projectId, query), query));

  newestIn = (projectId: string, externalRoomId: string) =>
    this.database.read.session.findFirst({ where: { projectId, externalRoomId }, orderBy: { id: 'desc' } });

  count = (projectId: string, query: SessionFilter) =>
    this.database.read.session.count({ where: listed(projectId, query) });

  /** Sessions whose bot should be in its room. */
  countListening = (tx: Transaction, projectId: string): Promise<number> =>
    tx.session.count({ where: { projectId, botWanted: true } });

  wanted = () =>
    this.database.read.session.findMany({
      where: { botWanted: true, project: projectInReach },
      orderBy: { id: 'asc' },
    });

  activeIn = (projectId: string, roomId: string, reader: Reader | Transaction = this.database.read) =>
    reader.session.findUnique({ where: { activeRoom: activeRoomKey(projectId, roomId) } });

  async activeInAll(projectId: string, roomIds: readonly string[]) {
    const found: { id: string; externalRoomId: string }[] = [];
    const pauses = new Pauses();
    for (const rooms of slicesOf(roomIds, idsAtOnce)) {
      const where = { activeRoom: { in: rooms.map((roomId) => activeRoomKey(projectId, roomId)) } };
      found.push(...(await this.database.read.session.findMany({ where, select: { id: true, externalRoomId: true } })));
      await pauses.next();
    }
    return found;
  }

  update = (tx: Transaction, id: string, fields: Partial<SessionValues>) =>
    tx.session.update({ where: { id }, data: withJson(fields, 'botCounters') });

  remove = (tx: Transaction, id: string) => tx.session.delete({ where: { id } });
}
