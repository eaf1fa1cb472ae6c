/** Seats in the rooms of this daemon, from the answer to an offer on, and the moderators among their holders. */
import { nameOf } from './by-room.js';
import type { RoomAddress, RoomEvent } from './engine.js';

interface SeatHolder {
  readonly projectId: string;
  readonly externalUserId: string;
  readonly moderate: boolean;
}

export class Seats {
  /** By room name, then by resource. */
  private readonly rooms = new Map<string, Map<string, SeatHolder>>();

  add({ projectId, roomId }: RoomAddress, resourceId: string, person: Omit<SeatHolder, 'projectId'>): void {
    const name = nameOf({ projectId, roomId });
    const seats = this.rooms.get(name) ?? new Map<string, SeatHolder>();
    this.rooms.set(name, seats.set(resourceId, { ...person, projectId }));
  }

  /** External ids of those in the room. */
  in = (room: RoomAddress): string[] => [...this.seatsIn(room)].map(({ externalUserId }) => externalUserId);

  isModerator = (room: RoomAddress, externalUserId: string): boolean =>
    [...this.seatsIn(room)].some((seat) => seat.moderate && seat.externalUserId === externalUserId);

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
    for (const [id, seat] of seats) if (isGone(id, seat)) seats.delete(id);
    if (seats.size === 0) this.rooms.delete(name);
  }
}
