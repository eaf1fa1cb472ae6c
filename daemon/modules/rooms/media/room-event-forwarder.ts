/**
 * Forwards events of the log into the rooms: transcript lines, what plugins say about them, warnings, announcements, messages to one. Lines of a
 * shadow-muted person are shown only to that person and to moderators.
 */
import { LRUCache } from 'lru-cache';
import type { DomainEvent } from '../../../../src/contract/events.js';
import { Sanction } from '../../../../src/contract/moderation/sanction-record.js';
import { AnnouncedNotice } from '../../../../src/contract/people/person-notices.js';
import { MessageAnnotation } from '../../../../src/contract/plugins/annotations.js';
import { AnnouncedText } from '../../../../src/contract/rooms/room-announcements.js';
import { Message } from '../../../../src/contract/sessions/sessions.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { SessionDirectory } from '../../sessions/directory.js';
import type { RoomAddress } from './engine.js';
import type { RoomStreams } from './room-streams.js';

const sessionsRemembered = 1_000;

export class RoomEventForwarder {
  private readonly roomOfSession = new LRUCache<string, string>({ max: sessionsRemembered });

  static readonly types = [
    ...(['message.created', 'message.annotation.created', 'sanction.created', 'room.announced'] as const),
    'participant.notified',
  ];

  constructor(
    private readonly streams: RoomStreams,
    private readonly sessions: Pick<SessionDirectory, 'roomOf'>,
    private readonly log: Logger,
  ) {}

  async forward(events: readonly DomainEvent[]): Promise<void> {
    for (const event of events) {
      const { id, type, projectId } = event;
      if (projectId === undefined || !this.streams.hasReaders(projectId)) continue;
      try {
        if (type === 'message.created') await this.message(projectId, event);
        else if (type === 'message.annotation.created') await this.annotation(projectId, event);
        else if (type === 'room.announced') this.announcement(projectId, event);
        else if (type === 'participant.notified') this.notice(projectId, event);
        else this.sanction(projectId, event);
      } catch (error) {
        this.log.error({ err: error, eventId: id }, 'an event did not reach its room');
      }
    }
  }

  private async message(projectId: string, { payload }: DomainEvent): Promise<void> {
    const said = Message.safeParse(payload.data);
    if (!said.success) return; // erased in the meantime
    const { sessionId, shadowMuted, type: kind, id, senderName, externalUserId, content, timestamp } = said.data;
    const room = await this.roomFor(projectId, sessionId);
    if (room === null) return;
    const message = { id, kind, senderName, externalUserId, content, timestamp };
    this.streams.message(room, message, shadowMuted ? externalUserId : null);
  }

  private async annotation(projectId: string, { payload }: DomainEvent): Promise<void> {
    const made = MessageAnnotation.safeParse(payload.data);
    if (!made.success) return; // erased in the meantime
    const { sessionId, id, messageId, pluginSlug, type, content } = made.data;
    const room = await this.roomFor(projectId, sessionId);
    if (room !== null) this.streams.annotation(room, { id, messageId, pluginSlug, type, content });
  }

  private async roomFor(projectId: string, sessionId: string): Promise<RoomAddress | null> {
    const roomId = this.roomOfSession.get(sessionId) ?? (await this.sessions.roomOf(projectId, sessionId));
    if (roomId === null) return null;
    this.roomOfSession.set(sessionId, roomId);
    return { projectId, roomId };
  }

  private announcement(projectId: string, { payload }: DomainEvent): void {
    const announced = AnnouncedText.safeParse(payload.data);
    if (!announced.success) return;
    const { roomId, id, text, createdAt: at } = announced.data;
    this.streams.announce({ projectId, roomId }, { type: 'room.announced', id, text, at });
  }

  private notice(projectId: string, { payload }: DomainEvent): void {
    const { success, data } = AnnouncedNotice.safeParse(payload.data);
    if (!success) return; // erased in the meantime
    const { id, text, createdAt: at, externalUserId } = data;
    this.streams.notify(projectId, externalUserId, { type: 'room.notified', id, text, at });
  }

  private sanction(projectId: string, { payload }: DomainEvent): void {
    const sanction = Sanction.safeParse(payload.data);
    if (!sanction.success) return;
    const { type, externalUserId, reason, isActive } = sanction.data;
    if (type === 'warn' && isActive && externalUserId !== null)
      this.streams.warn(projectId, externalUserId, reason ?? '');
  }
}
