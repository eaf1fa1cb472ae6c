/**
 * Rooms as sessions know them: who is there, what happens, and how a bot listens, whichever engine carries the sound.
 */
import type { PacketSource } from './bot/speaker-packet.js';

export interface HeardRoom {
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

export type RoomChange =
  /** `at`: when it happened. */
  | { readonly type: 'peer.joined'; readonly room: HeardRoom; readonly peer: PersonInRoom; readonly at: Date }
  | {
      readonly type: 'peer.left';
      readonly room: HeardRoom;
      readonly peer: PersonInRoom;
      readonly reason: string;
      readonly at: Date;
    }
  | { readonly type: 'peer.changed' | 'resource.closed' | 'slot.changed' }
  /** The rooms of these projects crashed and everybody in them left; afterwards they are available again. */
  | { readonly type: 'engine.lost' | 'engine.restarted'; readonly concerns: (projectId: string) => boolean };

export interface HeardRooms {
  /** Why nobody can enter rooms of this project now; null when they can. */
  problemOf(projectId: string): string | null;
  /** @param appearance how the bot appears among the people (settings botUserId, botUserData) */
  tap(
    room: HeardRoom & { readonly tenantId: string },
    appearance: Pick<PersonInRoom, 'externalUserId' | 'name'> & { readonly userData: unknown },
  ): PacketSource;
  /** null: nobody is there. */
  room(room: HeardRoom): { readonly peers: readonly PersonInRoom[] } | null;
  onEvent(listener: (event: RoomChange) => void): () => void;
}
