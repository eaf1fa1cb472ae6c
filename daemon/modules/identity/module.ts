/** Part of the composition root: who somebody is, and what they may reach. */
import type { Clock } from '../../platform/clock.js';
import type { Settings } from '../../platform/config/schema.js';
import type { Database } from '../../platform/database/database.js';
import type { BoundRoute } from '../../platform/http/bind.js';
import type { Member } from '../../platform/http/caller.js';
import { type Mail, noMail } from '../../platform/mail/mail.js';
import type { Logger } from '../../platform/observability/logger.js';
import { version } from '../../platform/version.js';
import { Access } from '../projects/access.js';
import { projectUserRouter } from '../projects/routes.js';
import type { ProjectStore } from '../projects/store.js';
import { ProjectUserService } from '../projects/users.js';
import { LoginAttempts } from './accounts/attempts.js';
import { OidcProvider } from './accounts/oidc.js';
import { accountRouter } from './accounts/routes.js';
import { AccountService, type ExternalLogin } from './accounts/service.js';
import { AccountStore } from './accounts/store.js';
import { UserTokens } from './accounts/user-tokens.js';
import { apiKeyRouter } from './api-keys/routes.js';
import { ApiKeyService } from './api-keys/service.js';
import { ApiKeyStore } from './api-keys/store.js';

interface AccessNeeds {
  readonly database: Database;
  readonly projects: ProjectStore;
  /** Signs the tokens of users. */
  readonly tokenKey: Uint8Array;
  readonly publicUrl: () => string;
  readonly settings: Settings;
  readonly logger: Logger;
  readonly now: Clock;
}

export interface ComposedAccess {
  readonly access: Access;
  readonly userTokens: UserTokens;
  readonly apiKeys: ApiKeyService;
  readonly mail: Mail;
  /** The caller as they are now; null when the credential is gone. */
  current(caller: Member): Promise<Member | null>;
  readonly routes: BoundRoute[];
}

export async function composeAccess(needs: AccessNeeds): Promise<ComposedAccess> {
  const { database, projects, tokenKey, publicUrl, settings, logger, now } = needs;
  const accountStore = new AccountStore(database);
  const access = new Access(projects);
  const mail = await composeMail(settings, logger);
  const projectUsers = new ProjectUserService(database, projects, mail, publicUrl, now);
  const userTokens = new UserTokens(tokenKey, accountStore, now);
  const accounts = new AccountService(
    database,
    accountStore,
    userTokens,
    new LoginAttempts(now),
    projectUsers,
    composeExternalLogin(settings, logger, now),
    now,
  );
  const apiKeys = new ApiKeyService(database, new ApiKeyStore(database), access, now);
  return {
    access,
    userTokens,
    apiKeys,
    mail,
    current: (caller) => (caller.kind === 'user' ? userTokens.current(caller) : apiKeys.current(caller)),
    routes: [...accountRouter(accounts, version), ...apiKeyRouter(apiKeys), ...projectUserRouter(projectUsers)],
  };
}

/** null: people sign in by password alone. */
function composeExternalLogin(settings: Settings, logger: Logger, now: Clock): ExternalLogin | null {
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
  return { provider: new OidcProvider(options, logger, now), autoCreate };
}

async function composeMail(
  { EARSHOT_SMTP_URL: url, EARSHOT_MAIL_FROM: from }: Settings,
  logger: Logger,
): Promise<Mail> {
  if (url === undefined) return noMail;
  const { SmtpMail } = await import('../../platform/mail/smtp.js');
  return new SmtpMail(url.reveal(), from, logger);
}
