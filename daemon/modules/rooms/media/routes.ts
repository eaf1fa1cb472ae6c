/** WHIP and WHEP (RFC 9725) and the events of a room, with the room token as bearer. */
import type { ServerResponse } from 'node:http';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { DomainError } from '../../../../src/contract/errors.js';
import { RoomStreamQuery } from '../../../../src/contract/room-media.js';
import { CreateRoomStreamTicket } from '../../../../src/contract/streams/stream-tickets.js';
import { type ArrivingBody, type Bodies, smallBodyBytes } from '../../../platform/http/bodies/bodies.js';
import { allowOnly } from '../../../platform/http/methods.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { RoomClaims, RoomTokens } from '../tokens/room-tokens.js';
import type { Admission } from './admission.js';
import { roomLimits } from './engine.js';
import type { Media, RoomJoining } from './joining.js';
import { OfferGate } from './offer-gate.js';
import { RoomTickets } from './room-tickets.js';
import type { Seats } from './seats.js';

/** The rooms' event streams. */
interface RoomStreamOpener {
  open(claims: RoomClaims, response: ServerResponse, welcome: () => Promise<unknown>, partials: boolean): Promise<void>;
}

const bearer = (request: Request): string => /^Bearer (\S+)$/i.exec(request.get('authorization') ?? '')?.[1] ?? '';

/**
 * Counts requests: against the token, or (null) against the address where the token is not valid. Throws rate_limited.
 */
interface RequestLimits {
  countAs(identity: string | null, address: string, response: Response): Promise<void>;
}

interface RoomRouterNeeds {
  readonly joining: RoomJoining;
  readonly media: Pick<Media, 'close'>;
  readonly seats: Pick<Seats, 'hasEnded'>;
  readonly streams: RoomStreamOpener;
  readonly tokens: Pick<RoomTokens, 'verify'>;
  readonly admission: Pick<Admission, 'admit'>;
  readonly limits: RequestLimits;
  readonly elsewhere: {
    /** True while this daemon has the rooms. */
    readonly areHere: boolean;
    /** Says where they are. Throws. */
    refuse(path: string): never;
  };
  readonly bodies: Pick<Bodies, 'arriving'>;
  readonly publicUrl: () => string;
  readonly basePath: string;
  readonly now: Clock;
}

const ticketRoute = {
  operationId: 'createRoomStreamTicket',
  method: 'post',
  group: 'Real-time events',
  body: CreateRoomStreamTicket,
} as const;

const roomOf = (request: Request): string => String(request.params.roomId);

/** Identifies the caller by the room token. */
function identification(tokens: RoomRouterNeeds['tokens'], limits: RequestLimits) {
  const claimsOf = async (request: Request, token: string): Promise<RoomClaims> => {
    if (token === '') throw new DomainError('room_token_invalid');
    return tokens.verify(token, roomOf(request));
  };

  /** The token's claims, with the request counted. Throws room_token_invalid, rate_limited, and what `token` throws. */
  const identify = async (request: Request, response: Response, token = bearer): Promise<RoomClaims> => {
    const address = request.ip ?? '';
    const known = async () => claimsOf(request, token(request));
    const claims = await known().catch(async (refused: unknown) => {
      await limits.countAs(null, address, response);
      throw refused;
    });
    await limits.countAs(`room:${claims.jti}`, address, response);
    return claims;
  };

  return { claimsOf, identify };
}

export function roomRouter(needs: RoomRouterNeeds): Router {
  const { joining, media, seats, streams, tokens, admission, limits, bodies, elsewhere, publicUrl, basePath, now } =
    needs;
  const router = express.Router();
  const gate = new OfferGate();
  const tickets = new RoomTickets(now);
  const { claimsOf, identify } = identification(tokens, limits);

  const join = (kind: 'whip' | 'whep') => async (request: Request, response: Response) => {
    if (request.accepts('application/sdp') === false) throw new DomainError('not_acceptable');
    const token = bearer(request);
    const offer = bodies.arriving(response, roomLimits.sdpBytes);
    const joinOnce = async () => {
      const claims = await identify(request, response);
      gate.count(token);
      const offerSdp = await textOf(offer, request, claims);
      return joining.join(kind, claims, offerSdp, () => claimsOf(request, token));
    };
    const taken = token === '' ? joinOnce() : gate.pass(token, kind, joinOnce);
    const { answerSdp, resourceId } = await taken.finally(() => offer.release());
    response.status(201).location(`${basePath}/rooms/${encodeURIComponent(roomOf(request))}/${kind}/${resourceId}`);
    // Express would add a charset, which some clients of WHIP take for another type.
    response.setHeader('Content-Type', 'application/sdp');
    response.end(answerSdp);
  };

  const leave = async (request: Request, response: Response) => {
    const { project: projectId, room: roomId, sub } = await identify(request, response);
    const resourceId = String(request.params.resourceId);
    const room = { projectId, roomId };
    // Closing the connection ends the resource as well: a client that deletes it afterwards has done nothing wrong.
    if (!(await media.close(room, sub, resourceId)) && !seats.hasEnded(room, sub, resourceId))
      throw new DomainError('peer_not_found');
    response.status(200).end();
  };

  const follow = async (request: Request, response: Response) => {
    let token = bearer(request);
    await identify(request, response, () => {
      const { ticket } = request.query;
      if (token === '' && typeof ticket === 'string') token = tickets.use(ticket, roomOf(request), request.ip ?? '');
      return token;
    });
    const welcome = async () => {
      const claims = await claimsOf(request, token);
      const { project: projectId, room: roomId, sub: externalUserId, moderate } = claims;
      await admission.admit({ projectId, roomId }, { externalUserId, moderate });
      await joining.currentKey(claims);
      return claims;
    };
    const { partials = false } = RoomStreamQuery.safeParse(request.query).data ?? {};
    await streams.open(await welcome(), response, welcome, partials);
  };

  const makeTicket = async (request: Request, response: Response) => {
    const body = bodies.arriving(response, smallBodyBytes);
    try {
      const claims = await identify(request, response);
      const { value } = await body.judged(ticketRoute, request, null);
      await claimsOf(request, bearer(request));
      const { address = request.ip ?? '' } = CreateRoomStreamTicket.parse(value);
      const { ticket, expiresAt } = tickets.create(bearer(request), claims, address);
      const url = `${publicUrl()}/rooms/${encodeURIComponent(claims.room)}/events?ticket=${ticket}`;
      response.status(201).json({ url, ticket, expiresAt: expiresAt.toISOString() });
    } finally {
      body.release();
    }
  };

  const refuseElsewhere = (request: Request, _response: Response, next: NextFunction) => {
    if (!elsewhere.areHere && request.method !== 'OPTIONS') elsewhere.refuse(request.originalUrl);
    next();
  };
  const refuseKey = (request: Request, _response: Response, next: NextFunction) => {
    if (request.method === 'POST' && request.get('idempotency-key') !== undefined)
      throw new DomainError('idempotency_key_refused');
    next();
  };
  router.use(['/rooms/:roomId/events', '/rooms/:roomId/whip', '/rooms/:roomId/whep'], refuseElsewhere, refuseKey);

  const refuseOthers = allowOnly(['GET']); // a stream does not end, so HEAD would never be answered
  router.route('/rooms/:roomId/events').head(refuseOthers).get(follow).all(refuseOthers);
  router
    .route('/rooms/:roomId/events/stream-tickets')
    .post(makeTicket)
    .all(allowOnly(['POST']));
  for (const kind of ['whip', 'whep'] as const) {
    router.post(`/rooms/:roomId/${kind}`, join(kind));
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

/** The text of an offer. Throws unsupported_media_type, and as `ArrivingBody.bytes`. */
async function textOf(offer: ArrivingBody, request: Request, { project }: RoomClaims): Promise<string> {
  if (typeof request.is('application/sdp') === 'string') return (await offer.bytes(project)).toString('utf8');
  throw new DomainError('unsupported_media_type', { message: 'Send the offer as application/sdp.' });
}
