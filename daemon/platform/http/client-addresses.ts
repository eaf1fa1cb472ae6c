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
    const peer = this.ofPeer(request.socket.remoteAddress);
    if (peer !== null) {
      this.onOther(request);
      return peer;
    }
    const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    const named = forwarded
      .slice(-proxiesMax)
      .reverse()
      .map((part) => part.trim());
    const client = named.find((address) => !this.isProxy(address));
    return client === undefined || !ipaddr.isValid(client) ? null : networkOf(client);
  }

  private isProxy(address: string): boolean {
    return ipaddr.isValid(address) && this.proxies.contain(ipaddr.process(address));
  }
}
