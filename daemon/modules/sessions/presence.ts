/**
 * People in rooms: joining makes a person a participant; joining and leaving are announced and written into the
 * transcript.
 */

import { DomainError } from '../../../src/contract/errors.js';
import type { Presence as PresenceData } from '../../../src/contract/events.js';
import { isPerson } from '../../../src/contract/rooms/room-events.js';
import type { Database } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { Logger } from '../../platform/observability/logger.js';
import { FairWork } from '../../platform/turns/fair-work.js';
import type { ParticipantDirectory } from '../people/directory.js';
import type { ProjectStore } from '../projects/store.js';
import type { SessionDirectory } from './directory.js';
import type { HeardRooms, RoomChange } from './heard-rooms.js';
import type { RecentErasures } from './recent-erasures.js';
import type { SessionService } from './service.js';
import type { TranscriptService } from './transcripts.js';

interface PresenceNeeds {
  readonly people: Pick<ParticipantDirectory, 'ensure' | 'known' | 'hasMoved'>;
  readonly sessions: Pick<SessionDirectory, 'activeIn'>;
  /** Begins the session of a room again that ended because nobody was there. */
  readonly resumeIdled: SessionService['resumeIdled'];
  readonly transcripts: Pick<TranscriptService, 'note'>;
  readonly erasures: Pick<RecentErasures, 'has'>;
  /** The role of the daemon that has the rooms. */
  readonly role: { readonly isHeld: boolean };
  readonly projects: Pick<ProjectStore, 'tenantOf'>;
}

/** A session that may not begin now is no reason to forget who came. */
const noneIfRefused = (error: unknown): null => {
  if (error instanceof DomainError) return null;
  throw error;
};

type HeardPresence = Extract<RoomChange, { type: 'peer.joined' | 'peer.left' }>;

export class RoomPresence {
  private readonly work: FairWork<HeardPresence>;
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly needs: PresenceNeeds,
    logger: Logger,
  ) {
    this.work = new FairWork((heard) => this.record(heard), 'a presence in a room could not be recorded', logger);
  }

  start(rooms: Pick<HeardRooms, 'onEvent'>): void {
    this.unsubscribe = rooms.onEvent((event) => {
      if ((event.type !== 'peer.joined' && event.type !== 'peer.left') || !isPerson(event.peer)) return;
      // The rooms are another daemon's now, and the person may be back there already.
      if (!this.needs.role.isHeld) return;
      this.work.add(event.room.projectId, event);
    });
  }

  async stop(): Promise<void> {
    this.unsubscribe?.();
    await this.work.stop();
  }

  private async record(event: HeardPresence): Promise<void> {
    const { at } = event;
    const { projectId, roomId } = event.room;
    const { externalUserId, name } = event.peer;
    const { people, sessions, transcripts, erasures, projects } = this.needs;
    const tenantId = await projects.tenantOf(projectId);
    if (tenantId === null) return;
    const joined = event.type === 'peer.joined';
    const active = await sessions.activeIn(projectId, roomId);
    const session = active ?? (joined ? await this.needs.resumeIdled(projectId, roomId).catch(noneIfRefused) : null);
    await this.database.transaction(async (tx) => {
      const known = await people.known(tx, projectId, externalUserId);
      // A person erased while in the room leaves without an event.
      if (erasures.has(projectId, externalUserId, at) || (known === null && !joined)) return;
      // Who was moved before this could be stored has been removed from the room.
      if (known === null && (await people.hasMoved(projectId, externalUserId, at))) return;
      const person = known ?? (await people.ensure(tx, { tenantId, projectId, externalUserId, displayName: name }));
      const data: PresenceData = {
        id: person.id,
        externalUserId,
        displayName: person.displayName,
        roomId,
        sessionId: session?.id ?? null,
        reason: event.type === 'peer.left' ? event.reason : null,
        occurredAt: at.toISOString(),
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
      const line = `${person.displayName} ${joined ? 'joined' : 'left'}`;
      if (session !== null) await transcripts.note(tx, session, externalUserId, line, at);
    });
  }
}
