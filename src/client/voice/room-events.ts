/** Follows what a room tells us; connects again by itself, and then hears the room's state anew. */
import { EventSource } from 'eventsource';
import { RoomStreamEvent } from '../../contract/rooms/room-events.js';
import type { RoomAccess } from './room-access.js';

type EventType = RoomStreamEvent['type'];
const types: Readonly<Record<EventType, true>> = {
  'room.state': true,
  'room.peer': true,
  'room.slot': true,
  'room.muted': true,
  'room.warned': true,
  'room.removed': true,
  'room.closed': true,
  message: true,
};

export class RoomEvents {
  private readonly source: EventSource;
  /** Resolves when the room tells us things, or will not. */
  readonly opened: Promise<void>;

  constructor({ url, token }: RoomAccess, hear: (event: RoomStreamEvent) => void) {
    this.source = new EventSource(`${url}/events`, {
      fetch: (address, init) =>
        fetch(address, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } }),
    });
    for (const type of Object.keys(types)) {
      this.source.addEventListener(type, ({ data }) => {
        const event = RoomStreamEvent.safeParse(JSON.parse(data));
        if (event.success) hear(event.data); // a newer daemon may tell more than we know
      });
    }
    this.opened = new Promise((resolve) => {
      this.source.addEventListener('room.state', () => resolve());
      this.source.addEventListener('error', () => resolve());
    });
  }

  get connected(): boolean {
    return this.source.readyState === EventSource.OPEN;
  }

  /** It was refused, and does not try again. */
  get refused(): boolean {
    return this.source.readyState === EventSource.CLOSED;
  }

  close(): void {
    this.source.close();
  }
}
