/** User tokens: JWTs with a pinned algorithm, issuer and audience; revocable by their jti. */
import { hash } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { UserCaller } from '../../../platform/http/caller.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { Account, AccountStore } from './store.js';

export const userTokenLifetimeSeconds = 12 * 3600;
const algorithm = 'HS256';
const issuer = 'earshot';
const audience = 'earshot:user';
const codeAudience = 'earshot:console-code';
const codeLifetimeSeconds = 60;

interface UserTokenClaims {
  readonly at?: unknown;
  /** Generation of the account's logins. Tokens of earlier versions have none, and go by their time. */
  readonly gen?: unknown;
  readonly idp?: unknown;
  readonly of?: unknown;
}

type TokenLogin = Pick<UserCaller, 'id' | 'credentialId' | 'generation' | 'issuedAt' | 'expiresAt' | 'confirmedAt'>;

type TokenClaims = JWTPayload & UserTokenClaims;

/** The clock may have been ahead when the account was made, or set back since: so the generation counts, not the time. */
export const isOfGeneration = ({ generation, issuedAt }: TokenLogin, { tokensValidAt }: Account): boolean =>
  generation === undefined ? issuedAt >= tokensValidAt : generation === tokensValidAt.getTime();

/** Whether somebody is still in the groups that gave the role, only a sign-in at the identity provider says. */
export const roleIn = (
  { confirmedAt }: Pick<TokenLogin, 'confirmedAt'>,
  { role, roleFromGroups }: Pick<Account, 'role' | 'roleFromGroups'>,
): Account['role'] => (roleFromGroups && confirmedAt === null ? 'member' : role);

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

  /**
   * `account` as it was read when the login was proven: what ends its logins meanwhile ends this one. `confirmedAt`: when the
   * identity provider confirmed who it is; null: it was not asked.
   */
  issue(
    { id, tokensValidAt }: Pick<Account, 'id' | 'tokensValidAt'>,
    confirmedAt: Date | null,
    { jti = uuidv7(), seconds = userTokenLifetimeSeconds } = {},
  ): Promise<string> {
    const proof = { at: this.now().getTime(), gen: tokensValidAt.getTime(), idp: confirmedAt?.getTime() };
    return this.sign(id, audience, proof, { jti, seconds });
  }

  /** Issues a code that is good for one login as the caller, while the caller's own login lasts. */
  async issueCode(caller: UserCaller): Promise<{ code: string; expiresAt: Date }> {
    const { id, credentialId, generation, issuedAt, confirmedAt } = caller;
    const claims = { at: issuedAt.getTime(), gen: generation, idp: confirmedAt?.getTime(), of: credentialId };
    const code = await this.sign(id, codeAudience, claims, { jti: uuidv7(), seconds: codeLifetimeSeconds });
    return { code, expiresAt: new Date(this.now().getTime() + codeLifetimeSeconds * 1_000) };
  }

  /** null for a code that is forged, expired or used, or whose maker has logged out. */
  async verifyCode(code: string): Promise<UserCaller | null> {
    const payload = await this.decode(code, codeAudience);
    if (payload === null || typeof payload.of !== 'string') return null;
    if ((await this.accounts.signedIn(payload.sub ?? '', payload.of)) === null) return null;
    return this.callerOf(payload);
  }

  private async sign(
    subject: string,
    aud: string,
    claims: Readonly<Record<string, unknown>>,
    { jti, seconds }: { readonly jti: string; readonly seconds: number },
  ): Promise<string> {
    const issuedAt = Math.floor(this.now().getTime() / 1000);
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setSubject(subject)
      .setIssuer(issuer)
      .setAudience(aud)
      .setJti(jti)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + seconds)
      .sign(this.key);
  }

  /** null for a token that is forged, expired or revoked, or whose account is disabled or has changed its password. */
  async verify(token: string): Promise<UserCaller | null> {
    const payload = await this.decode(token, audience);
    return payload === null ? null : this.callerOf(payload);
  }

  private async callerOf({ sub, jti, exp, at, gen, idp }: TokenClaims): Promise<UserCaller | null> {
    if (sub === undefined || jti === undefined || exp === undefined || typeof at !== 'number') return null;
    const confirmedAt = typeof idp === 'number' ? new Date(idp) : null;
    const generation = typeof gen === 'number' ? gen : undefined;
    const times = { issuedAt: new Date(at), expiresAt: new Date(exp * 1000), confirmedAt };
    return this.caller({ id: sub, credentialId: jti, generation, ...times });
  }

  /** The current caller of a login that was valid before; null when it has ended. */
  async current({ id, credentialId, generation, ...times }: TokenLogin): Promise<UserCaller | null> {
    const { issuedAt, expiresAt, confirmedAt } = times;
    if (expiresAt <= this.now()) return null;
    return this.caller({ id, credentialId, generation, issuedAt, expiresAt, confirmedAt });
  }

  private async caller(login: TokenLogin): Promise<UserCaller | null> {
    const { id, credentialId } = login;
    const account = await this.accounts.signedIn(id, credentialId);
    if (account === null || account.disabledAt !== null || !isOfGeneration(login, account)) return null;
    const tenantRole = roleIn(login, account);
    return { kind: 'user', name: account.email, tenantId: account.tenantId, tenantRole, ...login };
  }

  private async decode(token: string, audience: string): Promise<TokenClaims | null> {
    const key = `${audience} ${hash('sha256', token, 'base64')}`;
    const known = this.verified.get(key);
    if (known?.exp !== undefined && known.exp * 1_000 > this.now().getTime()) return known;
    try {
      const options = { algorithms: [algorithm], issuer, audience, currentDate: this.now() };
      const { payload } = await jwtVerify<UserTokenClaims>(token, this.key, options);
      this.verified.set(key, payload);
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }
}
