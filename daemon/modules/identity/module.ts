/** Identity: accounts, logins, API keys. */
import type { Database } from '../../platform/database/database.js';
import type { Member, PastMember } from '../../platform/http/caller.js';
import type { Module } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { Records } from '../../records.js';
import { AccountAdministration } from './accounts/administration.js';
import { AttemptStore } from './accounts/attempt-store.js';
import { LoginAttempts } from './accounts/attempts.js';
import { bootstrap, type FirstAdministrator } from './accounts/bootstrap.js';
import { LoginCodeStore } from './accounts/login-code-store.js';
import { LoginCodes } from './accounts/login-codes.js';
import { accountRouter } from './accounts/routes.js';
import { AccountService } from './accounts/service.js';
import { AccountStore } from './accounts/store.js';
import { UserTokens } from './accounts/user-tokens.js';
import { accountOperations } from './admin-operations.js';
import { apiKeyRouter } from './api-keys/routes.js';
import { ApiKeyService } from './api-keys/service.js';
import { consoleSessionRouter } from './console/routes.js';
import { ConsoleSessionService } from './console/service.js';
import { ConsoleSessionStore } from './console/store.js';
import { externalLogin } from './oidc/external-login.js';
import type { FirstProjectMaker, ProjectPeople } from './project-people.js';

export { identityProviderProblem } from './oidc/external-login.js';

interface IdentityNeeds {
  readonly projects: { readonly users: ProjectPeople; readonly first: FirstProjectMaker };
}

export interface Identity extends Module {
  readonly apiKeys: ApiKeyService;
  /** The current state of the caller; null when the credential is no longer valid. */
  current(caller: PastMember): Promise<Member | null>;
  /** Creates the administrator of a new installation; null where there is one. `keep` receives a random password. */
  firstAdministrator(keep: (password: string) => void): Promise<FirstAdministrator | null>;
}

/** Creates a tenant without accounts, for a temporary database. */
export const emptyTenant = (database: Database, ...tenant: Parameters<AccountStore['insertTenant']>): Promise<void> =>
  new AccountStore(database).insertTenant(...tenant);

export async function identityModule(
  platform: Platform,
  records: Records,
  { projects }: IdentityNeeds,
): Promise<Identity> {
  const { database, settings, logger, now } = platform;
  const { accounts, apiKeys: keys } = records.identity;
  const tokens = new UserTokens(await platform.signingKey('user-tokens'), accounts, now);
  const attempts = new LoginAttempts(database, new AttemptStore(database), now);
  const external = externalLogin(platform);
  const hasMail = settings.EARSHOT_SMTP_URL !== undefined;
  const codes = new LoginCodes({
    ...{ store: new LoginCodeStore(database), mailer: platform.mail, publicUrl: platform.publicUrl, logger, now },
    key: await platform.signingKey('login-codes'),
  });
  const consoleSessions = new ConsoleSessionStore(database);
  const console = new ConsoleSessionService({ database, accounts, sessions: consoleSessions, tokens, logger, now });
  const cookieKey = await platform.signingKey('console-cookies');
  const service = new AccountService({
    database,
    accounts,
    tokens,
    consoleSessions,
    attempts,
    codes: hasMail ? codes : null,
    invitations: projects.users,
    external,
    logger,
    now,
  });
  const administration = new AccountAdministration(database, accounts, projects.first, projects.users, now);
  const apiKeys = new ApiKeyService(database, keys, accounts, records.projects.access, projects.users, now);
  return {
    name: 'identity',
    apiKeys,
    current: (caller) => (caller.kind === 'user' ? tokens.current(caller) : apiKeys.current(caller)),
    firstAdministrator: (keep) =>
      bootstrap(database, accounts, projects.first, now, {
        email: settings.EARSHOT_ADMIN_EMAIL,
        password: settings.EARSHOT_ADMIN_PASSWORD?.reveal() ?? null,
        keep,
      }),
    verifiers: { userToken: (token) => tokens.verify(token), apiKey: (key) => apiKeys.verify(key) },
    parts:
      external === null ? [] : [{ name: 'identity provider', start: () => void reportProblem(external, platform) }],
    operations: accountOperations(administration),
    routes: [
      ...accountRouter(service, platform.publicUrl),
      ...consoleSessionRouter(console, cookieKey, platform),
      ...apiKeyRouter(apiKeys),
    ],
  };
}

/** A provider that is away or wrongly set up keeps nobody from working who has signed in already: the start goes on. */
async function reportProblem(
  { problem }: { problem: () => Promise<string | null> },
  { logger }: Platform,
): Promise<void> {
  try {
    const found = await problem();
    if (found === null) logger.info('the identity provider can be used');
    else logger.warn({ reason: found }, 'the identity provider cannot be used');
  } catch (error) {
    logger.error({ err: error }, 'the identity provider could not be examined');
  }
}
