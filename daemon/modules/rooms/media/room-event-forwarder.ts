/**
 * Forwards events of the log into the rooms: transcript lines and warnings. Speech of a shadow-muted person is shown
 * only to that person.
 */
import { LRUCache } from 'lru-cache';
import type { DomainEvent } from '../../../../src/contract/events.js';
import { Sanction } from '../../../../src/contract/moderation/sanctions.js';
import { Message } from '../../../../src/contract/sessions/sessions.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { RoomStreams } from './room-streams.js';

const sessionsRemembered = 1_000;

export class RoomEventForwarder {
  private readonly roomOfSession = new LRUCache<string, string>({ max: sessionsRemembered });

  static readonly types = ['message.created', 'sanction.created'];

  constructor(
    private readonly streams: RoomStreams,
    private readonly roomOf: (projectId: string, sessionId: string) => Promise<string | null>,
    private readonly log: Logger,
  ) {}

  async take(events: readonly DomainEvent[]): Promise<void> {
    for (const event of events) {
      const { id, type, projectId } = event;
      if (projectId === undefined || !this.streams.hasReaders(projectId)) continue;
      try {
        if (type === 'message.created') await this.message(projectId, event);
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
    const roomId = this.roomOfSession.get(sessionId) ?? (await this.roomOf(projectId, sessionId));
    if (roomId === null) return;
    this.roomOfSession.set(sessionId, roomId);
    const message = { id, kind, senderName, externalUserId, content, timestamp };
    this.streams.message({ projectId, roomId }, message, shadowMuted ? externalUserId : null);
  }

  private sanction(projectId: string, { payload }: DomainEvent): void {
    const sanction = Sanction.safeParse(payload.data);
    if (!sanction.success) return;
    const { type, externalUserId, reason, isActive } = sanction.data;
    if (type === 'warn' && isActive && externalUserId !== null)
      this.streams.warn(projectId, externalUserId, reason ?? '');
  }
}
