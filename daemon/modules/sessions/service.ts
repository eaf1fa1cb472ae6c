/**
 * Voice sessions. Starting and stopping stores a request and announces it; the supervisor makes the running bots match
 * it and reports here what they do. What they hear goes into the transcript.
 */
import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../../src/contract/errors.js';
import {
  type CreateSessionRequest,
  idleTimeoutDefaultSeconds,
  type Session,
  type SessionListQuery,
  type SessionStarted,
} from '../../../src/contract/sessions/sessions.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { asLostRace, isUniqueViolation } from '../../platform/database/errors.js';
import { changesBetween, type EventLog } from '../../platform/events/log.js';
import type { ProjectGrant } from '../../platform/http/caller.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { Clock } from '../../platform/time/clock.js';
import { dayMs } from '../../platform/time/spans.js';
import type { ParticipantDirectory } from '../people/directory.js';
import { type BotCounters, noCounters } from './bot/status.js';
import type { BotLimit } from './bot-limit.js';
import { sessionEvent } from './session-event.js';
import { activeRoomKey, type SessionRow, type SessionStore, type SessionValues, toBot, toSession } from './store.js';
import type { TranscriptErasure } from './transcript-erasure.js';

/** Tells whether, and where, the project's rooms are configured; null without settings. */
interface RoomSettings {
  open(projectId: string): Promise<{
    tokenProvider: string;
    tokenProviderSettings: { url?: string | undefined };
  } | null>;
}

/** Messages that are deleted in one transaction. */
const removedAtOnce = 200;

export type BotStatus = { readonly state: Session['bot']['state']; readonly cause: Session['bot']['cause'] };

interface SessionServiceNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly sessions: SessionStore;
  readonly words: Pick<TranscriptErasure, 'someOf' | 'session' | 'isHeld'>;
  readonly settings: RoomSettings;
  readonly people: Pick<ParticipantDirectory, 'matching'>;
  readonly publicUrl: () => string;
  /** Checked before a session gets a bot. */
  readonly botLimit: BotLimit;
  readonly now: Clock;
}

/** Choice: people who come back a day later begin something else. */
const idledBackMs = dayMs;

export class SessionService {
  constructor(private readonly needs: SessionServiceNeeds) {}

  /** Throws settings_not_configured, room_has_session, bot_limit_reached. */
  async create(
    { projectId, tenantId }: ProjectGrant,
    createdByUserId: string,
    request: CreateSessionRequest,
  ): Promise<Session> {
    const usual = await this.gatewayOf(projectId);
    const gateway = request.gateway ?? usual;
    return this.oneARoom(() =>
      this.needs.database.transaction((tx) =>
        this.insert(tx, { projectId, tenantId }, { ...request, gateway, createdByUserId }),
      ),
    );
  }

  /**
   * The active session of a room, created when there is none, with a listening bot; within the caller's transaction.
   */
  async openIn(
    tx: Transaction,
    project: Pick<ProjectGrant, 'projectId' | 'tenantId'>,
    request: { title: string; externalRoomId: string; gateway: string; createdByUserId: string },
  ): Promise<{ id: string }> {
    const found = await this.needs.sessions.activeIn(project.projectId, request.externalRoomId, tx);
    const locked = found === null ? null : await this.needs.sessions.lock(tx, project.projectId, found.id);
    const active = locked?.status === 'active' ? locked : null; // it may have been stopped in the meantime
    if (active === null)
      return this.insert(tx, project, { ...request, idleTimeout: idleTimeoutDefaultSeconds, autoStart: true }).catch(
        asLostRace,
      );
    if (!active.botWanted) await this.alter(tx, active, await this.begun(tx, active));
    return active;
  }

  async list(projectId: string, { search, ...query }: SessionListQuery): Promise<{ rows: Session[]; total: number }> {
    const speakers = search === undefined ? null : await this.needs.people.matching(projectId, search);
    const filter = { ...query, speakers };
    const [rows, total] = await Promise.all([
      this.needs.sessions.list(projectId, filter),
      this.needs.sessions.count(projectId, filter),
    ]);
    return { rows: rows.map(toSession), total };
  }

  /** Throws session_not_found. */
  async get(projectId: string, id: string): Promise<Session> {
    const row = await this.needs.sessions.find(projectId, id);
    if (row === null) throw new DomainError('session_not_found');
    return toSession(row);
  }

  /**
   * Changes nothing for an active session; resumes an ended one. Throws session_not_found, settings_not_configured,
   * room_has_session, bot_limit_reached.
   */
  async start(projectId: string, id: string): Promise<SessionStarted> {
    await this.gatewayOf(projectId);
    return this.oneARoom(() => this.change(projectId, id, (row, tx) => (row.botWanted ? null : this.begun(tx, row))));
  }

  /** Throws session_not_found. */
  async stop(projectId: string, id: string): Promise<SessionStarted> {
    return this.change(projectId, id, (row) => this.ended(row, stoppedBot(toBot(row))));
  }

  /** With its transcript, in batches: no transaction blocks others for long. Throws session_not_found, legal_hold. */
  async remove(projectId: string, id: string): Promise<void> {
    await this.get(projectId, id);
    const eraseSome = async (tx: Transaction) => {
      if (await this.needs.words.isHeld(tx, projectId, id)) throw new DomainError('legal_hold');
      return this.needs.words.someOf(tx, projectId, id, removedAtOnce);
    };
    while ((await this.needs.database.transaction(eraseSome)) === removedAtOnce);
    await this.needs.database.transaction(async (tx) => {
      const row = await this.needs.sessions.lock(tx, projectId, id);
      if (row === null) throw new DomainError('session_not_found');
      while ((await eraseSome(tx)) === removedAtOnce); // what was heard in the meantime
      await this.needs.words.session(tx, projectId, id);
      await this.needs.sessions.remove(tx, id);
      await this.needs.log.append(tx, {
        type: 'session.deleted',
        tenantId: row.tenantId,
        projectId,
        resourceId: `session:${id}`,
        action: 'deleted',
        data: { id },
      });
    });
    await this.needs.database.dropLeftovers();
  }

  /** Stores the bot's status; announced as bot.status.changed when the state or its cause differs. */
  async reportBot(projectId: string, id: string, reported: BotStatus, counters: BotCounters): Promise<void> {
    const known = await this.needs.sessions.find(projectId, id);
    if (known === null || says(known, statusAfter(known, reported), counters)) return; // nothing to store
    await this.needs.database.transaction(async (tx) => {
      const before = await this.needs.sessions.lock(tx, projectId, id);
      if (before === null) return;
      const status = statusAfter(before, reported);
      const same = before.botState === status.state && before.botCause === status.cause;
      const fields = { ...(same ? {} : this.botFields(status)), botCounters: counters };
      const after = toSession(await this.needs.sessions.update(tx, id, fields));
      if (!same)
        await this.needs.log.append(
          tx,
          sessionEvent(after, {
            type: 'bot.status.changed',
            action: 'updated',
            changes: changesBetween(toSession(before), after),
            source: 'cortex:bot',
          }),
        );
    });
  }

  /** Ends a session that has been empty for too long; does nothing when it has ended already. */
  async endIdle(projectId: string, id: string): Promise<void> {
    await this.change(projectId, id, (row) => this.ended(row, { state: 'leaving', cause: 'idle_timeout' }));
  }

  /**
   * Begins the newest session of a room again, if it ended within a day because nobody was there. null: it ended for another
   * reason, or there is none. Throws bot_limit_reached, room_has_session.
   */
  async resumeIdled(projectId: string, externalRoomId: string): Promise<Session | null> {
    const row = await this.needs.sessions.newestIn(projectId, externalRoomId);
    const since = this.needs.now().getTime() - idledBackMs;
    if (row === null || row.botCause !== 'idle_timeout' || (row.endedAt?.getTime() ?? 0) < since) return null;
    const { status } = await this.oneARoom(() =>
      this.change(projectId, row.id, (now, tx) => (now.botCause === 'idle_timeout' ? this.begun(tx, now) : null)),
    );
    return status === 'active' ? this.get(projectId, row.id) : null;
  }

  async wanted(): Promise<Session[]> {
    return (await this.needs.sessions.wanted()).map(toSession);
  }

  /** Address of the project's rooms; null while the project has no settings. */
  async gateway(projectId: string): Promise<string | null> {
    const settings = await this.needs.settings.open(projectId);
    return settings === null ? null : (settings.tokenProviderSettings.url ?? this.needs.publicUrl());
  }

  private async gatewayOf(projectId: string): Promise<string> {
    const gateway = await this.gateway(projectId);
    if (gateway === null) throw new DomainError('settings_not_configured');
    return gateway;
  }

  private async insert(
    tx: Transaction,
    { projectId, tenantId }: Pick<ProjectGrant, 'projectId' | 'tenantId'>,
    request: Pick<SessionRow, 'title' | 'externalRoomId' | 'gateway' | 'createdByUserId' | 'idleTimeout'> & {
      autoStart: boolean;
      language?: string | undefined;
    },
  ): Promise<Session> {
    if (request.autoStart) await this.needs.botLimit(tx, projectId);
    const createdAt = this.needs.now();
    const session = toSession(
      await this.needs.sessions.insert(tx, {
        id: uuidv7(),
        tenantId,
        projectId,
        externalRoomId: request.externalRoomId,
        gateway: request.gateway,
        title: request.title,
        createdByUserId: request.createdByUserId,
        createdAt,
        status: 'active',
        idleTimeout: request.idleTimeout,
        language: request.language ?? null,
        endedAt: null,
        activeRoom: activeRoomKey(projectId, request.externalRoomId),
        botWanted: request.autoStart,
        botState: 'idle', // the supervisor reports the result of the request
        botCause: null,
        botSince: createdAt,
        botCounters: noCounters,
      }),
    );
    await this.needs.log.append(tx, sessionEvent(session, { type: 'session.created', action: 'created' }));
    return session;
  }

  private async oneARoom<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (isUniqueViolation(error)) throw new DomainError('room_has_session');
      throw error;
    }
  }

  private async begun(tx: Transaction, { projectId, externalRoomId }: SessionRow): Promise<Partial<SessionValues>> {
    await this.needs.botLimit(tx, projectId);
    return {
      status: 'active',
      endedAt: null,
      activeRoom: activeRoomKey(projectId, externalRoomId),
      botWanted: true,
      ...this.botFields({ state: 'idle', cause: null }),
    };
  }

  /** null: it has ended already. */
  private ended({ status }: SessionRow, bot: BotStatus): Partial<SessionValues> | null {
    if (status === 'ended') return null;
    return { status: 'ended', endedAt: this.needs.now(), activeRoom: null, botWanted: false, ...this.botFields(bot) };
  }

  private botFields({ state, cause }: BotStatus) {
    return { botState: state, botCause: cause, botSince: this.needs.now() };
  }

  /** Applies the fields and announces them; null: nothing to change. */
  private async change(
    projectId: string,
    id: string,
    fields: (row: SessionRow, tx: Transaction) => Promise<Partial<SessionValues>> | Partial<SessionValues> | null,
  ): Promise<SessionStarted> {
    return this.needs.database.transaction(async (tx) => {
      const before = await this.needs.sessions.lock(tx, projectId, id);
      if (before === null) throw new DomainError('session_not_found');
      const wanted = await fields(before, tx);
      if (wanted === null) return { sessionId: id, status: toSession(before).status, bot: toBot(before) };
      const after = await this.alter(tx, before, wanted);
      return { sessionId: id, status: after.status, bot: after.bot };
    });
  }

  private async alter(tx: Transaction, before: SessionRow, fields: Partial<SessionValues>): Promise<Session> {
    const after = toSession(await this.needs.sessions.update(tx, before.id, fields));
    await this.needs.log.append(
      tx,
      sessionEvent(after, {
        type: 'session.updated',
        action: 'updated',
        changes: changesBetween(toSession(before), after),
      }),
    );
    return after;
  }
}

const says = (row: SessionRow, { state, cause }: BotStatus, counters: BotCounters): boolean =>
  row.botState === state && row.botCause === cause && isDeepStrictEqual(toBot(row).counters, counters);

/** A session that has ended keeps its original cause; its bot can only leave. */
function statusAfter(row: SessionRow, { state, cause }: BotStatus): BotStatus {
  if (row.botWanted) return { state, cause };
  const before = toBot(row);
  const leaves = state === 'leaving' || state === 'stopped';
  return { state: leaves ? state : before.state, cause: before.cause ?? cause };
}

/** When no bot was listening, the reason why it could not listen stays as the reason for an empty transcript. */
function stoppedBot({ state, cause }: Session['bot']): BotStatus {
  if (state === 'failed') return { state: 'stopped', cause: cause ?? 'stopped_by_user' };
  return { state: state === 'idle' ? 'stopped' : 'leaving', cause: 'stopped_by_user' };
}
