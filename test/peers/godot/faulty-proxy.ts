/** A proxy before a daemon that spoils chosen requests, as networks, proxies and busy daemons do. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `lose`: the daemon carries the request out, and its answer is cut. `hang`: no answer comes. */
export type Fault =
  | 'cut'
  | 'lose'
  | 'hang'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

export class FaultyProxy {
  /** Requests that came, as `POST /path`. */
  readonly seen: string[] = [];
  /** Idempotency keys of the requests, in their order. */
  readonly keys: string[] = [];
  private faults: { readonly path: RegExp; readonly fault: Fault }[] = [];
  private readonly server = createServer((from, to) => this.pass(from, to));

  constructor(private readonly upstream: () => string) {}

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Spoils the next requests for the path, one after the other. */
  spoil(path: RegExp, ...faults: Fault[]): void {
    this.faults.push(...faults.map((fault) => ({ path, fault })));
  }

  reset(): void {
    this.faults = [];
    this.seen.length = 0;
    this.keys.length = 0;
  }

  /** Cuts every connection. */
  cut(): void {
    this.server.closeAllConnections();
  }

  stop(): void {
    this.cut();
    this.server.close();
  }

  private pass(from: IncomingMessage, to: ServerResponse): void {
    const { method = 'GET', url = '/', headers } = from;
    const isPreflight = method === 'OPTIONS';
    if (!isPreflight) {
      this.seen.push(`${method} ${url}`);
      this.keys.push(String(headers['idempotency-key'] ?? ''));
    }
    const index = isPreflight ? -1 : this.faults.findIndex(({ path }) => path.test(url));
    const [{ fault } = { fault: null }] = index < 0 ? [] : this.faults.splice(index, 1);
    if (fault === 'cut') return void to.destroy();
    if (fault === 'hang') return void from.resume();
    if (fault !== null && fault !== 'lose') {
      const cors = headers.origin === undefined ? {} : corsHeaders(headers.origin);
      to.writeHead(fault.status, { ...cors, ...fault.headers }).end(fault.body ?? 'spoilt');
      return;
    }
    const forwarded = request(this.upstream() + url, { method, headers }, (answer) => {
      if (fault === 'lose') {
        answer.resume();
        to.destroy();
        return;
      }
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      to.flushHeaders();
      answer.pipe(to);
      answer.on('error', () => to.destroy());
    });
    forwarded.on('error', () => to.destroy());
    to.on('close', () => forwarded.destroy());
    from.pipe(forwarded);
  }
}

const corsHeaders = (origin: string): Record<string, string> => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Expose-Headers': 'Retry-After, Link',
});
