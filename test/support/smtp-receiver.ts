/** A mail server as somebody outside would run it: takes letters and keeps them. */
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

interface ReceivedEmail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they came, soft line breaks undone. */
  readonly raw: string;
}

export interface SmtpReceiver {
  /** Address with the only user and password that it accepts. */
  readonly url: string;
  readonly letters: readonly ReceivedEmail[];
  stop(): Promise<void>;
}

const user = 'earshot';
const password = 'postman';
const withoutSoftBreaks = (quotedPrintable: string): string =>
  quotedPrintable.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');

interface ReceiverOptions {
  /** 0: any that is free. */
  readonly port?: number;
  /** Address that it has no mailbox for. */
  readonly unknown?: string;
}

export async function startSmtpReceiver({ port: at = 0, unknown }: ReceiverOptions = {}): Promise<SmtpReceiver> {
  const letters: ReceivedEmail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth: ({ username, password: given }, _, done) =>
      username === user && given === password ? done(null, { user }) : done(new Error('unknown user')),
    onRcptTo: ({ address }, _, done) =>
      done(address === unknown ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : null),
    onData: (stream, { envelope }, done) => {
      text(stream).then((raw) => {
        letters.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: withoutSoftBreaks(raw),
        });
        done();
      }, done);
    },
  });
  const listener = server.listen(at, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address() as AddressInfo;
  return {
    url: `smtp://${user}:${password}@127.0.0.1:${port}`,
    letters,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
