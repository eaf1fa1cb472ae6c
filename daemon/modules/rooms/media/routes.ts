/** WHIP and WHEP (RFC 9725) and the events of a room, with the room token as bearer. */
import type { ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import express, { type Request, type Response, type Router } from 'express';
import { DomainError } from '../../../../src/contract/errors.js';
import { allowOnly } from '../../../platform/http/methods.js';
import type { RoomClaims, RoomTokens } from '../tokens/room-tokens.js';
import {
  type MediaAnswer,
  type RoomKey,
  type RoomSeal,
  roomLimits,
  type SpeakingPolicy,
  type Visitor,
} from './engine.js';
import { OfferGate } from './offer-gate.js';

/** What the router needs of the rooms. */
export interface Media {
  publish(offerSdp: string, visitor: Visitor, policy: SpeakingPolicy, seal: RoomSeal | null): Promise<MediaAnswer>;
  subscribe(offerSdp: string, visitor: Visitor): Promise<MediaAnswer>;
  close(room: RoomKey, externalUserId: string, resourceId: string): Promise<boolean>;
}

export interface Admission {
  /** What the person may do in the room now. Throws participant_banned. */
  admit(room: RoomKey, externalUserId: string): Promise<SpeakingPolicy>;
  /** Applies that in every room where they are. */
  enforce(projectId: string, externalUserId: string): Promise<void>;
}

/** The rooms' event streams. */
export interface Streams {
  open(claims: RoomClaims, response: ServerResponse, welcome: () => Promise<unknown>): Promise<void>;
}

/** The encryption key of the room now; null where it is not encrypted. */
export type EncryptionKeyLookup = (projectId: string, roomId: string) => Promise<RoomSeal | null>;

const bearer = (request: Request): string => /^Bearer (\S+)$/i.exec(request.get('authorization') ?? '')?.[1] ?? '';

/**
 * Counts requests: against the token, or (null) against the address where the token is not valid. Throws rate_limited.
 */
export interface RequestLimits {
  countAs(identity: string | null, address: string, response: Response): Promise<void>;
}

export function roomRouter(
  media: Media,
  streams: Streams,
  tokens: RoomTokens,
  admission: Admission,
  encryptionKey: EncryptionKeyLookup,
  limits: RequestLimits,
): Router {
  const router = express.Router();
  const gate = new OfferGate();
  // Always read the body: a connection closed with an unread body is reset, and the client never sees the answer.
  const sdp = express.text({ type: 'application/sdp', limit: roomLimits.sdpBytes });

  const claimsOf = async (request: Request): Promise<RoomClaims> => {
    const { roomId } = request.params;
    const token = bearer(request);
    if (token === '') throw new DomainError('room_token_invalid');
    return tokens.verify(token, String(roomId));
  };

  /** The token's claims, with the request counted. Throws room_token_invalid, rate_limited. */
  const identify = async (request: Request, response: Response): Promise<RoomClaims> => {
    const address = request.ip ?? '';
    const claims = await claimsOf(request).catch(async (refused: unknown) => {
      await limits.countAs(null, address, response);
      throw refused;
    });
    await limits.countAs(`room:${claims.jti}`, address, response);
    return claims;
  };

  const join = (kind: 'whip' | 'whep') => async (request: Request, response: Response) => {
    if (request.accepts('application/sdp') === false) throw new DomainError('not_acceptable');
    const token = bearer(request);
    const take = async () => {
      const claims = await identify(request, response);
      gate.count(token);
      const offerSdp = offerOf(request);
      if (!(kind === 'whip' ? claims.publish : claims.subscribe)) throw new DomainError('room_token_forbids');
      return seat(kind, claims, offerSdp);
    };
    const { answerSdp, resourceId } = token === '' ? await take() : await gate.pass(token, kind, take);
    response
      .status(201)
      .set({
        'Content-Type': 'application/sdp',
        Location: `/rooms/${encodeURIComponent(String(request.params.roomId))}/${kind}/${resourceId}`,
      })
      .send(answerSdp);
  };

  const seat = async (kind: 'whip' | 'whep', claims: RoomClaims, offerSdp: string): Promise<MediaAnswer> => {
    const { sub: externalUserId, project: projectId, room: roomId, name, userData, jti: tokenId, observer } = claims;
    const visitor: Visitor = { projectId, roomId, externalUserId, name, userData, tokenId, observer };
    const policy = await admission.admit(visitor, externalUserId);
    const seal = await encryptionKey(projectId, roomId);
    tokens.requireKey(claims, seal);
    const answer =
      kind === 'whip' ? await media.publish(offerSdp, visitor, policy, seal) : await media.subscribe(offerSdp, visitor);
    await tokens.joined(claims);
    await judgeAgain(visitor, answer.resourceId, policy);
    return answer;
  };

  /** A sanction that was issued while the peer joined must not be missed. */
  const judgeAgain = async (visitor: Visitor, resourceId: string, before: SpeakingPolicy): Promise<void> => {
    const { projectId, externalUserId } = visitor;
    try {
      const policy = await admission.admit(visitor, externalUserId);
      if (!isDeepStrictEqual(policy, before)) await admission.enforce(projectId, externalUserId);
    } catch (error) {
      await media.close(visitor, externalUserId, resourceId);
      throw error;
    }
  };

  const leave = async (request: Request, response: Response) => {
    const { project: projectId, room: roomId, sub } = await identify(request, response);
    if (!(await media.close({ projectId, roomId }, sub, String(request.params.resourceId))))
      throw new DomainError('peer_not_found');
    response.status(200).end();
  };

  const follow = async (request: Request, response: Response) => {
    const welcome = async () => {
      const claims = await claimsOf(request);
      await admission.admit({ projectId: claims.project, roomId: claims.room }, claims.sub);
      return claims;
    };
    await identify(request, response);
    await streams.open(await welcome(), response, welcome);
  };

  const refuseOthers = allowOnly(['GET']); // a stream does not end, so HEAD would never be answered
  router.route('/rooms/:roomId/events').head(refuseOthers).get(follow).all(refuseOthers);
  for (const kind of ['whip', 'whep'] as const) {
    router.post(`/rooms/:roomId/${kind}`, sdp, join(kind));
    router.delete(`/rooms/:roomId/${kind}/:resourceId`, leave);
    router.all([`/rooms/:roomId/${kind}`, `/rooms/:roomId/${kind}/:resourceId`], (request, response) => {
      response.set({
        Allow: request.params.resourceId === undefined ? 'POST, OPTIONS' : 'DELETE, OPTIONS',
        'Accept-Post': 'application/sdp',
      });
      if (request.method !== 'OPTIONS') throw new DomainError('method_not_allowed');
      response.status(204).end();
    });
  }
  return router;
}

/** Throws unsupported_media_type. */
function offerOf({ body }: Request): string {
  if (typeof body === 'string') return body;
  throw new DomainError('unsupported_media_type', { message: 'Send the offer as application/sdp.' });
}
