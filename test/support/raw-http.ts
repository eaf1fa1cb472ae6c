/** Bytes over a socket, as a careless or hostile client would send them, and what came back. */
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

export interface RawClient {
  send(bytes: string | Buffer): void;
  /** Waits for more than had come when this was last asked. */
  received(): Promise<void>;
  /** Returns the text that has come by now. */
  soFar(): string;
  /** Resolves with the answer when the server hangs up. */
  ended(): Promise<RawAnswer>;
  /** Returns everything received as it arrived, however many answers that is. */
  all(): Promise<string>;
  close(): void;
}

/** @param localAddress of the loopback network; the usual one where it is left out */
export async function rawClient(url: string, localAddress?: string): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const socket = net.connect({ port: Number(port), host: hostname, localAddress });
  let text = '';
  const closed = once(socket, 'close');
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  let seen = 0;
  const all = async (): Promise<string> => {
    const late = sleep(15_000, 'late', { ref: false });
    if ((await Promise.race([closed, late])) === 'late')
      throw new Error(`The server did not hang up. It said: ${text}`);
    return text;
  };
  return {
    send: (bytes) => void socket.write(bytes),
    async received() {
      while (text.length === seen && !socket.closed) await Promise.race([once(socket, 'data'), closed]);
      seen = text.length;
    },
    soFar: () => text,
    all,
    async ended() {
      await all();
      const [headers = '', body = ''] = text.split('\r\n\r\n', 2);
      return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(headers)?.[1] ?? 0), headers, body };
    },
    close: () => void socket.destroy(),
  };
}

export async function exchange(url: string, bytes: string | Buffer): Promise<RawAnswer> {
  const client = await rawClient(url);
  client.send(bytes);
  return client.ended();
}
