/** User tokens: JWTs with a pinned algorithm, issuer and audience; revocable by their jti. */
import { errors, jwtVerify, SignJWT } from 'jose';
import { uuidv7 } from 'uuidv7';
import type { UserCaller } from '../../../platform/http/caller.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { Account, AccountStore } from './store.js';

export const userTokenLifetimeSeconds = 12 * 3600;
const algorithm = 'HS256';
const issuer = 'earshot';
const audience = 'earshot:user';

type TokenLogin = Pick<UserCaller, 'id' | 'credentialId' | 'issuedAt' | 'expiresAt' | 'confirmedAt'>;

export class UserTokens {
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
  async current({ id, credentialId, issuedAt, expiresAt, confirmedAt }: UserCaller): Promise<UserCaller | null> {
    return expiresAt <= this.now() ? null : this.caller({ id, credentialId, issuedAt, expiresAt, confirmedAt });
  }

  private async caller(login: TokenLogin): Promise<UserCaller | null> {
    const { id, credentialId, issuedAt } = login;
    const [account, revoked] = await Promise.all([this.accounts.byId(id), this.accounts.isRevoked(credentialId)]);
    if (account === null || revoked || account.disabledAt !== null || issuedAt < account.tokensValidAt) return null;
    return { kind: 'user', tenantId: account.tenantId, tenantRole: account.role, ...login };
  }

  private async decode(token: string) {
    try {
      const options = { algorithms: [algorithm], issuer, audience, currentDate: this.now() };
      return (await jwtVerify<{ at: unknown; idp: unknown }>(token, this.key, options)).payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }
}
