/**
 * Selects the events of a project that concern one room: its sessions with their transcripts, who comes and goes, and
 * what is imposed on people who are there or have spoken there. A new session in the room belongs to it like the ones
 * before.
 */
import type { EarshotClient } from '../../client/earshot-client.js';
import { pageLimitMax } from '../../contract/common.js';
import type { DomainEvent } from '../../contract/events.js';
import { type Room, roomRoutes } from '../../contract/rooms/rooms.js';
import { sessionRoutes } from '../../contract/sessions/sessions.js';
import { fieldOf } from '../../terminal/output.js';

/** Types of events to ask for: a project's gameplay would drown one room. */
export const roomEventTypes =
  'session.*,bot.*,message.*,participant.*,sanction.*,review.*,report.*,rule.matched,gathering.*,room.*';

const peopleMax = 1_000;
/** They are about a person, wherever that person is. */
const aboutPeople = /^(sanction|review|report|participant)\./;

export class RoomScope {
  private readonly sessions = new Set<string>();
  private readonly people = new Set<string>();

  constructor(
    private readonly client: EarshotClient,
    private readonly projectId: string,
    readonly roomId: string,
  ) {}

  /**
   * Loads the people and sessions of the room. Must be called once the stream is open, so that nothing is missed in
   * between.
   */
  async load(): Promise<Room> {
    const params = { projectId: this.projectId };
    const query = { externalRoomId: this.roomId, limit: pageLimitMax };
    const [room, sessions] = await Promise.all([
      this.client.call(roomRoutes.get, { params: { ...params, roomId: this.roomId } }),
      this.client.call(sessionRoutes.list, { params, query }),
    ]);
    for (const { id } of sessions) this.sessions.add(id);
    for (const { externalUserId } of room.peers) this.remember(externalUserId);
    return room;
  }

  /** True if the event concerns the room. Must be called with every event, in order. */
  covers({ type, resourceId, payload: { data } }: DomainEvent): boolean {
    if (typeof data !== 'object' || data === null) return false;
    const [place, user] = [placeIn(data), fieldOf(data, 'externalUserId')];
    const isSession = fieldOf(data, 'externalRoomId') !== undefined || type === 'session.deleted';
    const session = fieldOf(data, isSession ? 'id' : 'sessionId');
    const isHere = place === this.roomId || resourceId === `room:${this.roomId}`;
    if (isHere && isSession && typeof session === 'string') this.sessions.add(session);
    const inSession = typeof session === 'string' && this.sessions.has(session);
    if ((isHere || inSession) && typeof user === 'string') this.remember(user);
    if (place !== null || typeof session === 'string') return isHere || inSession;
    return isHere || (aboutPeople.test(type) && typeof user === 'string' && this.people.has(user));
  }

  private remember(externalUserId: string): void {
    this.people.delete(externalUserId);
    this.people.add(externalUserId);
    const [oldest] = this.people;
    if (this.people.size > peopleMax && oldest !== undefined) this.people.delete(oldest);
  }
}

/** The room that an event names; null: none. */
function placeIn(data: object): string | null {
  const place = fieldOf(data, 'externalRoomId') ?? fieldOf(data, 'roomId');
  return typeof place === 'string' ? place : null;
}
