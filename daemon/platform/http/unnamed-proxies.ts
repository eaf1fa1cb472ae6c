/**
 * Remembers proxies that EARSHOT_TRUSTED_PROXIES does not name. The daemon ignores their X-Forwarded-For, so all their
 * clients share the proxy's address in limits and in the audit log.
 */
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { type AdminHandler, handlerOf } from '../admin-operation.js';
import type { Logger } from '../observability/logger.js';

const maxProxies = 16;

/** Lists the proxies seen since the start, for `earshotd doctor`. */
export const listUnnamedProxies = {
  name: 'proxies.list',
  input: z.object({}),
  output: z.object({ addresses: z.array(z.string()) }),
};

export const proxyOperations = ({ addresses }: UnnamedProxies): AdminHandler[] => [
  handlerOf(listUnnamedProxies, async () => ({ addresses: [...addresses] })),
];

/** Anybody on the internet can send the header; a proxy of one's own usually has an address that is not public. */
const isPublic = (address: ReturnType<typeof ipaddr.process>): boolean => address.range() === 'unicast';

export class UnnamedProxies {
  readonly addresses = new Set<string>();

  constructor(private readonly log: Pick<Logger, 'warn'>) {}

  /** Logs the peer of a request that carries forwarding headers, once. */
  notice({ headers, socket }: IncomingMessage): void {
    const { remoteAddress = '' } = socket;
    if (headers['x-forwarded-for'] === undefined || !ipaddr.isValid(remoteAddress)) return;
    const address = ipaddr.process(remoteAddress);
    const proxy = address.toString();
    if (this.addresses.has(proxy) || this.addresses.size >= maxProxies || isPublic(address)) return;
    this.addresses.add(proxy);
    this.log.warn(
      { proxy },
      'requests come through a proxy that EARSHOT_TRUSTED_PROXIES does not name: its clients share one address',
    );
  }
}
