/**
 * Rooms as sessions know them: who is there, what happens, and how a bot listens, whichever engine carries the sound.
 */
import type { Tap } from './bot/speaker-packet.js';

export interface RoomKey {
  readonly projectId: string;
  readonly roomId: string;
}

export interface PersonInRoom {
  readonly externalUserId: string;
  readonly name: string;
  /** Listens in for a session. */
  readonly bot: boolean;
  /** Listens for the team that runs the game. */
  readonly observer: boolean;
}

export type RoomEvent =
  | { readonly type: 'peer.joined'; readonly room: RoomKey; readonly peer: PersonInRoom }
  | { readonly type: 'peer.left'; readonly room: RoomKey; readonly peer: PersonInRoom; readonly reason: string }
  | { readonly type: 'peer.changed' | 'resource.closed' | 'slot.changed' }
  /** The rooms of these projects crashed and everybody in them left; afterwards they are available again. */
  | { readonly type: 'engine.lost' | 'engine.restarted'; readonly concerns: (projectId: string) => boolean };

/** How a bot appears among the people of a room. */
interface BotAppearance {
  readonly externalUserId: string;
  readonly name: string;
  readonly userData: unknown;
}

export interface HeardRooms {
  /** Why nobody can enter rooms of this project now; null when they can. */
  problemOf(projectId: string): string | null;
  tap(room: RoomKey & { readonly tenantId: string }, appearance: BotAppearance): Tap;
  /** null: nobody is there. */
  room(room: RoomKey): { readonly peers: readonly PersonInRoom[] } | null;
  onEvent(listener: (event: RoomEvent) => void): () => void;
}
