/** Signing in and out, the profile, passwords, invitations (contract, section 1). */
import { uuidv7 } from 'uuidv7';
import type { AcceptUserInvitationRequest, LoginResponse, UserProfile } from '../../../src/contract/accounts.js';
import { DomainError } from '../../../src/contract/errors.js';
import type { Clock } from '../../clock.js';
import type { Database, Transaction } from '../../database/database.js';
import type { UserCaller } from '../../http/caller.js';
import type { LoginAttempts } from './attempts.js';
import { hashPassword, verifyPassword } from './passwords.js';
import { type Account, type AccountStore, toProfile } from './store.js';
import { type UserTokens, userTokenLifetimeSeconds } from './user-tokens.js';

export interface Invitation {
  readonly permissionId: string;
  readonly tenantId: string;
  readonly email: string;
}

/** The project side of invitations. */
export interface Invitations {
  /** The open invitation of a link's token, or null when it is unknown, used or too old. */
  byToken(token: string): Promise<Invitation | null>;
  accept(tx: Transaction, permissionId: string, userId: string): Promise<void>;
}

/** Who an external identity provider says the caller is; the e-mail address is verified. */
export interface ExternalIdentity {
  readonly email: string;
  readonly displayName: string | null;
}

export interface IdentityProvider {
  /** Throws the identity_… refusals. */
  identify(sessionId: string): Promise<ExternalIdentity>;
}

export class AccountService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountStore,
    private readonly tokens: UserTokens,
    private readonly attempts: LoginAttempts,
    private readonly invitations: Invitations,
    private readonly identity: IdentityProvider | null,
    private readonly now: Clock,
  ) {}

  /** Wrong password and unknown address take the same time and give the same answer. Throws login_failed, rate_limited. */
  async loginCredentials(email: string, password: string, address: string): Promise<LoginResponse> {
    await this.attempts.count(email, address);
    const account = await this.accounts.byEmail(email);
    const matches = await verifyPassword(account?.passwordHash ?? null, password);
    if (account === null || !matches || account.disabledAt !== null) throw new DomainError('login_failed');
    return this.loggedIn(account);
  }

  /** Throws identity_provider_not_configured and what the provider refuses. */
  async login(sessionId: string, address: string): Promise<LoginResponse> {
    if (this.identity === null) throw new DomainError('identity_provider_not_configured');
    await this.attempts.count(`identity:${address}`, address);
    const { email } = await this.identity.identify(sessionId);
    const account = await this.accounts.byEmail(email);
    if (account === null || account.disabledAt !== null) throw new DomainError('identity_unknown_user');
    return this.loggedIn(account);
  }

  async profile(caller: UserCaller): Promise<UserProfile> {
    return toProfile(await this.account(caller));
  }

  async refresh(caller: UserCaller): Promise<LoginResponse> {
    const account = await this.account(caller);
    await this.logout(caller);
    return this.loggedIn(account);
  }

  async logout(caller: UserCaller): Promise<void> {
    await this.database.transaction((tx) =>
      this.accounts.revoke(tx, caller.credentialId, caller.expiresAt, this.now()),
    );
  }

  /** Ends every other login of the account. Throws login_failed, rate_limited. */
  async changePassword(caller: UserCaller, current: string, next: string, address: string): Promise<LoginResponse> {
    const account = await this.account(caller);
    await this.attempts.count(account.email, address);
    if (!(await verifyPassword(account.passwordHash, current))) throw new DomainError('login_failed');
    const hash = await hashPassword(next);
    await this.database.transaction((tx) => this.accounts.setPassword(tx, account.id, hash, this.now()));
    return this.loggedIn(account);
  }

  /** Makes the account when there is none yet. Throws invitation_token_invalid, password_required, rate_limited. */
  async acceptInvitation(request: AcceptUserInvitationRequest, address: string): Promise<LoginResponse> {
    await this.attempts.count(`invitation:${address}`, address);
    const invitation = await this.invitations.byToken(request.token);
    if (invitation === null) throw new DomainError('invitation_token_invalid');
    const hash = request.password === undefined ? null : await hashPassword(request.password);
    const account = await this.database.transaction(async (tx) => {
      const existing = await this.accounts.byEmail(invitation.email, tx);
      if (existing === null && hash === null) throw new DomainError('password_required');
      if (existing !== null && (existing.tenantId !== invitation.tenantId || existing.disabledAt !== null)) {
        throw new DomainError('invitation_token_invalid');
      }
      const accepted = existing ?? (await this.createMember(tx, invitation, hash, request.displayName));
      await this.invitations.accept(tx, invitation.permissionId, accepted.id);
      return accepted;
    });
    return this.loggedIn(account);
  }

  private async createMember(
    tx: Transaction,
    invitation: Invitation,
    passwordHash: string | null,
    displayName?: string,
  ): Promise<Account> {
    const createdAt = this.now();
    const { tenantId, email } = invitation;
    const row = {
      id: uuidv7(),
      tenantId,
      email,
      displayName: displayName ?? email,
      role: 'member' as const,
      passwordHash,
      tokensValidAt: createdAt,
      createdAt,
    };
    await this.accounts.insert(tx, row);
    return { ...row, disabledAt: null };
  }

  private async account(caller: UserCaller): Promise<Account> {
    const account = await this.accounts.byId(caller.id);
    if (account === null) throw new DomainError('credential_invalid');
    return account;
  }

  private async loggedIn(account: Account): Promise<LoginResponse> {
    const accessToken = await this.tokens.issue(account);
    return { accessToken, tokenType: 'Bearer', expiresIn: userTokenLifetimeSeconds, user: toProfile(account) };
  }
}
