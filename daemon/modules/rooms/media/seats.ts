/** Seats in the rooms of this daemon, from the answer to an offer on, and the moderators among their holders. */
import { dropWhile } from '../../../platform/collections/drop-while.js';
import { type Clock, hasPassed } from '../../../platform/time/clock.js';
import { nameOf } from './by-room.js';
import type { RoomAddress, RoomEvent } from './engine.js';

interface SeatHolder {
  readonly projectId: string;
  readonly externalUserId: string;
  readonly moderate: boolean;
}

/** A client closes its connection first and deletes the resource afterwards, which then has already ended by itself. */
const rememberedMs = 60_000;
const rememberedMax = 10_000;

export class Seats {
  /** By room name, then by resource. */
  private readonly rooms = new Map<string, Map<string, SeatHolder>>();
  /** Seats that have ended, the oldest first, and until when they are remembered. */
  private readonly ended = new Map<string, number>();

  constructor(private readonly now: Clock) {}

  add({ projectId, roomId }: RoomAddress, resourceId: string, person: Omit<SeatHolder, 'projectId'>): void {
    const name = nameOf({ projectId, roomId });
    const seats = this.rooms.get(name) ?? new Map<string, SeatHolder>();
    this.rooms.set(name, seats.set(resourceId, { ...person, projectId }));
  }

  /** External ids of those in the room. */
  in = (room: RoomAddress): string[] => [...this.seatsIn(room)].map(({ externalUserId }) => externalUserId);

  /** External ids of everybody in rooms of the project. */
  peopleOf = (projectId: string): string[] =>
    [...this.rooms.values()].flatMap((seats) =>
      [...seats.values()].filter((seat) => seat.projectId === projectId).map(({ externalUserId }) => externalUserId),
    );

  isModerator = (room: RoomAddress, externalUserId: string): boolean =>
    [...this.seatsIn(room)].some((seat) => seat.moderate && seat.externalUserId === externalUserId);

  /** True for a minute after this person's seat has ended, whoever ended it. */
  hasEnded(room: RoomAddress, externalUserId: string, resourceId: string): boolean {
    const endedMs = this.ended.get(keyOf(nameOf(room), externalUserId, resourceId));
    return endedMs !== undefined && !hasPassed(rememberedMs, endedMs, this.now());
  }

  follow(event: RoomEvent): void {
    if (event.type === 'resource.closed') this.drop(nameOf(event.room), (id) => id === event.resourceId);
    else if (event.type === 'peer.left')
      this.drop(nameOf(event.room), (_, seat) => seat.externalUserId === event.peer.externalUserId);
    else if (event.type === 'engine.lost')
      for (const name of [...this.rooms.keys()]) this.drop(name, (_, { projectId }) => event.concerns(projectId));
  }

  private seatsIn = (room: RoomAddress): Iterable<SeatHolder> => this.rooms.get(nameOf(room))?.values() ?? [];

  private drop(name: string, isGone: (resourceId: string, seat: SeatHolder) => boolean): void {
    const seats = this.rooms.get(name);
    if (seats === undefined) return;
    for (const [id, seat] of seats) {
      if (!isGone(id, seat)) continue;
      seats.delete(id);
      this.remember(keyOf(name, seat.externalUserId, id));
    }
    if (seats.size === 0) this.rooms.delete(name);
  }

  private remember(key: string): void {
    const now = this.now();
    this.ended.set(key, now.getTime());
    dropWhile(this.ended, (endedMs) => hasPassed(rememberedMs, endedMs, now) || this.ended.size > rememberedMax);
  }
}

const keyOf = (room: string, externalUserId: string, resourceId: string): string =>
  JSON.stringify([room, externalUserId, resourceId]);
