/**
 * The one way out to addresses that a project sets (contract, section 7): resolved, judged, and connected to as
 * judged, so that no name can change its mind between the two. Redirects are not followed.
 */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Reachable } from './reachable.js';

/** The address is one that outbound calls may not reach. */
export class BlockedAddress extends Error {
  override name = 'BlockedAddress';
  constructor(what: string) {
    super(`blocked_address: ${what} may not be called; EARSHOT_OUTBOUND_ALLOW opens networks that are not public.`);
  }
}

export interface OutboundAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  /** At most the first `answerBytesMax`; what comes behind them is not read. */
  readonly body: string;
}

/** Every address of a name. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

const timeoutMs = 15_000;
const answerBytesMax = 64 * 1024;
/** RFC 6761: these are this host, whatever a name server says. */
const ownName = /(^|\.)localhost\.?$/i;
const systemResolve: Resolve = async (host) =>
  ownName.test(host) ? [{ address: '127.0.0.1', family: 4 }] : lookup(host, { all: true });

export class Outbound {
  private readonly reachable: Reachable;
  private closed = false;
  private readonly agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  };

  constructor(
    networks: readonly string[],
    private readonly resolve: Resolve = systemResolve,
  ) {
    this.reachable = new Reachable(networks);
  }

  /** Throws BlockedAddress, and what the network refuses. */
  async post(address: string, headers: Readonly<Record<string, string>>, body: string): Promise<OutboundAnswer> {
    const url = new URL(address);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new BlockedAddress(`the scheme ${url.protocol}`);
    if (url.username !== '' || url.password !== '') throw new BlockedAddress('an address with user information');
    const judged = await this.judge(url.hostname.replace(/^\[|\]$/g, ''));
    const connectTo: LookupFunction = (_host, options, callback) => {
      if (options.all === true) callback(null, [...judged]);
      else callback(null, judged[0].address, judged[0].family);
    };
    return this.send(url, connectTo, headers, body, AbortSignal.timeout(timeoutMs));
  }

  /** Breaks off what is on its way. */
  close(): void {
    this.closed = true;
    this.agents['http:'].destroy();
    this.agents['https:'].destroy();
  }

  /** The addresses of the name, when each of them may be reached. */
  private async judge(host: string): Promise<[LookupAddress, ...LookupAddress[]]> {
    const family = isIP(host);
    const [first, ...others] = family === 0 ? await this.resolve(host) : [{ address: host, family }];
    if (first === undefined || [first, ...others].some(({ address }) => !this.reachable.allows(address)))
      throw new BlockedAddress(host);
    return [first, ...others];
  }

  private send(
    url: URL,
    connectTo: LookupFunction,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<OutboundAnswer> {
    const isTls = url.protocol === 'https:';
    const options = {
      method: 'POST',
      headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
      agent: this.agents[isTls ? 'https:' : 'http:'],
      lookup: connectTo,
      signal,
    };
    return new Promise((resolve, reject) => {
      const request = (isTls ? https : http).request(url, options, (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        const answer = () =>
          resolve({
            status: response.statusCode ?? 0,
            retryAfter: response.headers['retry-after'] ?? null,
            body: Buffer.concat(chunks).subarray(0, answerBytesMax).toString('utf8'),
          });
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size < answerBytesMax) return;
          answer();
          response.destroy();
        });
        response.on('error', reject);
        response.on('end', answer);
      });
      request.on('error', (error) => {
        // A kept connection that the other side gave up just now says nothing about the receiver: the next one will.
        const isStale = request.reusedSocket && 'code' in error && error.code === 'ECONNRESET' && !this.closed;
        if (isStale) resolve(this.send(url, connectTo, headers, body, signal));
        else reject(error);
      });
      request.end(body);
    });
  }
}
