/** User tokens: JWTs with a pinned algorithm, issuer and audience; revocable by their jti (contract, section 1). */
import { errors, jwtVerify, SignJWT } from 'jose';
import { uuidv7 } from 'uuidv7';
import type { Clock } from '../../clock.js';
import type { UserCaller } from '../../http/caller.js';
import type { Account, AccountStore } from './store.js';

export const userTokenLifetimeSeconds = 12 * 3600;
const algorithm = 'HS256';
const issuer = 'earshot';
const audience = 'earshot:user';

export class UserTokens {
  constructor(
    private readonly key: Uint8Array,
    private readonly accounts: AccountStore,
    private readonly now: Clock,
  ) {}

  async issue(account: Account): Promise<string> {
    const issuedAt = Math.floor(this.now().getTime() / 1000);
    return new SignJWT({ at: this.now().getTime() })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setSubject(account.id)
      .setIssuer(issuer)
      .setAudience(audience)
      .setJti(uuidv7())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + userTokenLifetimeSeconds)
      .sign(this.key);
  }

  /** null for a token that is forged, expired, revoked, or of an account that is disabled or changed its password. */
  async verify(token: string): Promise<UserCaller | null> {
    const payload = await this.decode(token);
    if (payload === null) return null;
    const { sub, jti, exp, at } = payload;
    if (sub === undefined || jti === undefined || exp === undefined || typeof at !== 'number') return null;
    const account = await this.confirmed({ id: sub, credentialId: jti, issuedAt: new Date(at) });
    if (account === null) return null;
    return {
      kind: 'user',
      id: account.id,
      tenantId: account.tenantId,
      tenantRole: account.role,
      credentialId: jti,
      issuedAt: new Date(at),
      expiresAt: new Date(exp * 1000),
    };
  }

  /** Whether a login that was good before still is. */
  async stillHolds(caller: UserCaller): Promise<boolean> {
    return caller.expiresAt > this.now() && (await this.confirmed(caller)) !== null;
  }

  /** The account of a login that was not logged out and is no older than the password; null when it is or was disabled. */
  private async confirmed({
    id,
    credentialId,
    issuedAt,
  }: Pick<UserCaller, 'id' | 'credentialId' | 'issuedAt'>): Promise<Account | null> {
    const [account, revoked] = await Promise.all([this.accounts.byId(id), this.accounts.isRevoked(credentialId)]);
    const holds = account !== null && !revoked && account.disabledAt === null && issuedAt >= account.tokensValidAt;
    return holds ? account : null;
  }

  private async decode(token: string) {
    try {
      const options = { algorithms: [algorithm], issuer, audience, currentDate: this.now() };
      return (await jwtVerify<{ at: unknown }>(token, this.key, options)).payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }
}
