/** Sends invitations by mail where a mail server is configured. Emails are sent after the call is answered. */
import type { Email, Mailer } from '../../platform/mail/mail.js';
import type { MailAllowance } from '../../platform/mail/mail-allowance.js';
import { plainName } from '../../platform/mail/plain-name.js';
import type { GatheringRow } from './store.js';

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
    `${inviterName === null ? 'You are invited' : `${plainName(inviterName)} invites you`} to ${plainName(name)}.`,
    description,
    startsAt === null ? null : `It starts on ${when(startsAt, timezone)}.`,
    endsAt === null ? null : `It ends on ${when(endsAt, timezone)}.`,
    `Your join code: ${code}`,
    invitationUrl === null ? null : `Join by this link:\n${invitationUrl.replaceAll('{joinCode}', joinCode)}`,
  ];
  return {
    to,
    ...(inviterEmail === null ? {} : { replyTo: inviterEmail }),
    subject: `You are invited to ${plainName(name)}`,
    text: `${paragraphs.filter((paragraph) => paragraph !== null).join('\n\n')}\n`,
  };
}

export class GatheringInvitationEmails {
  private readonly onTheirWay = new Set<Promise<unknown>>();

  constructor(
    private readonly mailer: Mailer,
    private readonly allowance: Pick<MailAllowance, 'consume' | 'giveBack'>,
  ) {}

  /**
   * Counts emails, which `work` sends once it is committed; work that is not costs none. Throws rate_limited, and what the
   * work throws.
   */
  async during<T>(
    tenantId: string,
    addresses: readonly string[],
    work: (send: (row: GatheringRow) => void) => Promise<T>,
  ): Promise<T> {
    this.allowance.consume(tenantId, addresses.length);
    let isSent = false;
    try {
      return await work((row) => {
        isSent = true;
        this.send(row, addresses);
      });
    } finally {
      if (!isSent) this.allowance.giveBack(tenantId, addresses.length);
    }
  }

  private send(row: GatheringRow, addresses: readonly string[]): void {
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
