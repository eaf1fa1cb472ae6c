/** What signing in needs of the world outside: the identity provider and the mail server that the settings name. */
import type { Clock } from './clock.js';
import type { Settings } from './config/schema.js';
import { OidcProvider } from './features/accounts/oidc.js';
import type { ExternalLogin } from './features/accounts/service.js';
import { type Mail, noMail, SmtpMail } from './mail/mail.js';
import type { Logger } from './observability/logger.js';

/** null: people sign in by password alone. */
export function composeExternalLogin(settings: Settings, logger: Logger, now: Clock): ExternalLogin | null {
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

export const composeMail = ({ EARSHOT_SMTP_URL: url, EARSHOT_MAIL_FROM: from }: Settings, logger: Logger): Mail =>
  url === undefined ? noMail : new SmtpMail(url.reveal(), from, logger);
