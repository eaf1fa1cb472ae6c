/**
 * Addresses that outbound calls may reach: public unicast ones, and the networks that the operator allows. An IPv6
 * address that stands for an IPv4 address is judged as that.
 */
import ipaddr from 'ipaddr.js';
import { Networks } from '../networks.js';

/** RFC 6052: NAT64; the last four bytes are the address. */
const nat64 = ipaddr.parseCIDR('64:ff9b::/96');
/** RFC 4291: IPv4-compatible addresses, deprecated and routed nowhere. */
const ipv4Compatible = ipaddr.parseCIDR('::/96');
/** RFC 5214: ISATAP interface identifiers, in any network. */
const isatap = [0, 0, 0x5e, 0xfe] as const;
/** RFC 4291: the unicast range that IANA has allocated so far. Anything outside is not public. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** RFC 9637: documentation, within the range above. */
const documentation = ipaddr.parseCIDR('3fff::/20');

/** The IPv4 address that an IPv6 one stands for, if any: mapped, compatible, NAT64, 6to4, ISATAP. */
function embedded(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const bytes = address.toByteArray();
  if (address.range() === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6));
  const last = new ipaddr.IPv4(bytes.slice(12));
  if (address.match(nat64)) return last;
  if (address.match(ipv4Compatible) && address.range() === 'unicast') return last;
  // The universal bit may be set.
  const isIsatap = isatap.every((byte, index) => ((bytes[8 + index] ?? 0) & (index === 0 ? 0xfd : 0xff)) === byte);
  return isIsatap ? last : null;
}

export class Reachable {
  private readonly opened: Networks;

  /** Networks in CIDR notation, or single addresses. */
  constructor(networks: readonly string[]) {
    this.opened = new Networks(networks);
  }

  allows(text: string): boolean {
    const address = ipaddr.parse(text);
    const judged = address instanceof ipaddr.IPv6 ? (embedded(address) ?? address) : address;
    if (this.opened.contain(judged)) return true;
    if (judged.range() !== 'unicast') return false;
    return judged instanceof ipaddr.IPv4 || (judged.match(globalUnicast) && !judged.match(documentation));
  }
}
