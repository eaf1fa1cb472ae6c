/** Texts for everybody in a room. They go through the log, so they reach it whichever daemon has it. */

import {
  type AnnouncedText,
  type RoomAnnouncement,
  roomAnnouncementRoutes,
} from '../../../src/contract/rooms/room-announcements.js';
import { isPerson } from '../../../src/contract/rooms/room-events.js';
import type { Room } from '../../../src/contract/rooms/rooms.js';
import type { Session } from '../../../src/contract/sessions/sessions.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import { bind } from '../../platform/http/bind.js';
import type { ProjectGrant } from '../../platform/http/caller.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { Clock } from '../../platform/time/clock.js';
import { requireOwnRooms, type TokenSettings } from './own-rooms.js';

interface AnnouncementNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly settings: TokenSettings;
  readonly rooms: { get(projectId: string, roomId: string): Promise<Room> };
  readonly transcripts: {
    /** Writes a line that nobody said into the transcript; `externalUserId` null: it concerns the whole room. */
    note(
      tx: Transaction,
      session: Pick<Session, 'projectId' | 'tenantId' | 'id'>,
      externalUserId: string | null,
      content: string,
    ): Promise<void>;
  };
  readonly now: Clock;
}

class RoomAnnouncements {
  constructor(private readonly needs: AnnouncementNeeds) {}

  /** Throws settings_not_configured, provider_unsupported. */
  async announce({ tenantId, projectId }: ProjectGrant, roomId: string, text: string): Promise<RoomAnnouncement> {
    const { database, log, settings, rooms, transcripts, now } = this.needs;
    await requireOwnRooms(settings, projectId, 'announced in');
    const { peers, sessionId } = await rooms.get(projectId, roomId);
    const data: AnnouncedText = {
      ...{ id: uuidv7(), roomId, text },
      ...{ sessionId, createdAt: now().toISOString() },
    };
    await database.transaction(async (tx) => {
      if (sessionId !== null)
        await transcripts.note(tx, { tenantId, projectId, id: sessionId }, null, `Announcement: ${text}`);
      await log.append(tx, {
        type: 'room.announced',
        tenantId,
        projectId,
        resourceId: `room:${roomId}`,
        action: 'created',
        data,
        subjectUserId: null,
      });
    });
    return { ...data, people: peers.filter(isPerson).length };
  }
}

export const announcementRouter = (needs: AnnouncementNeeds) => {
  const announcements = new RoomAnnouncements(needs);
  return bind(roomAnnouncementRoutes, {
    announce: ({ project, params, body }) => announcements.announce(project, params.roomId, body.text),
  });
};
