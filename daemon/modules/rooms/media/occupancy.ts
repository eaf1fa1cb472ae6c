/**
 * Tells the room keys, whenever somebody enters or leaves, whether the room is empty, because a key is used until the
 * room was empty. It also checks all keys in use from time to time: no event says that people from before a restart of
 * the daemon or of the room process have not come back. Observers count as people: with the next key they would hear
 * nothing.
 */

import type { Logger } from '../../../platform/observability/logger.js';
import { Repeat } from '../../../platform/scheduler/repeat.js';
import { FairWork } from '../../../platform/turns/fair-work.js';
import type { RoomKeys } from '../tokens/room-keys.js';
import type { RoomAddress, WatchedRooms } from './engine.js';

const lookEveryMs = 5 * 60_000;
const roomsAtOnce = 200;

export class RoomOccupancy {
  private readonly work: FairWork<RoomAddress>;
  private readonly looking: Repeat;
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly rooms: WatchedRooms,
    private readonly keys: Pick<RoomKeys, 'occupied' | 'rows'>,
    /** Rooms of another daemon look empty here. */
    private readonly role: { readonly isHeld: boolean },
    log: Logger,
  ) {
    const judge = ({ projectId, roomId }: RoomAddress) =>
      this.keys.occupied(projectId, roomId, this.isEmpty({ projectId, roomId }));
    this.work = new FairWork(judge, 'whether a room is empty could not be recorded', log);
    this.looking = new Repeat('room-keys', lookEveryMs, () => this.compare(), log);
  }

  start(): void {
    this.unsubscribe = this.rooms.onEvent((event) => {
      const changes = event.type === 'peer.joined' || (event.type === 'peer.left' && event.reason !== 'restarted');
      if (!changes || event.peer.bot) return; // after an engine crash the same people come back with the same tokens
      this.work.add(event.room.projectId, event.room);
    });
    this.looking.start();
  }

  async stop(): Promise<void> {
    this.unsubscribe?.();
    await this.looking.stop();
    await this.work.stop();
  }

  private async compare(): Promise<void> {
    if (!this.role.isHeld) return;
    let page = await this.keys.rows.inUse(null, roomsAtOnce);
    while (page.length > 0) {
      for (const room of page) if (this.isEmpty(room)) this.work.add(room.projectId, room);
      page = await this.keys.rows.inUse(page.at(-1) ?? null, roomsAtOnce);
    }
  }

  private isEmpty = (room: RoomAddress): boolean => !(this.rooms.room(room)?.peers ?? []).some(({ bot }) => !bot);
}
