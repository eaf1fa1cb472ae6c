/** Applies what holds for a whole room to everybody who is in it or reads its events. */
import type { RoomEnforcer } from '../../moderation/sanctions/room-enforcer.js';
import type { RoomsElsewhere } from '../elsewhere/rooms-elsewhere.js';
import type { CarriedRooms } from '../media/engine.js';
import type { RoomStreams } from '../media/room-streams.js';
import type { Seats } from '../media/seats.js';

export class RestrictionEnforcement {
  constructor(
    private readonly streams: Pick<RoomStreams, 'readersOf'>,
    private readonly seats: Pick<Seats, 'in'>,
    private readonly rooms: Pick<CarriedRooms, 'lookInto'>,
    private readonly elsewhere: Pick<RoomsElsewhere, 'areHere'>,
    private readonly enforcer: Pick<RoomEnforcer, 'enforce' | 'applied'>,
  ) {}

  /** Applies the restrictions of a room of this daemon. */
  async enforceHere(projectId: string, roomId: string): Promise<void> {
    await this.rooms.lookInto(projectId, roomId);
    await this.enforceThere(projectId, roomId);
  }

  private enforceThere(projectId: string, roomId: string): Promise<void> {
    const readers = this.streams.readersOf(projectId).filter((reader) => reader.roomId === roomId);
    const people = [...this.seats.in({ projectId, roomId }), ...readers.map(({ externalUserId }) => externalUserId)];
    return this.enforcer.enforce(projectId, people);
  }

  /** Resolves once they hold in the room, whichever daemon has it. */
  async enforce(projectId: string, roomId: string): Promise<void> {
    if (this.elsewhere.areHere) {
      await this.rooms.lookInto(projectId, roomId).catch(() => {}); // who joins meanwhile is judged at the door
      this.enforceThere(projectId, roomId).catch(() => {}); // is tried again until it holds
    }
    await this.enforcer.applied([{ projectId }]);
  }
}
