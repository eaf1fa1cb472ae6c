/** The operator's mail server, where one is set. */
import type { Settings } from '../config/schema.js';
import type { Logger } from '../observability/logger.js';
import { type Mail, noMail } from './mail.js';

export async function mailOf(
  { EARSHOT_SMTP_URL: url, EARSHOT_MAIL_FROM: from }: Settings,
  logger: Logger,
): Promise<Mail> {
  if (url === undefined) return noMail;
  const { SmtpMail } = await import('./smtp.js');
  return new SmtpMail(url.reveal(), from, logger);
}
