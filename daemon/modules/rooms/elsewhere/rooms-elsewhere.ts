/** Access to rooms that another daemon of the database has, or that no daemon has at the moment. */
import { z } from 'zod';
import { DomainError } from '../../../../src/contract/errors.js';
import type { GenerateTokenResponse } from '../../../../src/contract/rooms/tokens.js';
import type { PeerView, RoomView } from '../media/engine.js';
import type { DaemonCall, RoomCalls, RoomRole } from './room-calls.js';
import { RoomSums, sumsOf } from './room-sums.js';

const call = <I extends z.ZodType, O extends z.ZodType>(method: string, request: I, answer: O): DaemonCall<I, O> => ({
  method,
  request,
  answer,
});

const Name = z.string();

export const evictCall = call(
  'evict',
  z.object({ projectId: Name, roomId: Name.nullable(), externalUserId: Name }),
  z.object({ tokenIds: z.array(Name) }),
);
export const closeCall = call('close', z.object({ projectId: Name }), z.object({}));
export const roomsCall = call(
  'rooms',
  /** One room or (null) all. */
  z.object({ projectId: Name, roomId: Name.nullable() }),
  z.array(
    z.object({
      roomId: Name,
      peers: z.array(
        z.object({
          externalUserId: Name,
          name: Name,
          publishing: z.boolean(),
          muted: z.boolean(),
          bot: z.boolean(),
          observer: z.boolean(),
        }),
      ),
      speaking: z.array(Name),
    }),
  ),
);
/** Sums up the rooms of these projects. */
export const sumsCall = call('sums', z.object({ projectIds: z.array(Name), take: z.int() }), RoomSums);
/** Answered once the events up to a position of the log have taken effect in the project's rooms. */
export const followCall = call('follow', z.object({ projectId: Name, position: Name }), z.object({}));

/** A room with somebody in it, as much as other daemons need to know of it. */
export type OpenRoom = Pick<RoomView, 'roomId' | 'speaking'> & {
  readonly peers: readonly Pick<PeerView, 'externalUserId' | 'name' | 'publishing' | 'muted' | 'bot' | 'observer'>[];
};

export type AddressesOfRoom = Pick<GenerateTokenResponse, 'otherUrls'> & { readonly url: string };

const roomUrl = (daemonUrl: string, roomId: string): string => `${daemonUrl}/rooms/${encodeURIComponent(roomId)}`;

export class RoomsElsewhere {
  constructor(
    private readonly role: RoomRole,
    private readonly calls: Pick<RoomCalls, 'call'>,
    /** Address of this daemon. */
    private readonly ownUrl: () => string,
    /** No daemon has the rooms: each lets people into all of them. */
    private readonly areEverywhere = false,
  ) {}

  /** True while this daemon has the rooms. */
  get areHere(): boolean {
    return this.areEverywhere || this.role.isHeld;
  }

  /** Address of the daemon that has the rooms; null: none has. */
  get url(): string | null {
    return this.role.url;
  }

  /** Where a room is, and where it is once the daemon that has it is lost. */
  addressesOf(roomId: string): AddressesOfRoom {
    const { answeringUrl, candidateUrls } = this.role;
    const here = this.areEverywhere ? this.ownUrl() : (answeringUrl ?? this.ownUrl());
    const all = this.areEverywhere && answeringUrl !== null ? [answeringUrl, ...candidateUrls] : candidateUrls;
    const others = all.filter((url) => url !== here);
    return { url: roomUrl(here, roomId), otherUrls: others.map((url) => roomUrl(url, roomId)) };
  }

  async evict(projectId: string, roomId: string | null, externalUserId: string): Promise<string[]> {
    return (await this.call(evictCall, { projectId, roomId, externalUserId }))?.tokenIds ?? [];
  }

  async close(projectId: string): Promise<void> {
    await this.call(closeCall, { projectId });
  }

  async rooms(projectId: string, roomId: string | null = null): Promise<OpenRoom[]> {
    return (await this.call(roomsCall, { projectId, roomId })) ?? [];
  }

  /** Sums up the rooms of these projects; names up to `take` of them. */
  async sums(projectIds: readonly string[], take: number): Promise<RoomSums> {
    const sums = await this.call(sumsCall, { projectIds: [...projectIds], take });
    return sums ?? sumsOf([], new Set(), 0);
  }

  /** Resolves once the events up to there have taken effect in the project's rooms. */
  async follow(projectId: string, position: bigint): Promise<void> {
    await this.call(followCall, { projectId, position: String(position) });
  }

  /** Throws room_elsewhere, or room_unavailable where no daemon has the rooms. */
  refuse(path: string): never {
    const url = this.role.answeringUrl;
    // Under its own address is its former run, whose lease has not ended yet.
    if (url !== null && url !== this.ownUrl())
      throw new DomainError('room_elsewhere', {
        message: `The voice rooms run at ${url}. Send the request there.`,
        details: [{ path: 'url', message: `${url}${path}` }],
      });
    throw new DomainError('room_unavailable', {
      message: 'No daemon runs the voice rooms at the moment. Try again soon, or start a daemon with the role voice.',
      retryAfterSeconds: 1,
    });
  }

  /** null where nobody can be in a room. */
  private async call<I extends z.ZodType, O extends z.ZodType>(to: DaemonCall<I, O>, request: z.input<I>) {
    return this.role.isShared && this.role.url !== null ? this.calls.call(to, request) : null;
  }
}
