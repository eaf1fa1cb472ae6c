/** Turns a credential into a Caller. Each route states which kinds of credential it accepts. */
import { DomainError } from '../../../src/contract/errors.js';
import type { CredentialKind, Route } from '../../../src/contract/route.js';
import type { RouteRequest } from './arrived.js';
import type {
  ApiKeyCaller,
  Caller,
  Member,
  ModeratorCaller,
  PeerCaller,
  PlayerCaller,
  ServiceCaller,
  UserCaller,
} from './caller.js';
import { networkOf } from './rate-limits.js';

/** Checks each kind of credential; returns null for one that is not valid. */
export interface CredentialVerifiers {
  userToken(token: string): Promise<UserCaller | null>;
  apiKey(key: string): Promise<ApiKeyCaller | null>;
  playerToken(token: string): Promise<PlayerCaller | null>;
  /** Throws room_token_invalid, room_token_forbids, participant_banned. */
  roomToken(token: string): Promise<ModeratorCaller>;
  /** The holder as a person in the room. Throws room_token_invalid, participant_banned, room_closed. */
  peerToken(token: string): Promise<PeerCaller>;
  /** Uses up the ticket, which opens the stream of this request and no other; null: it does not. */
  streamTicket(ticket: string, request: TicketedRequest): Promise<Member | null>;
  /** Throws signature_invalid, rate_limited. */
  signature(signed: SignedRequest): Promise<ServiceCaller>;
}

/** A request that carries its own signature; absent headers are empty. */
export interface SignedRequest {
  readonly timestamp: string;
  readonly signature: string;
  readonly billingProjectId: string;
  readonly rawBody: Buffer;
  /** The address, or the network of an IPv6 one. */
  readonly address: string;
}

/** A request for a stream, with what a ticket is bound to. */
export interface TicketedRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly address: string;
}

interface Presented {
  readonly kind: Exclude<CredentialKind, 'signature' | 'streamTicket'>;
  readonly value: string;
}

/** Longest header value that is read. */
const credentialLengthMax = 4_096;
/** Keys are never longer than this, tokens always are: the length of what stands behind `Bearer` tells them apart. */
export const apiKeyLengthMax = 64;

const nothing = Buffer.alloc(0);

type Bearing = Pick<RouteRequest, 'get' | 'path' | 'ip' | 'query'>;

function present(request: Bearing): Presented | null {
  const header = request.get('x-api-key');
  if (header !== undefined && header !== '') return { kind: 'apiKey', value: header };
  const [, scheme = '', value = ''] = /^(\S+)\s+(\S+)\s*$/.exec(request.get('authorization') ?? '') ?? [];
  if (value === '') return null;
  if (scheme.toLowerCase() === 'apikey') return { kind: 'apiKey', value };
  if (scheme.toLowerCase() !== 'bearer') return null;
  if (request.path.startsWith('/rooms/')) return { kind: 'roomToken', value };
  if (value.length <= apiKeyLengthMax) return { kind: 'apiKey', value };
  return { kind: request.path.startsWith('/api/v1/') ? 'playerToken' : 'bearer', value };
}

const signedOf = (request: Bearing, rawBody: Buffer): SignedRequest => ({
  timestamp: request.get('x-timestamp') ?? '',
  signature: request.get('x-signature') ?? '',
  billingProjectId: request.get('x-project-id') ?? '',
  rawBody,
  address: networkOf(request.ip ?? ''),
});

export class Authentication {
  constructor(private readonly verifiers: CredentialVerifiers) {}

  /**
   * Throws credential_missing, credential_kind, credential_invalid, room_token_invalid, signature_invalid or
   * stream_ticket_invalid (401), or
   * player_token_invalid, room_token_forbids or participant_banned (403).
   *
   * @param signed the body, where the route takes a signature
   */
  async authenticate(route: Route, request: Bearing, signed: Buffer = nothing): Promise<Caller> {
    if (route.auth.length === 0) return { kind: 'anonymous', id: 'anonymous', credentialId: 'anonymous' };
    if (route.auth.includes('signature')) return this.verifiers.signature(signedOf(request, signed));
    const presented = present(request);
    if (presented === null && route.auth.includes('streamTicket')) {
      const caller = await this.byTicket(request);
      if (caller !== null) return caller;
    }
    if (presented === null || presented.value.length > credentialLengthMax) throw new DomainError('credential_missing');
    const caller = await this.verify(presented, route);
    if (caller === null)
      throw new DomainError(presented.kind === 'playerToken' ? 'player_token_invalid' : 'credential_invalid');
    if (!route.auth.includes(presented.kind)) throw new DomainError('credential_kind');
    return caller;
  }

  /** null: the request has no ticket. Throws stream_ticket_invalid. */
  private async byTicket({ path, query, ip: address = '' }: Bearing): Promise<Member | null> {
    const { ticket, ...rest } = query as Readonly<Record<string, unknown>>;
    if (typeof ticket !== 'string' || ticket === '') return null;
    const caller = await this.verifiers.streamTicket(ticket, { path, query: rest, address });
    if (caller === null) throw new DomainError('stream_ticket_invalid');
    return caller;
  }

  private verify({ kind, value }: Presented, { role }: Route): Promise<Caller | null> {
    if (kind === 'apiKey') return this.verifiers.apiKey(value);
    if (kind === 'roomToken')
      return role === 'moderator' ? this.verifiers.roomToken(value) : this.verifiers.peerToken(value);
    return kind === 'bearer' ? this.verifiers.userToken(value) : this.verifiers.playerToken(value);
  }
}
