/** The operator's mail server. */
import { createTransport, type Transporter } from 'nodemailer';
import type { Logger } from '../observability/logger.js';
import type { Email, Mail } from './mail.js';

const connectionsMax = 2;
const connectTimeoutMs = 5_000;
const silenceTimeoutMs = 10_000;

export class SmtpMail implements Mail {
  private readonly transport: Transporter;

  constructor(
    /** smtp://user:password@host:port or smtps://…; STARTTLS where the server offers it. */
    url: string,
    private readonly from: string,
    private readonly log: Logger,
  ) {
    this.transport = createTransport({
      url,
      pool: true,
      maxConnections: connectionsMax,
      connectionTimeout: connectTimeoutMs,
      greetingTimeout: connectTimeoutMs,
      socketTimeout: silenceTimeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    // Errors of idle connections: an email that fails by one is told to its sender.
    this.transport.on('error', (error) => this.log.warn({ err: error }, 'a connection to the mail server failed'));
  }

  async send({ to, replyTo, subject, text }: Email): Promise<boolean> {
    try {
      const answers = replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } };
      await this.transport.sendMail({ from: this.from, to: { name: '', address: to }, ...answers, subject, text });
      return true;
    } catch (error) {
      this.log.warn({ err: error }, 'an email could not be sent; check EARSHOT_SMTP_URL');
      return false;
    }
  }

  close(): void {
    this.transport.close();
  }
}
