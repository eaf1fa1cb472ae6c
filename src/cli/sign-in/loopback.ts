/**
 * Waits on this machine for the browser that comes back from the identity provider (RFC 8252, section 7.3). Only the answer
 * to this sign-in counts, which its state shows: any page could send a browser here.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StateError } from '../../terminal/state-error.js';
import { UsageError } from '../../terminal/usage-error.js';

const requestMs = 10_000;
const connectionsMax = 32;

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  Connection: 'close',
};
const pageOf = (sentence: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Earshot</title><p>${sentence}</p></html>\n`;

export interface BrowserAnswer {
  readonly query: URLSearchParams;
  /** Shows the sentence, plain text of ours, in the browser. */
  show(sentence: string): void;
}

export class Loopback {
  private constructor(
    private readonly servers: readonly Server[],
    /** With the port that was free. */
    readonly redirectUri: string,
  ) {}

  /** `address`: http, of this machine; without a port any free one is taken. Throws UsageError. */
  static async open(address: string): Promise<Loopback> {
    const url = new URL(address);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (url.protocol !== 'http:' || !['127.0.0.1', '::1', 'localhost'].includes(host))
      throw new UsageError(`The daemon names ${url.origin} to come back to, which is not on this machine.`);
    const [first, other] = host === 'localhost' ? ['127.0.0.1', '::1'] : [host];
    const server = await listening(first ?? host, Number(url.port));
    const { port } = server.address() as AddressInfo;
    url.port = String(port);
    // Browsers may try either address of localhost first, and another program must not get what is meant for us.
    const second = other === undefined ? null : await secondListening(other, port, server);
    const path = url.pathname === '/' && !address.endsWith('/') ? '' : url.pathname;
    return new Loopback(second === null ? [server] : [server, second], `${url.origin}${path}`);
  }

  /** Resolves to the first answer with this state. `onForeign` is called when the first other one comes. */
  answer(state: string, onForeign: () => void): Promise<BrowserAnswer> {
    const { pathname } = new URL(this.redirectUri);
    let isForeignKnown = false;
    return new Promise((resolve) => {
      const take = (request: IncomingMessage, response: ServerResponse) => {
        response.on('error', () => {});
        const { url: target = '/' } = request;
        const url = URL.canParse(target, this.redirectUri) ? new URL(target, this.redirectUri) : null;
        const show = (status: number, sentence: string) =>
          void response.writeHead(status, headers).end(pageOf(sentence));
        if (request.method !== 'GET' || url?.pathname !== pathname) return show(404, 'There is nothing here.');
        if (url.searchParams.get('state') !== state) {
          if (!isForeignKnown) onForeign();
          isForeignKnown = true;
          return show(400, 'This does not belong to the sign-in that waits in the terminal.');
        }
        resolve({ query: url.searchParams, show: (sentence) => show(200, sentence) });
      };
      for (const server of this.servers) server.on('request', take);
    });
  }

  close(): void {
    for (const server of this.servers) {
      server.close();
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 200).unref();
    }
  }
}

/** Listens at the other address of localhost; null: the machine does not have it. Otherwise closes the first and throws. */
async function secondListening(host: string, port: number, first: Server): Promise<Server | null> {
  try {
    return await listening(host, port);
  } catch (error) {
    if (['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error))) return null;
    first.close();
    throw error;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** `port`: 0 for any free one. Throws StateError where it is taken. */
async function listening(host: string, port: number): Promise<Server> {
  const server = createServer({ requestTimeout: requestMs, headersTimeout: requestMs, keepAliveTimeout: 1 });
  server.maxConnections = connectionsMax;
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    throw new StateError(
      'port_taken',
      `Port ${port} of this machine is taken, perhaps by another sign-in. End that one, or use --device.`,
    );
  });
  server.on('error', () => {});
  return server;
}
