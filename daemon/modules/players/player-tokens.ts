/**
 * Player tokens: signed, naming a project and a player, valid for 24 hours or until the person is erased or moved to
 * another id. Of a token nothing is stored; its holder acts as that player. Clients tell a token from an API key by its
 * length, over 64 characters.
 */
import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { DomainError } from '../../../src/contract/errors.js';
import { atMost } from '../../platform/collections/at-most.js';
import type { PlayerCaller } from '../../platform/http/caller.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { Clock } from '../../platform/time/clock.js';

const playerTokenHours = 24;
/** A full cache takes about 26 MB. */
const verifiedTokensMax = 50_000;
const issuer = 'earshot';
const audience = 'earshot:player';
const algorithm = 'HS256';

const Claims = z.object({
  sub: z.string(),
  jti: z.string(),
  exp: z.number(),
  iat: z.number().optional(),
  tenant: z.string(),
  project: z.string(),
  /** Absent in tokens of daemons before 0.2.0. */
  generation: z.number().nullable().optional(),
});

/** The player whom a token names. */
interface PlayerIdentity {
  readonly tenantId: string;
  readonly projectId: string;
  readonly userId: string;
}

interface VerifiedPlayer extends PlayerIdentity {
  /** Identifies this token: its jti. */
  readonly credentialId: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly generation: number | null | undefined;
}

interface TokenGenerations {
  /** Another one once the person was erased, or moved to another external user id. */
  generation(projectId: string, externalUserId: string): Promise<number | null>;
}

export class PlayerTokens {
  // A client sends the same token with every event; its signature is checked once. By digest, which is shorter.
  private readonly verified = new LRUCache<string, VerifiedPlayer>(atMost(verifiedTokensMax));
  private readonly key: KeyObject;

  /** @param key HMAC key, 32 bytes; the same on every daemon */
  constructor(
    key: Uint8Array,
    private readonly ended: TokenGenerations,
    private readonly now: Clock,
  ) {
    this.key = createSecretKey(key); // jose would import bytes for each token anew
  }

  async sign({ tenantId, projectId, userId }: PlayerIdentity): Promise<string> {
    const issuedAt = Math.floor(this.now().getTime() / 1000);
    const generation = await this.ended.generation(projectId, userId);
    return new SignJWT({ tenant: tenantId, project: projectId, generation })
      .setProtectedHeader({ alg: algorithm })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(userId)
      .setJti(uuidv7())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + playerTokenHours * 3600)
      .sign(this.key);
  }

  /** Throws player_token_invalid: the token is forged or expired, or its person was erased or moved since. */
  async verify(token: string): Promise<VerifiedPlayer> {
    const digest = createHash('sha256').update(token).digest('base64');
    const known = this.verified.get(digest);
    const player = known ?? (await this.check(token));
    if (player.expiresAt <= this.now() || (await this.hasEnded(player))) throw new DomainError('player_token_invalid');
    if (known === undefined) this.verified.set(digest, player);
    return player;
  }

  /** The generation counts, not the time: the clock may have been set back since. Older tokens have none. */
  private async hasEnded({ projectId, userId, generation, issuedAt }: VerifiedPlayer): Promise<boolean> {
    const current = await this.ended.generation(projectId, userId);
    if (current === null) return false;
    return generation === undefined ? issuedAt.getTime() < current : generation !== current;
  }

  /** The caller of a token; null when it is not valid. */
  async caller(token: string): Promise<PlayerCaller | null> {
    try {
      const { tenantId, projectId, userId, credentialId, expiresAt } = await this.verify(token);
      return { kind: 'player', id: userId, tenantId, projectId, externalUserId: userId, credentialId, expiresAt };
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  private async check(token: string): Promise<VerifiedPlayer> {
    try {
      const { payload } = await jwtVerify(token, this.key, {
        algorithms: [algorithm],
        issuer,
        audience,
        currentDate: this.now(),
      });
      const { sub, jti, iat = 0, exp, tenant, project, generation } = Claims.parse(payload);
      return {
        tenantId: tenant,
        projectId: project,
        userId: sub,
        credentialId: jti,
        issuedAt: new Date(iat * 1000),
        expiresAt: new Date(exp * 1000),
        generation,
      };
    } catch (cause) {
      if (cause instanceof errors.JOSEError || cause instanceof z.ZodError) {
        throw new DomainError('player_token_invalid', { cause });
      }
      throw cause;
    }
  }
}
