/**
 * People who join a room to speak or to listen. The answer comes once the room's bot listens, so that their first words
 * are not missed.
 */
import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../../../src/contract/errors.js';
import type { BotSupervisor } from '../../sessions/supervisor.js';
import type { BlockStore } from '../blocks/store.js';
import type { RoomKeys } from '../tokens/room-keys.js';
import type { RoomClaims, RoomTokens } from '../tokens/room-tokens.js';
import type { Admission, Entering } from './admission.js';
import type { MediaAnswer, RoomAddress, RoomSeal, SpeakingPolicy, Visitor } from './engine.js';
import type { Seats } from './seats.js';

export interface Media {
  publish(offerSdp: string, visitor: Visitor, policy: SpeakingPolicy, seal: RoomSeal | null): Promise<MediaAnswer>;
  subscribe(offerSdp: string, visitor: Visitor, blocked: readonly string[]): Promise<MediaAnswer>;
  close(room: RoomAddress, externalUserId: string, resourceId: string): Promise<boolean>;
}

interface JoiningNeeds {
  readonly media: Media;
  readonly tokens: Pick<RoomTokens, 'requireKey' | 'joined'>;
  readonly admission: Pick<Admission, 'admit' | 'enforce'>;
  readonly keys: Pick<RoomKeys, 'inForce'>;
  readonly seats: Pick<Seats, 'add'>;
  readonly blocks: Pick<BlockStore, 'blockedBy'>;
  readonly bots: Pick<BotSupervisor, 'expect'>;
}

export class RoomJoining {
  constructor(private readonly needs: JoiningNeeds) {}

  /**
   * Throws room_token_forbids, participant_banned, room_closed, and what tokens and media throw.
   *
   * @param requireToken throws where the token is not valid any more: the offer and the seat took their time
   */
  async join(
    kind: 'whip' | 'whep',
    claims: RoomClaims,
    offerSdp: string,
    requireToken: () => Promise<unknown>,
  ): Promise<MediaAnswer> {
    const { media, tokens, admission, seats, bots } = this.needs;
    if (!(kind === 'whip' ? claims.publish : claims.subscribe)) throw new DomainError('room_token_forbids');
    const { sub: externalUserId, project: projectId, room: roomId, name, userData, jti: tokenId, observer } = claims;
    const person = { externalUserId, moderate: claims.moderate };
    const visitor: Visitor = { projectId, roomId, externalUserId, name, userData, tokenId, observer };
    await requireToken();
    const policy = await admission.admit(visitor, person);
    await bots.expect({ projectId, roomId }, !observer);
    const seal = await this.currentKey(claims);
    const blocked = await this.blockedBy(visitor);
    const answer =
      kind === 'whip'
        ? await media.publish(offerSdp, visitor, policy, seal)
        : await media.subscribe(offerSdp, visitor, blocked);
    seats.add(visitor, answer.resourceId, person);
    await tokens.joined(claims);
    await this.judgeAgain(visitor, person, answer.resourceId, { policy, blocked, requireToken });
    return answer;
  }

  /** The key of the room now; null: it is not encrypted. Throws room_token_invalid where the token came with another one. */
  async currentKey(claims: RoomClaims): Promise<RoomSeal | null> {
    const seal = await this.needs.keys.inForce(claims.project, claims.room);
    this.needs.tokens.requireKey(claims, seal);
    return seal;
  }

  /**
   * A kick, a sanction or a block of while the peer joined must not be missed, and a moderator who was not known as one until
   * now must not stay muted with the room.
   */
  private async judgeAgain(
    visitor: Visitor,
    person: Entering,
    resourceId: string,
    {
      requireToken,
      ...before
    }: {
      readonly policy: SpeakingPolicy;
      readonly blocked: readonly string[];
      readonly requireToken: () => Promise<unknown>;
    },
  ): Promise<void> {
    const { media, admission } = this.needs;
    const { projectId, externalUserId } = visitor;
    try {
      await requireToken();
      const policy = await admission.admit(visitor, person);
      const now = { policy, blocked: await this.blockedBy(visitor) };
      if (person.moderate || !isDeepStrictEqual(now, before)) await admission.enforce(projectId, externalUserId);
    } catch (error) {
      await media.close(visitor, externalUserId, resourceId);
      throw error;
    }
  }

  private async blockedBy({ projectId, externalUserId }: Visitor): Promise<readonly string[]> {
    return (await this.needs.blocks.blockedBy(projectId, [externalUserId])).get(externalUserId)?.sort() ?? [];
  }
}
