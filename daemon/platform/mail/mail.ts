/**
 * Emails go out through the operator's mail server, one at a time and never without a limit. An email that cannot be
 * sent is told to the sender, who hands its content over in another way; it never fails what it tells of.
 */

export interface Email {
  /** One address. */
  readonly to: string;
  /** Where answers go; left out: to the sender. */
  readonly replyTo?: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

export interface Mail {
  /** Whether the mail server took the email; false also where none is configured. */
  send(email: Email): Promise<boolean>;
  close(): void;
}

export const noMail: Mail = { send: async () => false, close: () => {} };
