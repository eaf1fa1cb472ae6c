/**
 * People in rooms: joining makes a person a participant; joining and leaving are announced and written into the
 * transcript.
 */
import type { Presence as PresenceData } from '../../../src/contract/events.js';
import type { Session } from '../../../src/contract/sessions/sessions.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { Logger } from '../../platform/observability/logger.js';
import type { HeardRooms, RoomEvent } from './heard-rooms.js';

export interface People {
  ensure(
    tx: Transaction,
    who: { tenantId: string; projectId: string; externalUserId: string; displayName?: string },
  ): Promise<{ id: string; displayName: string }>;
  known(
    tx: Transaction,
    projectId: string,
    externalUserId: string,
  ): Promise<{ id: string; displayName: string } | null>;
}

export interface RoomSessions {
  activeIn(projectId: string, roomId: string): Promise<Session | null>;
}

export interface Notes {
  note(session: Session, externalUserId: string, content: string): Promise<void>;
}

export class RoomPresence {
  private work: Promise<void> = Promise.resolve();
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly people: People,
    private readonly sessions: RoomSessions,
    private readonly transcripts: Notes,
    private readonly tenantOf: (projectId: string) => Promise<string | null>,
    private readonly logger: Logger,
  ) {}

  start(rooms: Pick<HeardRooms, 'onEvent'>): void {
    this.unsubscribe = rooms.onEvent((event) => {
      if ((event.type !== 'peer.joined' && event.type !== 'peer.left') || event.peer.bot) return;
      this.work = this.work
        .then(() => this.record(event))
        .catch((error: unknown) => this.logger.error({ err: error }, 'a presence in a room could not be recorded'));
    });
  }

  async stop(): Promise<void> {
    this.unsubscribe?.();
    await this.work;
  }

  private async record(event: Extract<RoomEvent, { type: 'peer.joined' | 'peer.left' }>): Promise<void> {
    const { projectId, roomId } = event.room;
    const { externalUserId, name } = event.peer;
    const tenantId = await this.tenantOf(projectId);
    if (tenantId === null) return;
    const session = await this.sessions.activeIn(projectId, roomId);
    const joined = event.type === 'peer.joined';
    const displayName = await this.database.transaction(async (tx) => {
      // A person erased while in the room leaves without an event.
      const person = joined
        ? await this.people.ensure(tx, { tenantId, projectId, externalUserId, displayName: name })
        : await this.people.known(tx, projectId, externalUserId);
      if (person === null) return null;
      const data: PresenceData = {
        id: person.id,
        externalUserId,
        displayName: person.displayName,
        roomId,
        sessionId: session?.id ?? null,
        reason: event.type === 'peer.left' ? event.reason : null,
      };
      await this.log.append(tx, {
        type: joined ? 'participant.joined' : 'participant.left',
        source: 'cortex:bot',
        tenantId,
        projectId,
        resourceId: `participant:${person.id}`,
        action: 'occurred',
        data,
        subjectUserId: externalUserId,
      });
      return person.displayName;
    });
    if (session !== null && displayName !== null)
      await this.transcripts.note(session, externalUserId, `${displayName} ${joined ? 'joined' : 'left'}`);
  }
}
