/**
 * Rooms as sessions know them: who is there, what happens, and how a bot listens, whichever engine carries the sound.
 */
import type { BotAppearance, RoomAddress } from '../rooms/media/engine.js';
import type { PacketSource } from './bot/speaker-packet.js';

export interface PersonInRoom {
  readonly externalUserId: string;
  readonly name: string;
  /** Listens in for a session. */
  readonly bot: boolean;
  /** Listens for the team that runs the game. */
  readonly observer: boolean;
}

export type RoomChange =
  | { readonly type: 'peer.joined'; readonly room: RoomAddress; readonly peer: PersonInRoom }
  | { readonly type: 'peer.left'; readonly room: RoomAddress; readonly peer: PersonInRoom; readonly reason: string }
  | { readonly type: 'peer.changed' | 'resource.closed' | 'slot.changed' }
  /** The rooms of these projects crashed and everybody in them left; afterwards they are available again. */
  | { readonly type: 'engine.lost' | 'engine.restarted'; readonly concerns: (projectId: string) => boolean };

export interface HeardRooms {
  /** Why nobody can enter rooms of this project now; null when they can. */
  problemOf(projectId: string): string | null;
  tap(room: RoomAddress & { readonly tenantId: string }, appearance: BotAppearance): PacketSource;
  /** null: nobody is there. */
  room(room: RoomAddress): { readonly peers: readonly PersonInRoom[] } | null;
  onEvent(listener: (event: RoomChange) => void): () => void;
}
