/** The media side of rooms: the engine, the rooms' event streams, and who may enter with which token and key. */
import type { EmbeddedRooms } from './embedded/engine.js';
import type { RoomEffects } from './media/room-effects.js';
import type { RoomStreams } from './media/room-streams.js';
import type { RoomTokenLedger } from './tokens/ledger-store.js';
import type { RoomKeys } from './tokens/room-keys.js';
import type { RoomTokens } from './tokens/room-tokens.js';

export interface RoomCarrier {
  readonly engine: EmbeddedRooms;
  readonly streams: RoomStreams;
  readonly keys: RoomKeys;
  readonly tokens: RoomTokens;
  readonly ledger: RoomTokenLedger;
  /** Applies policies in the rooms. */
  readonly effects: RoomEffects;
  /** Sends a person the reason, then removes them from a room (null: from all). Returns the ids of their tokens. */
  evict(projectId: string, roomId: string | null, externalUserId: string, reason: 'kicked'): Promise<string[]>;
  /** Removes everybody from every room of the project. */
  close(projectId: string): Promise<void>;
  /** Projects with people or bots in a room. */
  projects(): Set<string>;
}
