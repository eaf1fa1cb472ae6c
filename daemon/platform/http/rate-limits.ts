/**
 * How often a caller may call. A request counts against its credential where that is valid, and against its address
 * where it is not or none was needed, so that a studio behind one address does not pay for a stranger's guesses.
 * Counted in this process. Choice: the three headers RateLimit-Limit, -Remaining and -Reset, which most clients know.
 */
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../../src/contract/errors.js';
import { atMost } from '../collections/at-most.js';
import type { LimitName } from '../limits/catalogue.js';
import { WindowCounter } from '../limits/window-counter.js';
import type { Head } from './answer-headers.js';
import { type Caller, identityOf } from './caller.js';

/** Requests a minute; 0 = no limit. Read at each request. */
interface RateLimitSettings {
  readonly perCredential: number;
  readonly perAddress: number;
}

const windowSeconds = 60;
/** The customer of an IPv6 provider usually has all addresses that share these bits (RFC 6177). */
const ipv6NetworkBits = 56;

/** Addresses whose network is remembered: every request asks, and parsing one takes microseconds. */
const networks = new LRUCache<string, string>(atMost(10_000));

/**
 * The address, or its network where addresses cost nothing: by this everything is counted that one client may have a share
 * of.
 */
export function networkOf(address: string): string {
  const known = networks.get(address);
  if (known !== undefined) return known;
  const network = parsedNetwork(address);
  networks.set(address, network);
  return network;
}

function parsedNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${ipv6NetworkBits}`)}/${ipv6NetworkBits}`;
}

const inAMinute = (name: LimitName, max: () => number) =>
  new WindowCounter(name, { max, windowMs: windowSeconds * 1_000 });

export class RateLimits {
  private readonly credentials: WindowCounter;
  private readonly addresses: WindowCounter;

  constructor(private readonly settings: RateLimitSettings) {
    this.credentials = inAMinute('http_credential', () => settings.perCredential);
    this.addresses = inAMinute('http_address', () => settings.perAddress);
  }

  /**
   * Counts a request and writes the rest of the allowance into its answer. `null`: no valid credential. Throws
   * rate_limited.
   */
  count(caller: Caller | null, address: string, head: Pick<Head, 'setHeader'>): Promise<void> {
    const known = caller !== null && caller.kind !== 'anonymous';
    return this.countAs(known ? identityOf(caller) : null, address, head);
  }

  /** Counts a request like `count`, for callers outside the API such as the holder of a room token. */
  async countAs(identity: string | null, address: string, head: Pick<Head, 'setHeader'>): Promise<void> {
    const [limiter, max] =
      identity === null ? [this.addresses, this.settings.perAddress] : [this.credentials, this.settings.perCredential];
    if (max === 0) return;
    const { isRefused, left, waitMs } = limiter.tryConsume(identity ?? networkOf(address));
    const resetSeconds = Math.ceil(waitMs / 1_000);
    head.setHeader('RateLimit-Limit', String(max));
    head.setHeader('RateLimit-Remaining', String(left));
    head.setHeader('RateLimit-Reset', String(resetSeconds));
    head.setHeader('RateLimit-Policy', `${max};w=${windowSeconds}`);
    if (isRefused) throw new DomainError('rate_limited', { retryAfterSeconds: resetSeconds });
  }
}
