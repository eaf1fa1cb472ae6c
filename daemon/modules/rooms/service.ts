/** Rooms for operators: who is in which room, and removing somebody. */
import { DomainError } from '../../../src/contract/errors.js';
import type { Room } from '../../../src/contract/rooms/rooms.js';
import type { Clock } from '../../platform/clock.js';

interface OpenRoom {
  readonly roomId: string;
  readonly peers: readonly { externalUserId: string; name: string; publishing: boolean; bot: boolean }[];
  readonly speaking: readonly string[];
}

export interface OpenRooms {
  rooms(projectId: string): OpenRoom[];
  room(projectId: string, roomId: string): OpenRoom | null;
  /** Ends the person's connections in the room; returns the ids of their tokens. */
  remove(projectId: string, roomId: string | null, externalUserId: string, reason: 'kicked'): Promise<string[]>;
}

export interface TokenRevocation {
  revoke(use: {
    jti: string;
    projectId: string;
    roomId: string;
    externalUserId: string;
    expiresAt: Date;
  }): Promise<void>;
}

export interface RoomFacts {
  sessionIn(projectId: string, roomId: string): Promise<string | null>;
  isMuted(projectId: string, roomId: string, externalUserId: string): Promise<boolean>;
}

/** Longest life of a room token. */
const tokenLifetimeMs = 12 * 3_600_000;

export class RoomService {
  constructor(
    private readonly open: OpenRooms,
    private readonly ledger: TokenRevocation,
    private readonly facts: RoomFacts,
    private readonly now: Clock,
  ) {}

  list(projectId: string): Promise<Room[]> {
    return Promise.all(this.open.rooms(projectId).map((room) => this.view(projectId, room)));
  }

  get(projectId: string, roomId: string): Promise<Room> {
    return this.view(projectId, this.open.room(projectId, roomId) ?? { roomId, peers: [], speaking: [] });
  }

  private async view(projectId: string, { roomId, peers, speaking }: OpenRoom): Promise<Room> {
    return {
      roomId,
      sessionId: await this.facts.sessionIn(projectId, roomId),
      peers: await Promise.all(
        peers.map(async ({ externalUserId, name, publishing, bot }) => ({
          ...{ externalUserId, displayName: name, publishing, bot },
          speaking: speaking.includes(externalUserId),
          muted: await this.facts.isMuted(projectId, roomId, externalUserId),
        })),
      ),
    };
  }

  /** Removed at once, and the token does not open the room again. Throws peer_not_found. */
  async kick(projectId: string, roomId: string, externalUserId: string): Promise<void> {
    const tokenIds = await this.open.remove(projectId, roomId, externalUserId, 'kicked');
    if (tokenIds.length === 0) throw new DomainError('peer_not_found');
    const expiresAt = new Date(this.now().getTime() + tokenLifetimeMs);
    for (const jti of new Set(tokenIds))
      await this.ledger.revoke({ jti, projectId, roomId, externalUserId, expiresAt });
    // A person who came back between the two steps is removed again, and now stays out.
    await this.open.remove(projectId, roomId, externalUserId, 'kicked');
  }
}
