/**
 * One-time codes by e-mail: the second proof of somebody who signs in to an account that is being guessed at, from a network
 * that it is not known from. A code has eight digits, ten minutes and five tries, and is stored as a keyed hash.
 */
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { loginCodeLength } from '../../../../src/contract/identity/accounts.js';
import { outside } from '../../../platform/database/request-record.js';
import type { Email, Mailer } from '../../../platform/mail/mail.js';
import type { Logger } from '../../../platform/observability/logger.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { LoginCodeStore } from './login-code-store.js';

const lifetimeMs = 10 * 60_000;
/** How soon a code is replaced by the next one: nobody is sent more mails than that. */
const resendMs = 60_000;
const triesMax = 5;

interface LoginCodesNeeds {
  readonly store: LoginCodeStore;
  readonly mailer: Mailer;
  readonly key: Uint8Array;
  readonly publicUrl: () => string;
  readonly logger: Logger;
  readonly now: Clock;
}

export class LoginCodes {
  constructor(private readonly needs: LoginCodesNeeds) {}

  /** Mails a new code, unless the last one is younger than a minute. Returns at once: the time would tell who has an account. */
  send(account: { readonly id: string; readonly email: string }): void {
    const { logger } = this.needs;
    outside(() => this.issue(account)).catch((error: unknown) =>
      logger.error({ err: error }, 'a login code was not sent'),
    );
  }

  /** True once, for the code that was sent last. Uses up a try. */
  accepts(userId: string, code: string): Promise<boolean> {
    const { store, now } = this.needs;
    return outside(async () => {
      const stored = await store.useTry(userId, now());
      const given = this.hashOf(userId, code);
      const isRight = timingSafeEqual(
        Buffer.from(given, 'hex'),
        Buffer.from(stored ?? '0'.repeat(given.length), 'hex'),
      );
      return stored !== null && isRight && store.use(userId, stored);
    });
  }

  private async issue({ id: userId, email }: { readonly id: string; readonly email: string }): Promise<void> {
    const { store, mailer, publicUrl, logger, now } = this.needs;
    const code = String(randomInt(10 ** loginCodeLength)).padStart(loginCodeLength, '0');
    const [sentAt, expiresAt] = [now(), new Date(now().getTime() + lifetimeMs)];
    const row = { userId, codeHash: this.hashOf(userId, code), triesLeft: triesMax, sentAt, expiresAt };
    if (!(await store.put(row, new Date(sentAt.getTime() - resendMs)))) return;
    const isSent = await mailer.send(loginCodeEmail(email, code, publicUrl()));
    logger.info({ userId, isSent }, 'a login code was mailed');
  }

  private hashOf(userId: string, code: string): string {
    return createHmac('sha256', this.needs.key)
      .update(JSON.stringify([userId, code]))
      .digest('hex');
  }
}

const loginCodeEmail = (to: string, code: string, url: string): Email => ({
  to,
  subject: 'Your login code',
  text: [
    `Somebody signs in to ${url} with your password, from a network that you have not used there before. Many sign-ins at`,
    'your account have failed in the last minutes, so this code is needed as well:',
    '',
    code,
    '',
    'It holds for ten minutes and for one sign-in. If it is not you who signs in, keep the code to yourself and change your',
    'password:',
    '',
    'earshot password',
    '',
  ].join('\n'),
});
