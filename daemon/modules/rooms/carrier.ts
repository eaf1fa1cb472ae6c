/** What carries the sound: the engine, the rooms' event streams, and who may come in with which token and key. */
import type { EmbeddedRooms } from './embedded/engine.js';
import type { RoomEffects } from './media/room-effects.js';
import type { RoomStreams } from './media/room-streams.js';
import type { RoomTokenLedger } from './tokens/ledger.js';
import type { RoomKeys } from './tokens/room-keys.js';
import type { RoomTokens } from './tokens/room-tokens.js';

export interface RoomCarrier {
  readonly engine: EmbeddedRooms;
  readonly streams: RoomStreams;
  readonly keys: RoomKeys;
  readonly tokens: RoomTokens;
  readonly ledger: RoomTokenLedger;
  /** Brings policies into the rooms. */
  readonly effects: RoomEffects;
  /** Puts somebody out of a room (null: of all), after they were told why. Returns the ids of their tokens. */
  evict(projectId: string, roomId: string | null, externalUserId: string, reason: 'kicked'): Promise<string[]>;
  /** Puts everybody out of every room of the project. */
  close(projectId: string): Promise<void>;
  /** Projects that anybody, or a bot, is in a room of. */
  projects(): Set<string>;
}
