/** The operator's mail server. */
import { createTransport, type Transporter } from 'nodemailer';
import { TroubleReport } from '../observability/condition.js';
import type { Logger } from '../observability/logger.js';
import type { Email, Mail } from './mail.js';

const connectionsMax = 2;
const connectTimeoutMs = 5_000;
const silenceTimeoutMs = 10_000;

/** True where the server took nothing against us, but the address or the text of one email. */
const isAboutOne = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE');

export class SmtpMail implements Mail {
  private readonly transport: Transporter;
  private readonly failure: TroubleReport;

  constructor(
    /** smtp://user:password@host:port or smtps://…; STARTTLS where the server offers it. */
    url: string,
    private readonly from: string,
    private readonly log: Pick<Logger, 'error' | 'warn' | 'info'>,
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
    const begins = 'emails cannot be sent; check EARSHOT_SMTP_URL';
    this.failure = new TroubleReport(log, { begins, ends: 'emails can be sent again' });
    // Errors of idle connections: an email that fails by one is told to its sender.
    this.transport.on('error', (error) => log.warn({ err: error }, 'a connection to the mail server failed'));
  }

  async send({ to, replyTo, subject, text }: Email): Promise<boolean> {
    try {
      const answers = replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } };
      await this.transport.sendMail({ from: this.from, to: { name: '', address: to }, ...answers, subject, text });
      this.failure.set(null);
      return true;
    } catch (error) {
      if (isAboutOne(error)) this.log.warn({ err: error }, 'the mail server refused an email');
      else this.failure.set({ err: error });
      return false;
    }
  }

  /** Connects and signs in, and sends nothing. Throws. */
  async verify(): Promise<void> {
    await this.transport.verify();
  }

  close(): void {
    this.transport.close();
  }
}
