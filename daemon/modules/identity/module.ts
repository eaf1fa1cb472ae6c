/** Identity: accounts, logins, API keys. */
import type { Database } from '../../platform/database/database.js';
import type { Member } from '../../platform/http/caller.js';
import type { Module } from '../../platform/module.js';
import type { Platform } from '../../platform/platform.js';
import type { ProjectDirectory } from '../projects/directory.js';
import { AccountAdministration } from './accounts/administration.js';
import { AttemptStore } from './accounts/attempt-store.js';
import { LoginAttempts } from './accounts/attempts.js';
import { bootstrap, type FirstAdministrator } from './accounts/bootstrap.js';
import { LoginCodeStore } from './accounts/login-code-store.js';
import { LoginCodes } from './accounts/login-codes.js';
import { OidcProvider } from './accounts/oidc.js';
import { accountRouter } from './accounts/routes.js';
import { AccountService, type ExternalLogin } from './accounts/service.js';
import { AccountStore } from './accounts/store.js';
import { UserTokens } from './accounts/user-tokens.js';
import { accountOperations } from './admin-operations.js';
import { apiKeyRouter } from './api-keys/routes.js';
import { ApiKeyService } from './api-keys/service.js';
import { ApiKeyStore } from './api-keys/store.js';

interface IdentityNeeds {
  readonly projects: ProjectDirectory;
}

export interface Identity extends Module {
  readonly apiKeys: ApiKeyService;
  readonly actors: {
    /** E-mail addresses of users and names of keys of the tenant, by id; those that are gone too. */
    names(tenantId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
    /** The ids that are accounts of the tenant, and not API keys. */
    people(tenantId: string, ids: readonly string[]): Promise<ReadonlySet<string>>;
  };
  /** The current state of the caller; null when the credential is no longer valid. */
  current(caller: Member): Promise<Member | null>;
  /** Creates the administrator of a new installation; null where there is one. `keep` receives a random password. */
  firstAdministrator(keep: (password: string) => void): Promise<FirstAdministrator | null>;
}

/** The e-mail addresses and names of accounts; made before the rest of the module, because `projects` needs them. */
export function accountEmails({ database }: Pick<Platform, 'database'>) {
  const [accounts, keys] = [new AccountStore(database), new ApiKeyStore(database)];
  return {
    emailOf: accounts.emailOf,
    /** Returns how an invitation names a person or a key; null where it is gone. */
    async inviterOf(id: string): Promise<string | null> {
      const account = await accounts.byId(id);
      if (account === null) return (await keys.byId(id))?.name ?? null;
      const { displayName, email } = account;
      return displayName === email ? email : `${displayName} (${email})`;
    },
  };
}

/** Creates a tenant without accounts, for a temporary database. */
export const emptyTenant = (database: Database, ...tenant: Parameters<AccountStore['insertTenant']>): Promise<void> =>
  new AccountStore(database).insertTenant(...tenant);

/** The names of accounts and keys for the audit log, and the tenants of accounts. */
export function accountNames({ database }: Pick<Platform, 'database'>) {
  const [accounts, keys] = [new AccountStore(database), new ApiKeyStore(database)];
  return {
    user: async (id: string) => (await accounts.byId(id))?.email ?? null,
    apiKey: async (id: string) => (await keys.byId(id))?.name ?? null,
    tenantOfAccount: async (email: string) => (await accounts.byEmail(email))?.tenantId ?? null,
    tenants: () => accounts.tenants(),
  };
}

export async function identityModule(platform: Platform, { projects }: IdentityNeeds): Promise<Identity> {
  const { database, settings, logger, now } = platform;
  const accountStore = new AccountStore(database);
  const userTokens = new UserTokens(await platform.signingKey('user-tokens'), accountStore, now);
  const attempts = new LoginAttempts(database, new AttemptStore(database), now);
  const hasMail = settings.EARSHOT_SMTP_URL !== undefined;
  const codes = new LoginCodes({
    ...{ store: new LoginCodeStore(database), mailer: platform.mail, publicUrl: platform.publicUrl, logger, now },
    key: await platform.signingKey('login-codes'),
  });
  const accounts = new AccountService({
    database,
    accounts: accountStore,
    tokens: userTokens,
    attempts,
    codes: hasMail ? codes : null,
    invitations: projects.users,
    external: externalLogin(platform),
    logger,
    now,
  });
  const firstProjects = { create: projects.createFirst };
  const administration = new AccountAdministration(database, accountStore, firstProjects, now);
  const keys = new ApiKeyStore(database);
  const apiKeys = new ApiKeyService(database, keys, projects.access, now);
  return {
    name: 'identity',
    apiKeys,
    actors: {
      names: async (...whose) => new Map([...(await accountStore.emails(...whose)), ...(await keys.names(...whose))]),
      people: async (...whose) => new Set((await accountStore.emails(...whose)).map(([id]) => id)),
    },
    current: (caller) => (caller.kind === 'user' ? userTokens.current(caller) : apiKeys.current(caller)),
    firstAdministrator: (keep) =>
      bootstrap(database, accountStore, firstProjects, now, {
        email: settings.EARSHOT_ADMIN_EMAIL,
        password: settings.EARSHOT_ADMIN_PASSWORD?.reveal() ?? null,
        keep,
      }),
    verifiers: { userToken: (token) => userTokens.verify(token), apiKey: (key) => apiKeys.verify(key) },
    operations: accountOperations(administration),
    routes: [...accountRouter(accounts, platform.publicUrl), ...apiKeyRouter(apiKeys)],
  };
}

/** null: people sign in by password only. */
function externalLogin({ settings, outsideWaits, logger, now }: Platform): ExternalLogin | null {
  const {
    EARSHOT_IDENTITY: kind,
    EARSHOT_IDENTITY_URL: issuer = '',
    EARSHOT_IDENTITY_CLIENT_ID: clientId = '',
    EARSHOT_IDENTITY_CLIENT_SECRET: clientSecret,
    EARSHOT_IDENTITY_AUDIENCE: audience = clientId,
    EARSHOT_IDENTITY_AUTO_CREATE: autoCreate,
  } = settings;
  if (kind === 'none') return null;
  const options = { issuer, clientId, clientSecret: clientSecret?.reveal() ?? '', audience };
  const provider = new OidcProvider(options, logger, now);
  const identify = (token: string) => outsideWaits.run('identity provider', () => provider.identify(token));
  return { provider: { identify }, autoCreate };
}
