/** Signing in and out, the profile, passwords, invitations. */

import { DomainError } from '../../../../src/contract/errors.js';
import type {
  AcceptUserInvitationRequest,
  DeviceLogin,
  IdentityProvider,
  LoginCredentials,
  LoginRequest,
  LoginResponse,
  LoginWithCodeRequest,
  UserInvitation,
  UserProfile,
} from '../../../../src/contract/identity/accounts.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { asLostRace, isUniqueViolation } from '../../../platform/database/errors.js';
import { outside } from '../../../platform/database/request-record.js';
import { signsInTo } from '../../../platform/http/audit-trail.js';
import type { UserCaller } from '../../../platform/http/caller.js';
import { uuidv7 } from '../../../platform/ids/new-id.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { Clock } from '../../../platform/time/clock.js';
import { endLogin } from '../console/end-login.js';
import type { ConsoleSessionStore } from '../console/store.js';
import type { GroupGrants, GroupRoles } from '../oidc/group-roles.js';
import { grantsOf } from '../oidc/group-roles.js';
import type { OpenInvitation, ProjectPeople } from '../project-people.js';
import type { AttemptTerms, LoginAttempts } from './attempts.js';
import type { LoginCodes } from './login-codes.js';
import { hashPassword, verifyPassword } from './passwords.js';
import { type Account, type AccountStore, type Subject, toProfile } from './store.js';
import { isOfGeneration, roleIn, type UserTokens, userTokenLifetimeSeconds } from './user-tokens.js';

/** The caller's identity according to an external provider; the e-mail address is verified. */
export interface ExternalIdentity extends Subject {
  readonly email: string;
  readonly displayName: string | null;
  /** null: groups decide nothing. */
  readonly groups: readonly string[] | null;
}

/** All but `describe` throw the identity_… refusals. */
export interface SignInProvider {
  /** `nonce`: null where an ID token may have any. */
  identify(token: string, nonce: string | null): Promise<ExternalIdentity>;
  byCode(request: LoginWithCodeRequest): Promise<ExternalIdentity>;
  startDevice(): Promise<DeviceLogin>;
  byDevice(deviceCode: string): Promise<ExternalIdentity>;
  describe(): Promise<IdentityProvider>;
}

export interface ExternalLogin {
  readonly provider: SignInProvider;
  /** True if an unknown address gets an account; an invited one always does. */
  readonly autoCreate: boolean;
  /** Roles by group, as the setting writes them; null: groups decide nothing. */
  readonly roles: GroupRoles | null;
}

interface AccountServiceNeeds {
  readonly database: Database;
  readonly accounts: AccountStore;
  readonly tokens: UserTokens;
  /** All tokens of a console session have its id. */
  readonly consoleSessions: Pick<ConsoleSessionStore, 'byId' | 'delete'>;
  readonly attempts: LoginAttempts;
  /** null: no mail server is set. */
  readonly codes: LoginCodes | null;
  /** The part of invitations that belongs to projects. */
  readonly invitations: Omit<ProjectPeople, 'madeBy' | 'invitedBy'>;
  readonly external: ExternalLogin | null;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Answers that are no refusal of the login, or are counted elsewhere. */
const saysNothingOfLogin: ReadonlySet<string> = new Set([
  ...['rate_limited', 'device_login_pending', 'device_login_slow_down'],
]);

/** An account as it was read when its password was proven. */
type ProvenAccount = Pick<Account, 'id' | 'tokensValidAt'>;

/** For attempts at what is no account yet. */
const nobody = { isAccount: false } as const;
const hostOf = (issuer: string): string => new URL(issuer).host;

export class AccountService {
  constructor(private readonly needs: AccountServiceNeeds) {}

  /**
   * Wrong password and unknown address take the same time and give the same answer. Throws login_failed, login_code_sent,
   * login_code_invalid, rate_limited, overloaded.
   *
   * @param overLimit as `LoginAttempts.make` takes it
   */
  async loginCredentials(
    credentials: LoginCredentials,
    network: string,
    overLimit: DomainError | null,
  ): Promise<LoginResponse> {
    const login = this.withPassword(credentials, network, overLimit, (account) => this.loggedInByPassword(account));
    return this.recorded(network, login);
  }

  /**
   * Does something for whoever proves an account by its password, within the limits of attempts, and by a code as well where the
   * account is guessed at. Throws as `loginCredentials` does.
   */
  private withPassword<Outcome>(
    { email, password, code }: LoginCredentials,
    network: string,
    overLimit: DomainError | null,
    work: (account: Account) => Promise<Outcome>,
  ): Promise<Outcome> {
    const attempt = async ({ isKnown, needsCode }: AttemptTerms) => {
      const account = await this.needs.accounts.byEmail(email);
      if (account !== null) signsInTo(account);
      const matches = await verifyPassword(
        account?.passwordHash ?? null,
        password,
        isKnown ? { network, account: email.toLowerCase() } : null,
      );
      const rightful = matches && account?.disabledAt === null ? account : null;
      if (needsCode) await this.proveByCode(rightful, code);
      if (rightful === null) throw new DomainError('login_failed');
      return work(rightful);
    };
    return this.needs.attempts.make(email, network, attempt, { canAskCode: this.needs.codes !== null, overLimit });
  }

  /**
   * Tells a wrong password and a right one alike, so that nobody learns a password by guessing while the account is guessed
   * at. `account`: null where the password is wrong. Throws login_code_sent, login_code_invalid.
   */
  private async proveByCode(account: Account | null, code: string | undefined): Promise<void> {
    const { codes } = this.needs;
    if (code === undefined) {
      if (account !== null) codes?.send(account);
      throw new DomainError('login_code_sent');
    }
    if ((await codes?.accepts(account?.id ?? '', code)) !== true) throw new DomainError('login_code_invalid');
  }

  /**
   * The provider confirms the address, so its open invitations are accepted too. Throws
   * identity_provider_not_configured, identity_unknown_user, identity_other_person, rate_limited and the provider's refusals.
   */
  login({ sessionId, nonce }: LoginRequest, network: string): Promise<LoginResponse> {
    const external = this.external();
    return this.recorded(network, this.loginByToken(external, network, { token: sessionId, nonce: nonce ?? null }));
  }

  /**
   * A token that names somebody is no guess: it is asked about first, and what others of the network have tried does not count
   * against it. Those that name nobody count by themselves, so that they keep nobody of the network from other sign-ins.
   */
  private async loginByToken(
    external: ExternalLogin,
    network: string,
    { token, nonce }: { readonly token: string; readonly nonce: string | null },
  ): Promise<LoginResponse> {
    const refusedWith = (error: unknown) => () => Promise.reject(error);
    const identity = await external.provider
      .identify(token, nonce)
      .catch((error: unknown) =>
        this.needs.attempts.make<ExternalIdentity>(
          `token ${network}`,
          `tokens of ${network}`,
          refusedWith(error),
          nobody,
        ),
      );
    return this.loginAs(external, identity);
  }

  /** As `login`, by an authorization code. */
  loginWithCode(request: LoginWithCodeRequest, network: string): Promise<LoginResponse> {
    return this.loginBy(network, (provider) => provider.byCode(request));
  }

  /** As `login`, by a device code. Throws device_login_pending and its like, too. */
  finishDeviceLogin(deviceCode: string, network: string): Promise<LoginResponse> {
    return this.loginBy(network, (provider) => provider.byDevice(deviceCode));
  }

  /** Counts like a failed sign-in of the network, because the provider is asked. Throws rate_limited and as `login` does. */
  async startDeviceLogin(network: string): Promise<DeviceLogin> {
    const { provider } = this.external();
    const terms = { ...nobody, countsSuccess: true };
    return this.needs.attempts.make(`device ${network}`, network, () => provider.startDevice(), terms);
  }

  /** Throws identity_provider_not_configured. */
  async describeProvider(): Promise<IdentityProvider> {
    return this.external().provider.describe();
  }

  private async loginBy(
    network: string,
    identify: (provider: SignInProvider) => Promise<ExternalIdentity>,
  ): Promise<LoginResponse> {
    const external = this.external();
    const attempt = async () => this.loginAs(external, await identify(external.provider));
    return this.recorded(network, this.needs.attempts.make(`identity ${network}`, network, attempt, nobody));
  }

  private external(): ExternalLogin {
    if (this.needs.external === null) throw new DomainError('identity_provider_not_configured');
    return this.needs.external;
  }

  /** Logs who has signed in and from where; of a refusal only from where. */
  private async recorded(network: string, login: Promise<LoginResponse>): Promise<LoginResponse> {
    try {
      const answer = await login;
      this.needs.logger.info({ userId: answer.user.id, network }, 'signed in');
      return answer;
    } catch (error) {
      if (error instanceof DomainError && !saysNothingOfLogin.has(error.code))
        this.needs.logger.warn({ network, code: error.code }, 'sign-in refused');
      throw error;
    }
  }

  private async loginAs({ autoCreate, roles }: ExternalLogin, identity: ExternalIdentity): Promise<LoginResponse> {
    const grants = roles === null || identity.groups === null ? null : grantsOf(identity.groups, roles);
    const account = await this.needs.database.transaction(async (tx) => {
      const invitations = await this.needs.invitations.openFor(tx, identity.email);
      const linked = await this.needs.accounts.bySubject(tx, identity);
      const found =
        linked ??
        (await this.needs.accounts.byEmail(identity.email, tx)) ??
        (await this.createExternal(tx, identity, {
          invitedTo: invitations[0]?.tenantId ?? null,
          autoCreate,
          isInGroup: grants?.isMember === true,
        }));
      if (found !== null) signsInTo(found);
      if (found === null || found.disabledAt !== null) throw new DomainError('identity_unknown_user');
      if (linked === null) await this.link(tx, found, identity);
      // Their address may have changed at the provider since.
      const others = found.email === identity.email ? [] : await this.needs.invitations.openFor(tx, found.email);
      for (const invitation of [...invitations, ...others])
        await this.needs.invitations.acceptOpen(tx, invitation, found.id);
      return grants === null ? found : this.followGroups(tx, found, grants);
    });
    return this.loggedIn(account, this.needs.now());
  }

  /**
   * Links the account for good to the person who first signs in with its address; the next owner of the address is refused.
   * Throws identity_other_person.
   */
  private async link(tx: Transaction, { id }: Account, identity: ExternalIdentity): Promise<void> {
    const { issuer, subject, email } = identity;
    const linked = await this.needs.accounts.subjectsOf(tx, id);
    if (linked.some((one) => one.issuer === issuer && one.subject === subject)) return; // by their other sign-in a moment ago
    // A provider such as Entra has an issuer for each of its tenants, and a stranger may have one there.
    if (linked.some((one) => hostOf(one.issuer) === hostOf(issuer)))
      throw new DomainError('identity_other_person', {
        message: `The account of ${email} belongs to somebody else at the identity provider. If it is yours, ask the operator to run \`earshotd users unlink ${email}\`.`,
      });
    await this.needs.accounts.link(tx, id, identity, this.needs.now()).catch(asLostRace); // two people sign in at once
  }

  /**
   * Gives the roles of the person's groups, and takes those that groups gave before. Choice: groups say nothing in other tenants
   * than the oldest, because the setting is the operator's, and a tenant's owners are not.
   */
  private async followGroups(tx: Transaction, account: Account, grants: GroupGrants): Promise<Account> {
    if (account.tenantId !== (await this.needs.accounts.oldestTenant(tx))?.id) return account;
    await this.needs.accounts.followGroups(tx, account.id, grants.isAdmin);
    await this.needs.invitations.followGroups(tx, account, grants.projects);
    return (await this.needs.accounts.byEmail(account.email, tx)) ?? account;
  }

  async profile(caller: UserCaller): Promise<UserProfile> {
    const account = await this.account(caller);
    return toProfile({ ...account, role: roleIn(caller, account) });
  }

  /** Throws identity_refused where the provider has not confirmed the person for twelve hours. */
  async refresh(caller: UserCaller): Promise<LoginResponse> {
    const { confirmedAt } = caller;
    if (confirmedAt !== null && this.needs.now().getTime() - confirmedAt.getTime() > userTokenLifetimeSeconds * 1_000)
      throw new DomainError('identity_refused', {
        message:
          'The identity provider confirmed this login more than twelve hours ago. Sign in there again: `earshot login`.',
      });
    if ((await this.needs.consoleSessions.byId(caller.credentialId)) !== null)
      throw new DomainError('credential_invalid', {
        message: 'A token of the console is renewed by the cookie of its session, with `POST /api/auth/console/renew`.',
      });
    const account = await this.account(caller);
    await this.useUp(caller);
    return confirmedAt === null ? this.loggedInByPassword(account) : this.loggedIn(account, confirmedAt);
  }

  /** Revokes the token for a fresh one. Throws credential_invalid where somebody has logged out or renewed with it meanwhile. */
  private async useUp({ credentialId, expiresAt }: UserCaller): Promise<void> {
    const { database, accounts } = this.needs;
    try {
      await database.transaction((tx) => accounts.useUp(tx, credentialId, expiresAt));
    } catch (error) {
      throw isUniqueViolation(error) ? new DomainError('credential_invalid') : error;
    }
  }

  async logout(caller: UserCaller): Promise<void> {
    const { database, accounts, consoleSessions: sessions, now } = this.needs;
    await database.transaction((tx) => endLogin(tx, { accounts, sessions }, caller, now()));
  }

  /** Ends every other login of the account. Throws login_failed, rate_limited, overloaded. */
  async changePassword(caller: UserCaller, current: string, next: string, network: string): Promise<LoginResponse> {
    const account = await this.account(caller);
    await this.needs.attempts.make(account.email, network, async ({ isKnown }) => {
      const login = isKnown ? { network, account: account.email } : null;
      if (!(await verifyPassword(account.passwordHash, current, login))) throw new DomainError('login_failed');
    });
    const hash = await hashPassword(next);
    const tokensValidAt = await this.needs.database.transaction(async (tx) => {
      if (!(await this.needs.accounts.isStill(tx, account))) throw new DomainError('credential_invalid');
      return this.needs.accounts.setPassword(tx, account.id, hash, this.needs.now());
    });
    return this.loggedInByPassword({ id: account.id, tokensValidAt });
  }

  /**
   * Creates the account where there is none yet; an existing account proves itself as at a login, because the link may have
   * been forwarded. Throws invitation_token_invalid, password_required, login_failed, login_code_sent, login_code_invalid,
   * rate_limited, overloaded.
   */
  async acceptInvitation(request: AcceptUserInvitationRequest, network: string): Promise<LoginResponse> {
    const { password, code } = request;
    const invitation = await this.needs.attempts.make(
      `invitation ${network}`,
      network,
      async () => {
        const open = await this.needs.invitations.byToken(request.token);
        if (open === null) throw new DomainError('invitation_token_invalid');
        return open;
      },
      nobody,
    );
    if (password === undefined) throw new DomainError('password_required');
    const { tenantId, email } = invitation;
    if ((await this.needs.accounts.byEmail(email)) !== null) {
      const credentials = { email, password, ...(code === undefined ? {} : { code }) };
      const accept = (account: Account) => this.accept(invitation, async () => account);
      return this.recorded(network, this.withPassword(credentials, network, null, accept));
    }
    const member = {
      tenantId,
      email,
      displayName: request.displayName ?? email,
      passwordHash: await hashPassword(password),
    };
    return this.accept(invitation, (tx) => this.createMember(tx, member));
  }

  /** Throws invitation_token_invalid. */
  async readInvitation(token: string): Promise<UserInvitation> {
    const invitation = await this.needs.invitations.describe(token);
    if (invitation === null) throw new DomainError('invitation_token_invalid');
    return { ...invitation, hasAccount: (await this.needs.accounts.byEmail(invitation.email)) !== null };
  }

  private async accept(
    invitation: OpenInvitation,
    accountIn: (tx: Transaction) => Promise<Account>,
  ): Promise<LoginResponse> {
    try {
      const account = await this.needs.database.transaction(async (tx) => {
        const accepted = await accountIn(tx);
        await this.needs.invitations.accept(tx, invitation, accepted.id);
        signsInTo(accepted);
        return accepted;
      });
      return await this.loggedInByPassword(account);
    } catch (error) {
      if (isUniqueViolation(error)) throw new DomainError('invitation_token_invalid'); // accepted twice at the same time
      throw error;
    }
  }

  /**
   * null when the address is neither invited nor allowed by the settings. Choice: an account belongs to one tenant, and the
   * operator's setting names the people of the oldest one by their groups, so their invitation by another tenant does not take
   * them there. Everybody else joins the tenant that invited first, or without an invitation the oldest one.
   */
  private async createExternal(
    tx: Transaction,
    { email, displayName }: ExternalIdentity,
    by: { readonly invitedTo: string | null; readonly autoCreate: boolean; readonly isInGroup: boolean },
  ): Promise<Account | null> {
    const oldest = await this.needs.accounts.oldestTenant(tx);
    const own = oldest?.disabledAt === null ? oldest.id : null;
    const tenantId = (by.isInGroup ? own : null) ?? by.invitedTo ?? (by.autoCreate ? own : null);
    if (tenantId === null) return null;
    const member = { tenantId, email, displayName: displayName ?? email, passwordHash: null };
    return this.createMember(tx, member).catch(asLostRace); // the same person signs in twice at once
  }

  private async createMember(
    tx: Transaction,
    member: Pick<Account, 'tenantId' | 'email' | 'displayName' | 'passwordHash'>,
  ): Promise<Account> {
    const createdAt = this.needs.now();
    const row = {
      ...member,
      id: uuidv7(),
      email: member.email.toLowerCase(),
      role: 'member' as const,
      tokensValidAt: createdAt,
      createdAt,
    };
    await this.needs.accounts.insert(tx, row);
    return { ...row, disabledAt: null, roleFromGroups: false };
  }

  private async account(caller: UserCaller): Promise<Account> {
    const account = await this.needs.accounts.byId(caller.id);
    if (account === null || !isOfGeneration(caller, account)) throw new DomainError('credential_invalid');
    return account;
  }

  /**
   * Takes the roles that groups gave: whether somebody is still in the groups, only a sign-in at the provider tells. The
   * request's record is written with its result.
   */
  private async loggedInByPassword({ id, tokensValidAt }: ProvenAccount): Promise<LoginResponse> {
    const found = await this.needs.accounts.byId(id);
    const hasGroupRoles = found?.roleFromGroups === true || (await this.needs.invitations.hasGroupRoles(id));
    const account = hasGroupRoles ? await this.withoutGroupRoles(id) : found;
    if (account === null) throw new DomainError('login_failed'); // deleted in the meantime
    return this.loggedIn({ ...account, tokensValidAt }, null);
  }

  private async withoutGroupRoles(id: string): Promise<Account | null> {
    await outside(() =>
      this.needs.database.transaction(async (tx) => {
        await this.needs.accounts.followGroups(tx, id, false);
        await this.needs.invitations.takeGroupRoles(tx, id);
      }),
    );
    return this.needs.accounts.byId(id);
  }

  /** `confirmedAt`: when the identity provider confirmed who it is; null: it was not asked. */
  private async loggedIn(account: Account, confirmedAt: Date | null): Promise<LoginResponse> {
    const accessToken = await this.needs.tokens.issue(account, confirmedAt);
    return { accessToken, tokenType: 'Bearer', expiresIn: userTokenLifetimeSeconds, user: toProfile(account) };
  }
}
