/** An HTTP proxy before a daemon that a test makes fail: it cuts, refuses or keeps silent, request by request. */
import { createServer, type IncomingMessage, request as open, type Server, type ServerResponse } from 'node:http';

export type Fault =
  /** The request does not reach the daemon. */
  | { readonly kind: 'cut before' }
  /** The daemon carries it out, and its answer is lost. */
  | { readonly kind: 'cut after' }
  /** Half of the answer's body arrives. */
  | { readonly kind: 'cut within' }
  /** Nothing answers until the client gives up. */
  | { readonly kind: 'silence' }
  /** Somebody in between answers instead. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    };

export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly at: number;
}

export class FaultProxy {
  /** Every request that came, oldest first. */
  readonly passed: Passed[] = [];
  /** Faults of the next requests, in order; later requests pass. */
  readonly next: (Fault | null)[] = [];
  /** Decides about requests for which `next` has nothing; a request waits for it. */
  otherwise: (request: Passed) => Fault | null | Promise<Fault | null> = () => null;
  private readonly server: Server;

  /** @param upstream address of the daemon; it is asked anew for each request */
  constructor(private readonly upstream: () => string) {
    this.server = createServer((request, response) => void this.pass(request, response));
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    const address = this.server.address();
    if (typeof address !== 'object' || address === null) throw new Error('The proxy was not started.');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Cuts every connection, streams too. */
  cut(): void {
    this.server.closeAllConnections();
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.cut();
    await closed;
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = request;
    const arrived = { method, path, headers, at: performance.now() };
    this.passed.push(arrived);
    request.on('error', () => {});
    response.on('error', () => {});
    const fault = this.next.length > 0 ? (this.next.shift() ?? null) : await this.otherwise(arrived);
    if (fault?.kind === 'cut before') request.destroy();
    else if (fault?.kind === 'answer') response.writeHead(fault.status, fault.headers).end(fault.body ?? '');
    else if (fault?.kind !== 'silence') this.forward(request, response, fault);
  }

  private forward(request: IncomingMessage, response: ServerResponse, fault: Fault | null): void {
    const { method, url: path, headers } = request;
    const lose = () => request.socket.destroy();
    const onward = open(new URL(path ?? '/', this.upstream()), { method, headers, agent: false }, (answer) => {
      answer.on('error', lose);
      const { statusCode = 502, headers: given } = answer;
      if (fault?.kind === 'cut after') {
        answer.resume().on('end', lose);
        return;
      }
      response.writeHead(statusCode, given);
      if (fault?.kind === 'cut within') {
        answer.once('data', (part: Buffer) => response.write(part.subarray(0, part.length / 2), lose));
        return;
      }
      response.flushHeaders();
      answer.pipe(response);
      response.on('close', () => answer.destroy());
    });
    onward.on('error', lose);
    request.pipe(onward);
  }
}
