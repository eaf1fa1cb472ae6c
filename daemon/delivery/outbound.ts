/**
 * The one way out to addresses that a project sets (contract, section 7): resolved, judged, and connected to as
 * judged, so that no name can change its mind between the two. Redirects are not followed.
 */
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The address is one that outbound calls may not reach. */
export class BlockedAddress extends Error {
  override name = 'BlockedAddress';
  constructor(host: string) {
    super(`blocked_address: ${host} is not a public address; EARSHOT_OUTBOUND_ALLOW opens networks.`);
  }
}

export interface OutboundAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  /** At most the first `answerBytesMax`. */
  readonly body: string;
}

const timeoutMs = 15_000;
const answerBytesMax = 64 * 1024;
/** RFC 6052 and RFC 3056: what is embedded decides. */
const nat64 = ipaddr.parseCIDR('64:ff9b::/96');

/** The IPv4 address that an IPv6 one stands for, where it does (mapped, NAT64, 6to4). */
function embedded(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const bytes = address.toByteArray();
  if (address.match(nat64)) return new ipaddr.IPv4(bytes.slice(12));
  return address.range() === '6to4' ? new ipaddr.IPv4(bytes.slice(2, 6)) : null;
}

export class Outbound {
  private readonly allowed: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];
  private readonly agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  };

  constructor(networks: readonly string[]) {
    this.allowed = networks.map((network) => {
      if (network.includes('/')) return ipaddr.parseCIDR(network);
      const address = ipaddr.parse(network);
      return [address, address.kind() === 'ipv4' ? 32 : 128];
    });
  }

  /** Throws BlockedAddress, and what the network refuses. */
  async post(address: string, headers: Readonly<Record<string, string>>, body: string): Promise<OutboundAnswer> {
    const url = new URL(address);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new BlockedAddress(address);
    if (url.username !== '' || url.password !== '') throw new BlockedAddress('an address with user information');
    const judged = await this.judge(url.hostname.replace(/^\[|\]$/g, ''));
    const connectTo: LookupFunction = (_host, options, callback) => {
      if (options.all === true) callback(null, [...judged]);
      else callback(null, judged[0].address, judged[0].family);
    };
    return this.send(url, connectTo, headers, body);
  }

  close(): void {
    this.agents['http:'].destroy();
    this.agents['https:'].destroy();
  }

  /** The addresses of the name, when each of them may be reached. */
  private async judge(host: string): Promise<[LookupAddress, ...LookupAddress[]]> {
    const family = isIP(host);
    const [first, ...others] = family === 0 ? await lookup(host, { all: true }) : [{ address: host, family }];
    if (first === undefined || [first, ...others].some(({ address }) => !this.mayReach(address)))
      throw new BlockedAddress(host);
    return [first, ...others];
  }

  private mayReach(text: string): boolean {
    const address = ipaddr.parse(text);
    const judged = address instanceof ipaddr.IPv6 ? (embedded(address) ?? address) : address;
    const opened = this.allowed.some(
      ([network, bits]) => network.kind() === judged.kind() && judged.match(network, bits),
    );
    return opened || judged.range() === 'unicast';
  }

  private send(
    url: URL,
    connectTo: LookupFunction,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<OutboundAnswer> {
    const { protocol } = url;
    const transport = protocol === 'https:' ? https : http;
    const options = {
      method: 'POST',
      headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
      agent: this.agents[protocol === 'https:' ? 'https:' : 'http:'],
      lookup: connectTo,
      signal: AbortSignal.timeout(timeoutMs),
    };
    return new Promise((resolve, reject) => {
      const request = transport.request(url, options, (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          if (size < answerBytesMax) chunks.push(chunk);
          size += chunk.length;
        });
        response.on('error', reject);
        response.on('end', () => {
          const retryAfter = response.headers['retry-after'] ?? null;
          const text = Buffer.concat(chunks).subarray(0, answerBytesMax).toString('utf8');
          resolve({ status: response.statusCode ?? 0, retryAfter, body: text });
        });
      });
      request.on('error', reject);
      request.end(body);
    });
  }
}
