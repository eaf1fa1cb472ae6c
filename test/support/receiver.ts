/** A receiver of webhooks, as somebody outside would run it: keeps what came, answers as it is told and echoes it. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Answer of a receiver to one request. */
interface Behaviour {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Takes the request and never answers. */
  readonly hang?: boolean;
  /** Takes the request and closes the connection. */
  readonly cut?: boolean;
  readonly afterMs?: number;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Status of the next answers. */
  answer: number;
  /** Decides about each request by itself; null: `answer` and an echo. */
  behave: ((request: Received) => Behaviour) | null;
  waitFor(count: number, timeoutMs?: number): Promise<Received[]>;
  stop(): Promise<void>;
}

/** @param port of an earlier one that is started again; left out: a free one */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const one = { headers: request.headers as Record<string, string>, body };
      received.push(one);
      const {
        status = receiver.answer,
        headers = {},
        body: answer = `noted: ${body}`,
        hang,
        cut,
        afterMs = 0,
      } = receiver.behave?.(one) ?? {};
      if (hang === true) return;
      if (cut === true) return void request.socket.destroy();
      setTimeout(() => response.writeHead(status, headers).end(answer), afterMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: 204,
    behave: null,
    async waitFor(count, timeoutMs = 60_000) {
      const deadline = Date.now() + timeoutMs;
      while (received.length < count) {
        if (Date.now() > deadline) throw new Error(`${received.length} of ${count} deliveries came.`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      return received;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
