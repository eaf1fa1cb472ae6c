/** Sends invitations by mail where a mail server is configured. Emails are sent after the call is answered. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../../../src/contract/errors.js';
import type { Email, Mailer } from '../../platform/mail/mail.js';
import type { GatheringRow } from './store.js';

/** Emails of one project in an hour, so that nobody sends spam through the operator's mail server. */
const emailsPerHour = 1_000;

const when = (time: Date, timeZone: string | null): string =>
  new Intl.DateTimeFormat('en-GB', {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: timeZone ?? 'UTC',
  }).format(time) + (timeZone === null ? ' (UTC)' : ` (${timeZone})`);

/** `{joinCode}` in the link becomes the code. */
function invitationEmail(to: string, row: GatheringRow): Email {
  const { name, description, joinCode, startsAt, endsAt, timezone, inviterName, inviterEmail, invitationUrl } = row;
  const code = `${joinCode.slice(0, 4)}-${joinCode.slice(4)}`;
  const paragraphs = [
    `${inviterName === null ? 'You are invited' : `${inviterName} invites you`} to ${name}.`,
    description,
    startsAt === null ? null : `It starts on ${when(startsAt, timezone)}.`,
    endsAt === null ? null : `It ends on ${when(endsAt, timezone)}.`,
    `Your join code: ${code}`,
    invitationUrl === null ? null : `Join by this link:\n${invitationUrl.replaceAll('{joinCode}', joinCode)}`,
  ];
  return {
    to,
    ...(inviterEmail === null ? {} : { replyTo: inviterEmail }),
    subject: `You are invited to ${name}`,
    text: `${paragraphs.filter((paragraph) => paragraph !== null).join('\n\n')}\n`,
  };
}

export class GatheringInvitationEmails {
  private readonly sent = new RateLimiterMemory({ points: emailsPerHour, duration: 3_600 });
  private readonly onTheirWay = new Set<Promise<unknown>>();

  constructor(private readonly mailer: Mailer) {}

  /** Counts emails before they are sent. Throws rate_limited. */
  async allow(projectId: string, count: number): Promise<void> {
    if (count === 0) return;
    try {
      await this.sent.consume(projectId, count);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      throw new DomainError('rate_limited', { retryAfterSeconds: error.msBeforeNext / 1_000 });
    }
  }

  send(row: GatheringRow, addresses: readonly string[]): void {
    for (const to of addresses) {
      const email = this.mailer.send(invitationEmail(to, row)).finally(() => this.onTheirWay.delete(email));
      this.onTheirWay.add(email);
    }
  }

  /** Resolves when no email is being sent any more. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.onTheirWay);
  }
}
