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
  /** What has come when the server hangs up. */
  ended(): Promise<RawAnswer>;
  close(): void;
}

export async function rawClient(url: string): Promise<RawClient> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  let text = '';
  const closed = once(socket, 'close');
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return {
    send: (bytes) => void socket.write(bytes),
    async ended() {
      const late = sleep(15_000, 'late', { ref: false });
      if ((await Promise.race([closed, late])) === 'late') throw new Error('The server did not hang up.');
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
