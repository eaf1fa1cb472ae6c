/** The address that a connection comes from, for limits, behind the proxies that the settings trust. */
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { atMost } from '../collections/at-most.js';
import { Networks } from '../networks.js';
import { networkOf } from './rate-limits.js';

/** Longest chain of proxies that is followed. */
const proxiesMax = 10;
/** Peers whose network is cached: parsing an address costs as much as accepting the connection. */
const rememberedMax = 10_000;

export class ClientAddresses {
  private readonly peers = new LRUCache<string, { readonly network: string | null }>(atMost(rememberedMax));
  private readonly proxies: Networks;

  /**
   * @param trustedProxies addresses and networks such as 10.0.0.0/8
   * @param onOther called with each request that comes from no trusted proxy
   */
  constructor(
    trustedProxies: readonly string[],
    private readonly onOther: (request: IncomingMessage) => void = () => {},
  ) {
    this.proxies = new Networks(trustedProxies);
  }

  /** The network of a peer; null: a trusted proxy, whose connections belong to many. */
  ofPeer(address: string | undefined): string | null {
    if (address === undefined) return null;
    const known = this.peers.get(address) ?? { network: this.isProxy(address) ? null : networkOf(address) };
    this.peers.set(address, known);
    return known.network;
  }

  /** The network of the client according to the nearest proxies; null: unknown. */
  ofRequest(request: IncomingMessage): string | null {
    if (this.ofPeer(request.socket.remoteAddress) !== null) this.onOther(request);
    return this.ofPeer(this.addressOf(request));
  }

  /**
   * The client's address: the nearest one that is no trusted proxy. An entry that is no address ends the chain: who wrote it is
   * the last that is known.
   */
  addressOf({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
    let nearest = socket.remoteAddress ?? '';
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',');
    if (forwarded === '' || this.ofPeer(nearest) !== null) return nearest;
    for (const entry of forwarded.split(',').slice(-proxiesMax).reverse()) {
      const address = withoutPort(entry.trim());
      if (address === null) return nearest;
      nearest = address;
      if (!this.isProxy(nearest)) return nearest;
    }
    return nearest;
  }

  /** True for the address of a trusted proxy. */
  isProxy(address: string): boolean {
    return ipaddr.isValid(address) && this.proxies.contain(ipaddr.process(address));
  }
}

/** Reads an address, with or without a port: some proxies write `192.0.2.1:443` and `[2001:db8::1]:443`. */
function withoutPort(entry: string): string | null {
  const [, ipv6, ipv4] = /^(?:\[([\da-fA-F:.]+)\](?::\d{1,5})?|([\d.]+)(?::\d{1,5})?)$/.exec(entry) ?? [];
  const address = ipv6 ?? ipv4 ?? entry;
  return ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address) ? address : null;
}
