/** The rooms of a project, whichever daemon of the database has them. */
import type { CarriedRooms } from '../media/engine.js';
import type { RoomStreams } from '../media/room-streams.js';
import { type RoomSums, sumsOf } from './room-sums.js';
import type { OpenRoom, RoomsElsewhere } from './rooms-elsewhere.js';

export class RoomsAnywhere {
  constructor(
    private readonly engine: CarriedRooms,
    private readonly streams: RoomStreams,
    private readonly elsewhere: RoomsElsewhere,
  ) {}

  async list(projectId: string): Promise<readonly OpenRoom[]> {
    if (!this.elsewhere.areHere) return this.elsewhere.rooms(projectId);
    await this.engine.lookInto(projectId, null);
    return this.engine.rooms(projectId);
  }

  /** Returns the room; null: nobody is in it. */
  async find(projectId: string, roomId: string): Promise<OpenRoom | null> {
    if (!this.elsewhere.areHere) return (await this.elsewhere.rooms(projectId, roomId))[0] ?? null;
    await this.engine.lookInto(projectId, roomId);
    return this.engine.room({ projectId, roomId });
  }

  /** Sends a person the reason, then removes them from a room (null: from all). Returns the ids of their tokens. */
  async evict(projectId: string, roomId: string | null, externalUserId: string): Promise<string[]> {
    if (!this.elsewhere.areHere) return this.elsewhere.evict(projectId, roomId, externalUserId);
    // Streams first: a browser notices a closed connection only after seconds.
    const read = await this.streams.remove(projectId, roomId, externalUserId, 'kicked');
    return [...read, ...(await this.engine.remove(projectId, roomId, externalUserId, 'kicked'))];
  }

  /** Removes everybody from every room of the project. */
  async close(projectId: string): Promise<void> {
    if (!this.elsewhere.areHere) return this.elsewhere.close(projectId);
    this.streams.closeProject(projectId);
    await this.engine.remove(projectId, null, null, 'room_closed');
  }

  /** Sums up what goes on in the rooms of these projects; names up to `take` of them. */
  async sums(projectIds: readonly string[], take: number): Promise<RoomSums> {
    return this.elsewhere.areHere
      ? sumsOf(this.engine.rooms(), new Set(projectIds), take)
      : this.elsewhere.sums(projectIds, take);
  }

  /** Returns the projects with people, bots or readers in a room of this daemon. */
  projectsHere(): Set<string> {
    return new Set([...this.engine.projects(), ...this.streams.projects()]);
  }
}
