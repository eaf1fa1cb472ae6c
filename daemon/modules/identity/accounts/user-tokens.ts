/** User tokens: JWTs with a pinned algorithm, issuer and audience; revocable by their jti. */
import { hash } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { uuidv7 } from 'uuidv7';
import type { UserCaller } from '../../../platform/http/caller.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { Account, AccountStore } from './store.js';

export const userTokenLifetimeSeconds = 12 * 3600;
const algorithm = 'HS256';
const issuer = 'earshot';
const audience = 'earshot:user';

type TokenLogin = Pick<UserCaller, 'id' | 'credentialId' | 'issuedAt' | 'expiresAt' | 'confirmedAt'>;

interface OwnClaims {
  readonly at: unknown;
  readonly idp: unknown;
}
type TokenClaims = JWTPayload & OwnClaims;

/** Tokens whose claims are kept. */
const verifiedMax = 1_000;

export class UserTokens {
  /** By hash: the signature of a token stays as it is, and takes a tenth of a recorded call's time. */
  private readonly verified = new LRUCache<string, TokenClaims>({ max: verifiedMax });

  constructor(
    private readonly key: Uint8Array,
    private readonly accounts: AccountStore,
    private readonly now: Clock,
  ) {}

  /** `confirmedAt`: when the identity provider confirmed who it is; null: it was not asked. */
  async issue(account: Account, confirmedAt: Date | null): Promise<string> {
    const issuedAt = Math.floor(this.now().getTime() / 1000);
    return new SignJWT({ at: this.now().getTime(), idp: confirmedAt?.getTime() })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setSubject(account.id)
      .setIssuer(issuer)
      .setAudience(audience)
      .setJti(uuidv7())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + userTokenLifetimeSeconds)
      .sign(this.key);
  }

  /** null for a token that is forged, expired or revoked, or whose account is disabled or has changed its password. */
  async verify(token: string): Promise<UserCaller | null> {
    const payload = await this.decode(token);
    if (payload === null) return null;
    const { sub, jti, exp, at, idp } = payload;
    if (sub === undefined || jti === undefined || exp === undefined || typeof at !== 'number') return null;
    const confirmedAt = typeof idp === 'number' ? new Date(idp) : null;
    const times = { issuedAt: new Date(at), expiresAt: new Date(exp * 1000), confirmedAt };
    return this.caller({ id: sub, credentialId: jti, ...times });
  }

  /** The current caller of a login that was valid before; null when it has ended. */
  async current({ id, credentialId, issuedAt, expiresAt, confirmedAt }: TokenLogin): Promise<UserCaller | null> {
    return expiresAt <= this.now() ? null : this.caller({ id, credentialId, issuedAt, expiresAt, confirmedAt });
  }

  private async caller(login: TokenLogin): Promise<UserCaller | null> {
    const { id, credentialId, issuedAt } = login;
    const account = await this.accounts.signedIn(id, credentialId);
    if (account === null || account.disabledAt !== null || issuedAt < account.tokensValidAt) return null;
    return { kind: 'user', name: account.email, tenantId: account.tenantId, tenantRole: account.role, ...login };
  }

  private async decode(token: string): Promise<TokenClaims | null> {
    const key = hash('sha256', token, 'base64');
    const known = this.verified.get(key);
    if (known?.exp !== undefined && known.exp * 1_000 > this.now().getTime()) return known;
    try {
      const options = { algorithms: [algorithm], issuer, audience, currentDate: this.now() };
      const { payload } = await jwtVerify<OwnClaims>(token, this.key, options);
      this.verified.set(key, payload);
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }
}
