/**
 * Voice rooms as the daemon knows them, whichever engine carries the sound. A room is (project, roomId) and exists
 * while somebody is in it or listens in. Engines know no sanctions and no database: callers pass in who enters and what
 * they may do. An engine never delays audio, not for the bot either.
 */
import { limits } from '../../../platform/limits/catalogue.js';

export interface RoomAddress {
  readonly projectId: string;
  readonly roomId: string;
}

/** The person who enters, according to the room token. `tokenId` (jti) tells a second device from a rejoin. */
export interface Visitor extends RoomAddress {
  readonly externalUserId: string;
  readonly name: string;
  readonly userData: unknown;
  readonly tokenId: string;
  /** Listens for the team that runs the game. */
  readonly observer: boolean;
}

/**
 * Treatment of a speaker's packets. mute, listen_only, text_only: `publish: false`, dropped for everybody and for
 * the bot. shadow_mute: `audible: false`, nobody hears them but the bot does. rate_limit: so many seconds of voice a
 * minute, the rest is dropped as under a mute.
 */
export interface SpeakingPolicy {
  readonly publish: boolean;
  readonly audible: boolean;
  readonly speakingSecondsPerMinute: number | null;
}

/** End-to-end encryption of a room: its frames are encrypted with this. */
export interface RoomSeal {
  readonly key: string;
  readonly keyIndex: number;
}

/** Policies of one person in the rooms of a project; null: they may not be there. */
export interface PersonPolicy {
  readonly everywhere: SpeakingPolicy | null;
  /** Rooms with a different policy, by room id. */
  readonly inRooms: ReadonlyMap<string, SpeakingPolicy | null>;
  /** People whom they block, by external user id: nothing of these is forwarded to them. */
  readonly blocked: readonly string[];
}

/** Answer to an SDP offer. The resource is what DELETE closes. */
export interface MediaAnswer {
  readonly answerSdp: string;
  readonly resourceId: string;
}

export type LeaveReason = 'flooding' | 'left' | 'lost' | 'replaced' | 'kicked' | 'banned' | 'room_closed' | 'restarted';

export interface PeerView {
  readonly externalUserId: string;
  readonly name: string;
  readonly userData: unknown;
  /** Holds a connected publication, muted or not. */
  readonly publishing: boolean;
  /** Publishes, but a sanction keeps everybody from hearing it; a shadow mute does not show here. */
  readonly muted: boolean;
  /** Listens in through `tap`; the page tells people that the room is transcribed. */
  readonly bot: boolean;
  /** Listens for the team that runs the game; not a participant. */
  readonly observer: boolean;
  /** Seconds of sound of each speaker that a bot holds in memory for reports; absent: none. */
  readonly keepsSeconds?: number;
}

/** Speaker in one of a listener's slots (m-lines, from 0); `speaker` null: the slot is free. */
export interface SlotState {
  readonly listener: string;
  readonly resourceId: string;
  readonly slot: number;
  readonly speaker: string | null;
}

export interface RoomView extends RoomAddress {
  readonly peers: readonly PeerView[];
  /** External ids of those who speak at this moment, whether anybody may hear them or not. */
  readonly speaking: readonly string[];
  readonly slots: readonly SlotState[];
}

export type RoomEvent =
  /** `at`: when it happened, which the daemon may hear of later. */
  | { type: 'peer.joined'; room: RoomAddress; peer: PeerView; at: Date }
  | { type: 'peer.changed'; room: RoomAddress; peer: PeerView }
  | { type: 'peer.left'; room: RoomAddress; peer: PeerView; reason: LeaveReason; at: Date }
  | { type: 'resource.closed'; room: RoomAddress; externalUserId: string; resourceId: string; reason: LeaveReason }
  | { type: 'slot.changed'; room: RoomAddress; slot: SlotState }
  /**
   * A room process has crashed: every peer of the projects that it concerns has left with reason `restarted`; all may rejoin once `engine.restarted` comes.
   */
  | { type: 'engine.lost' | 'engine.restarted'; concerns: (projectId: string) => boolean };

/** Rooms as operators see them. */
export interface WatchedRooms {
  room(room: RoomAddress): RoomView | null;
  onEvent(listener: (event: RoomEvent) => void): () => void;
}

/** One Opus frame of one speaker. A new `publicationId` is a new stream: decoders start anew. */
export interface SpeakerPacket {
  readonly externalUserId: string;
  readonly name: string;
  readonly publicationId: string;
  /** False under shadow_mute: nobody else hears it. */
  readonly audible: boolean;
  /** RTP sequence number, 16 bits, and timestamp, 32 bits at 48 kHz, as the speaker sent them. */
  readonly sequence: number;
  readonly timestamp: number;
  /** Milliseconds since the epoch when the packet reached the room. */
  readonly arrivedAtMs: number;
  readonly payload: Uint8Array;
}

/** A packet as its room hands it over: stamped by the clock that the processes of the machine share. */
export interface StampedPacket extends Omit<SpeakerPacket, 'arrivedAtMs'> {
  readonly stampMs: number;
}

/** How the bot appears among the peers (settings botUserId, botUserData). */
export interface BotAppearance {
  readonly externalUserId: string;
  readonly name: string;
  readonly userData: unknown;
}

/**
 * Everything said in a room, speakers in turn. Survives a restart of the engine. Holds `tapRingPackets` packets per
 * speaker; older ones are dropped and counted when the reader is slow. Ends after `close()`.
 */
export interface RoomTap extends AsyncIterable<SpeakerPacket> {
  /** Packets dropped because the reader was slow. */
  readonly dropped: number;
  /** Shows everybody in the room how many seconds of each speaker the reader holds in memory; 0: none. */
  keeps(seconds: number): void;
  close(): void;
}

export interface RoomEngineStats {
  readonly rooms: number;
  readonly publications: number;
  readonly subscriptions: number;
  readonly packetsIn: number;
  readonly packetsForwarded: number;
  /**
   * By cause: over 60 packets or 1.2 seconds of sound a second, over 1200 bytes, by policy, not RTP with Opus, no slot, not sent, a tap that was
   * read too slowly, not encrypted.
   */
  readonly packetsDropped: Readonly<Record<DropCause, number>>;
}

export type DropCause = 'rate' | 'size' | 'policy' | 'malformed' | 'slots' | 'unsent' | 'tap' | 'unsealed';

const stallSeconds = 8;

/** Limits of every engine. */
export const roomLimits = {
  sdpBytes: 64 * 1024,
  /** Open rooms of a project and in all, shared as `fair-share.ts` says. */
  rooms: limits.open_rooms.max,
  /** Offers that were answered and whose peer has not connected yet, per project and in all. */
  connecting: limits.connecting_peers.max,
  /** A peer that has not connected by then loses its seat. */
  connectMs: 10_000,
  peersPerRoom: limits.room_seats.max.people,
  /** Beside the people: a full room can be listened to. */
  observersPerRoom: limits.room_seats.max.observers,
  slotsPerListener: 8,
  packetsPerSecond: 60,
  /** Sound that a speaker sends in a second, in milliseconds: 60 packets of 20 ms. */
  soundMsPerSecond: 1_200,
  /** After the network, a client or the daemon stood still for so long, all that was said meanwhile is heard. */
  stallSeconds,
  /** A person whose client flooded the room stays out for this long. */
  floodBlockMs: 60_000,
  packetBytes: 1_200,
  tapRingPackets: stallSeconds * 50,
} as const;

export interface RoomEngine {
  /** Ready to take offers when it resolves. Throws when the engine cannot run here (port taken, no native module). */
  start(): Promise<void>;
  stop(): Promise<void>;

  /**
   * Takes a speaker. One publication per participant: the same token replaces its own, another token is refused. In an
   * encrypted room frames that do not decrypt reach only the tap. Throws sdp_invalid, room_full, room_limit_reached,
   * already_publishing, overloaded, room_unavailable.
   */
  publish(offerSdp: string, visitor: Visitor, policy: SpeakingPolicy, seal: RoomSeal | null): Promise<MediaAnswer>;
  /**
   * Takes a listener, who hears nothing of the `blocked` people; replaces the participant's earlier subscription. Throws as
   * `publish` does.
   */
  subscribe(offerSdp: string, visitor: Visitor, blocked: readonly string[]): Promise<MediaAnswer>;
  /** Closes a resource of this participant. False when there is none. */
  close(room: RoomAddress, externalUserId: string, resourceId: string): Promise<boolean>;
  /** Ends all resources of a participant (null: of everybody), in one room or (null) in all. Returns the tokens they came with. */
  remove(
    projectId: string,
    roomId: string | null,
    externalUserId: string | null,
    reason: LeaveReason,
  ): Promise<string[]>;
  /** By external user id. Holds when it resolves: no later packet is forwarded against it. */
  setPolicies(projectId: string, people: ReadonlyMap<string, PersonPolicy>): Promise<void>;

  tap(room: RoomAddress & { readonly tenantId: string }, appearance: BotAppearance): RoomTap;
  /** Returns the rooms known now, of one project or of all. */
  rooms(projectId?: string): RoomView[];
  room(room: RoomAddress): RoomView | null;
  stats(): Promise<RoomEngineStats>;
  /** Calls the listener with every event until the returned function is called. */
  onEvent(listener: (event: RoomEvent) => void): () => void;
}

/** An engine as the daemon runs it, with what only some engines have to say. */
export interface CarriedRooms extends RoomEngine {
  /** UDP port; 0: the daemon has none. */
  readonly port: number;
  readonly restarts: number;
  /** Offers that were refused because their tenant had as many peers as it may. */
  readonly overShare: number;
  /** Why some people cannot enter now; null when all can. */
  readonly problem: string | null;
  problemOf(projectId: string): string | null;
  /** Ends what the daemon may not go on with once another one has the role `voice`. */
  pause(): Promise<void>;
  /** Projects with people or bots in a room. */
  projects(): Set<string>;
  /** Reads who is in a room (null: in all rooms of the project) where others may have let them in. */
  lookInto(projectId: string, roomId: string | null): Promise<void>;
}
