/**
 * Tells the keys of a room when the first person enters and when the last one has left: a key is used until the room
 * was empty. Observers count as people, because with the next key they would hear nothing.
 */
import type { Logger } from '../../../platform/observability/logger.js';
import type { RoomEvent, RoomKey, RoomView } from './engine.js';

export interface WatchedRooms {
  room(room: RoomKey): RoomView | null;
  onEvent(listener: (event: RoomEvent) => void): () => void;
}

export interface LastingKeys {
  occupied(projectId: string, roomId: string, isEmpty: boolean): Promise<void>;
}

export class RoomOccupancy {
  private work: Promise<void> = Promise.resolve();
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly rooms: WatchedRooms,
    private readonly keys: LastingKeys,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.unsubscribe = this.rooms.onEvent((event) => {
      const changes = event.type === 'peer.joined' || (event.type === 'peer.left' && event.reason !== 'restarted');
      if (!changes || event.peer.bot) return; // after an engine crash the same people come back with the same tokens
      const { projectId, roomId } = event.room;
      const isEmpty = !(this.rooms.room(event.room)?.peers ?? []).some(({ bot }) => !bot);
      this.work = this.work
        .then(() => this.keys.occupied(projectId, roomId, isEmpty))
        .catch((error: unknown) => this.log.error({ err: error }, 'whether a room is empty could not be recorded'));
    });
  }

  async stop(): Promise<void> {
    this.unsubscribe?.();
    await this.work;
  }
}
