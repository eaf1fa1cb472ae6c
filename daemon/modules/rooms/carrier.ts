/** The media side of rooms: the engine, the rooms' event streams, and who may enter with which token and key. */
import type { RoleLease } from '../../platform/database/role-lease.js';
import type { RoomCalls } from './elsewhere/room-calls.js';
import type { RoomSums } from './elsewhere/room-sums.js';
import type { RoomsElsewhere } from './elsewhere/rooms-elsewhere.js';
import type { RoomFleet } from './embedded/room-fleet.js';
import type { RoomEffects } from './media/room-effects.js';
import type { RoomStreams } from './media/room-streams.js';
import type { Seats } from './media/seats.js';
import type { RoomRestrictionReader } from './restrictions/restrictions.js';
import type { RestrictionStore } from './restrictions/store.js';
import type { RoomTokenLedger } from './tokens/ledger-store.js';
import type { RoomKeys } from './tokens/room-keys.js';
import type { RoomTokens } from './tokens/room-tokens.js';

export interface RoomCarrier {
  /** The role `voice`: rooms are open only while this daemon holds it. */
  readonly role: RoleLease;
  readonly calls: RoomCalls;
  readonly elsewhere: RoomsElsewhere;
  readonly engine: RoomFleet;
  readonly streams: RoomStreams;
  readonly seats: Seats;
  readonly restrictions: { readonly store: RestrictionStore; readonly reader: RoomRestrictionReader };
  readonly keys: RoomKeys;
  readonly tokens: RoomTokens;
  readonly ledger: RoomTokenLedger;
  /** Applies policies in the rooms. */
  readonly effects: RoomEffects;
  /**
   * Sends a person the reason, then removes them from a room (null: from all), whichever daemon has it. Returns the ids of
   * their tokens.
   */
  evict(projectId: string, roomId: string | null, externalUserId: string, reason: 'kicked'): Promise<string[]>;
  /** Removes everybody from every room of the project, whichever daemon has them. */
  close(projectId: string): Promise<void>;
  /** How much goes on in the rooms of these projects, whichever daemon has them; names up to `take` of them. */
  sums(projectIds: readonly string[], take: number): Promise<RoomSums>;
  /** Projects with people or bots in a room of this daemon. */
  projects(): Set<string>;
}
