/** LiveKit's servers as the daemons use them: names of rooms, hidden tokens, and calls of the RoomService API. */
import { type ParticipantInfo, RoomConfiguration, TrackSource, TrackType } from '@livekit/protocol';
import { AccessToken, RoomServiceClient, TwirpError } from 'livekit-server-sdk';
import type { Settings } from '../../../platform/config/schema.js';
import type { RoomAddress } from '../media/engine.js';
import { roomLimits } from '../media/engine.js';
import { attributesOf, flagsOf, keptAttributes, type RoomFlags } from './flags.js';

/** The server checks it when the door connects, and the client never sees it. */
const tokenSeconds = 20;
const requestSeconds = 5;
const emptySeconds = 30;
const botsPerRoom = 4;

export interface LiveKitAccess {
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** null: the daemon carries the rooms itself. */
export function liveKitAccess({
  EARSHOT_ROOMS: engine,
  EARSHOT_LIVEKIT_URL: url,
  EARSHOT_LIVEKIT_API_KEY: apiKey,
  EARSHOT_LIVEKIT_API_SECRET: secret,
}: Settings): LiveKitAccess | null {
  if (engine !== 'livekit' || url === undefined || apiKey === undefined || secret === undefined) return null;
  return { url, apiKey, apiSecret: secret.reveal() };
}

/** Somebody as the server lets them in. */
export interface LiveKitEntry extends RoomAddress {
  readonly externalUserId: string;
  readonly name: string;
  readonly userData: unknown;
  readonly canPublish: boolean;
  readonly canSubscribe: boolean;
  readonly flags: RoomFlags;
}

/** Rooms of other users of the same servers have other names. */
const roomName = ({ projectId, roomId }: RoomAddress): string => `${projectId}/${roomId}`;

function addressIn(name: string): RoomAddress | null {
  const end = name.indexOf('/');
  return end < 0 ? null : { projectId: name.slice(0, end), roomId: name.slice(end + 1) };
}

export interface OpenLiveKitRoom {
  readonly room: RoomAddress;
  /** Another text once somebody has come, left, or begun or ceased to publish. */
  readonly mark: string;
}

export class LiveKitServer {
  private readonly rooms: RoomServiceClient;

  constructor(private readonly access: LiveKitAccess) {
    const { url, apiKey, apiSecret } = access;
    this.rooms = new RoomServiceClient(url, apiKey, apiSecret, { requestTimeout: requestSeconds });
  }

  /** Address of the signalling, for the door. */
  get signalUrl(): string {
    return `${this.access.url.replace(/^http/, 'ws')}/rtc`;
  }

  /** Address for clients of LiveKit that may reach it: the daemons' own. */
  get clientUrl(): string {
    return this.access.url;
  }

  async tokenFor({ externalUserId, name, userData, flags, ...entry }: LiveKitEntry): Promise<string> {
    const token = new AccessToken(this.access.apiKey, this.access.apiSecret, {
      identity: externalUserId,
      ttl: tokenSeconds,
      metadata: JSON.stringify(userData ?? {}),
      attributes: attributesOf(flags),
      name,
    });
    token.addGrant({
      roomJoin: true,
      room: roomName(entry),
      canPublish: entry.canPublish,
      canSubscribe: entry.canSubscribe,
      canPublishData: false,
      canPublishSources: [TrackSource.MICROPHONE],
      canUpdateOwnMetadata: false,
    });
    const { peersPerRoom, observersPerRoom } = roomLimits;
    token.roomConfig = new RoomConfiguration({
      maxParticipants: peersPerRoom + observersPerRoom + botsPerRoom,
      emptyTimeout: emptySeconds,
      departureTimeout: emptySeconds,
    });
    return token.toJwt();
  }

  async openRooms(): Promise<OpenLiveKitRoom[]> {
    return (await this.rooms.listRooms()).flatMap(({ name, sid, numParticipants, numPublishers }) => {
      const room = addressIn(name);
      return room === null ? [] : [{ room, mark: `${sid} ${numParticipants} ${numPublishers}` }];
    });
  }

  /** Nobody where there is no such room. */
  people = async (room: RoomAddress): Promise<ParticipantInfo[]> =>
    (await unlessGone(this.rooms.listParticipants(roomName(room)))) ?? [];

  async remove(room: RoomAddress, identity: string): Promise<void> {
    await unlessGone(this.rooms.removeParticipant(roomName(room), identity));
  }

  async close(room: RoomAddress): Promise<void> {
    await unlessGone(this.rooms.deleteRoom(roomName(room)));
  }

  /** Ends the tracks of whoever may not publish any more. */
  async allowPublishing(room: RoomAddress, { identity, permission }: ParticipantInfo, canPublish: boolean) {
    await unlessGone(
      this.rooms.updateParticipant(roomName(room), identity, {
        permission: { ...permission, canPublish, canPublishData: false, canPublishSources: [TrackSource.MICROPHONE] },
      }),
    );
  }

  /** Shows how many seconds of each speaker a bot holds in memory. */
  async showKept(room: RoomAddress, bot: string, seconds: number): Promise<void> {
    await unlessGone(this.rooms.updateParticipant(roomName(room), bot, { attributes: keptAttributes(seconds) }));
  }

  async subscribe(room: RoomAddress, listener: string, trackSids: readonly string[], hears: boolean): Promise<void> {
    if (trackSids.length === 0) return;
    await unlessGone(this.rooms.updateSubscriptions(roomName(room), listener, [...trackSids], hears));
  }
}

export const audioOf = ({ tracks }: ParticipantInfo): string[] =>
  tracks.filter(({ type }) => type === TrackType.AUDIO).map(({ sid }) => sid);

/** True for whoever is to hear by the policies: a bot hears everybody who publishes. */
export const isListener = (one: ParticipantInfo): boolean => !flagsOf(one).bot && one.permission?.canSubscribe === true;

/** null: the room or the person has gone meanwhile. */
async function unlessGone<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof TwirpError && error.status === 404) return null;
    throw error;
  }
}
