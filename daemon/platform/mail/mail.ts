/**
 * Emails go out through the operator's mail server, one at a time and with a limit. An email that cannot be sent is
 * reported to its sender, who passes its content on in another way; it never makes the operation fail.
 */

export interface Email {
  /** One address. */
  readonly to: string;
  /** Reply-to address; left out: the sender. */
  readonly replyTo?: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

export interface Mail {
  /** Resolves to true if the mail server took the email; false also where none is configured. */
  send(email: Email): Promise<boolean>;
  close(): void;
}

/** Sends an email; false when none was sent and the sender passes its content on. Never throws. */
export type Mailer = Pick<Mail, 'send'>;

export const noMail: Mail = { send: async () => false, close: () => {} };
