/**
 * Tokens for the daemon's own rooms: the first join within five minutes, rejoining with the same token for twelve
 * hours, until it is revoked.
 */
import { createHmac } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { DomainError } from '../../../../src/contract/errors.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import type { ProjectStore } from '../../projects/store.js';
import type { RoomSeal } from '../media/engine.js';

const firstJoinSeconds = 5 * 60;
/** Lifetime of a room token. */
const lifetimeSeconds = 12 * 3600;
const algorithm = 'HS256';
const issuer = 'earshot';
const audience = 'earshot:room';

const Claims = z.object({
  sub: z.string(),
  project: z.string(),
  room: z.string(),
  name: z.string(),
  userData: z.record(z.string(), z.unknown()),
  publish: z.boolean(),
  subscribe: z.boolean(),
  moderate: z.boolean().default(false),
  /** Mutes, kicks, bans and notes: whoever made the token may do so. */
  impose: z.boolean().default(false),
  /** The account that made a token which may impose; null: a key did. */
  accountId: z.string().nullable().default(null),
  /** Listens for the team: `sub` is no participant. */
  observer: z.boolean().default(false),
  /** Fingerprint of the encryption key that was handed out with the token; null: none was. */
  encryption: z.string().nullable().default(null),
  /** Generation of the person's tokens; null: none has ended. Tokens of earlier versions have none. */
  generation: z.number().nullable().optional(),
  jti: z.string(),
  joinBefore: z.number(),
  iat: z.number(),
  exp: z.number(),
});
export type RoomClaims = z.infer<typeof Claims>;
interface RoomGrant extends Omit<RoomClaims, 'encryption' | 'generation' | 'jti' | 'joinBefore' | 'iat' | 'exp'> {
  readonly encryption: RoomSeal | null;
}

export interface TokenUse {
  readonly jti: string;
  readonly projectId: string;
  readonly roomId: string;
  readonly externalUserId: string;
  readonly expiresAt: Date;
}

/** Stores which tokens have been used and which are revoked. */
interface JoinLedger {
  joinedAt(jti: string): Promise<Date | null>;
  join(use: TokenUse): Promise<void>;
  isRevoked(jti: string): Promise<boolean>;
  /** Another one once the person was erased, or moved to another external user id. */
  generation(projectId: string, externalUserId: string): Promise<number | null>;
}

export class RoomTokens {
  constructor(
    private readonly key: Uint8Array,
    private readonly ledger: JoinLedger,
    private readonly projects: Pick<ProjectStore, 'isOpen'>,
    private readonly people: Pick<ParticipantDirectory, 'hasMoved'>,
    private readonly now: Clock,
  ) {}

  async sign({ sub, encryption, ...grant }: RoomGrant): Promise<{ token: string; expiresAt: Date }> {
    const issuedAt = Math.floor(this.now().getTime() / 1000);
    const expires = issuedAt + lifetimeSeconds;
    const generation = await this.ledger.generation(grant.project, sub);
    const token = await new SignJWT({
      ...grant,
      encryption: this.fingerprint(encryption),
      generation,
      joinBefore: issuedAt + firstJoinSeconds,
    })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setSubject(sub)
      .setIssuer(issuer)
      .setAudience(audience)
      .setJti(uuidv7())
      .setIssuedAt(issuedAt)
      .setExpirationTime(expires)
      .sign(this.key);
    return { token, expiresAt: new Date(expires * 1000) };
  }

  /** The claims of a token that opens this room now; null: the room that it names. Throws room_token_invalid. */
  async verify(token: string, roomId: string | null): Promise<RoomClaims> {
    const claims = await this.decode(token);
    const isGood = (roomId === null || claims.room === roomId) && (await this.projects.isOpen(claims.project));
    if (!isGood || (await this.ledger.isRevoked(claims.jti))) throw new DomainError('room_token_invalid');
    if (await this.hasEnded(claims))
      throw new DomainError('room_token_invalid', {
        message:
          'The person was erased, or moved to another external user id, after the room token was made. Ask for a new one.',
      });
    const late = this.now().getTime() / 1000 > claims.joinBefore;
    if (late && (await this.ledger.joinedAt(claims.jti)) === null) {
      throw new DomainError('room_token_invalid', {
        message: 'The room token was not used within 5 minutes. Ask for a new one.',
      });
    }
    return claims;
  }

  /** The generation counts, not the time: the clock may have been set back since. */
  private async hasEnded({ project, sub, generation, iat }: RoomClaims): Promise<boolean> {
    const current = await this.ledger.generation(project, sub);
    if (current !== null) return current !== generation;
    return generation === undefined && this.people.hasMoved(project, sub, new Date(iat * 1000));
  }

  /**
   * A client with another key, or with one where frames are not encrypted, could neither hear nor be heard.
   * Throws room_token_invalid.
   */
  requireKey(claims: RoomClaims, inForce: RoomSeal | null): void {
    if (this.hasKey(claims, inForce)) return;
    throw new DomainError('room_token_invalid', {
      message: 'The encryption of the room has changed since this token was made. Ask for a new one.',
    });
  }

  /** True if the token came with the key that is in force. */
  hasKey = (claims: RoomClaims, inForce: RoomSeal | null): boolean => claims.encryption === this.fingerprint(inForce);

  /** Stores that the token was used to join. */
  joined = (claims: RoomClaims): Promise<void> => this.ledger.join(useOf(claims));

  /** Keyed with the secret of the tokens, so that a reader of a token cannot try out passwords. */
  private fingerprint(seal: RoomSeal | null): string | null {
    if (seal === null) return null;
    return createHmac('sha256', this.key).update(`room key ${seal.keyIndex} ${seal.key}`).digest('base64url');
  }

  private async decode(token: string): Promise<RoomClaims> {
    if (!isSpelledOnce(token)) throw new DomainError('room_token_invalid');
    try {
      const options = { algorithms: [algorithm], issuer, audience, currentDate: this.now() };
      return Claims.parse((await jwtVerify(token, this.key, options)).payload);
    } catch (cause) {
      if (cause instanceof errors.JOSEError || cause instanceof z.ZodError)
        throw new DomainError('room_token_invalid', { cause });
      throw cause;
    }
  }
}

/**
 * Base64url has several spellings of the same bytes, and what counts a token by its text would count each of them for
 * itself. The rest of the token is signed as it is spelled.
 */
const isSpelledOnce = (token: string): boolean => {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
};

const useOf = ({ jti, project, room, sub, exp }: RoomClaims): TokenUse => ({
  jti,
  projectId: project,
  roomId: room,
  externalUserId: sub,
  expiresAt: new Date(exp * 1000),
});
