/** Lists of addresses and networks in CIDR notation, as the settings name them. */
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type AddressRange = readonly [Address, number];

/** 10.0.0.0/8; an address alone is a network of one. Throws for any other text. */
function parseNetwork(text: string): AddressRange {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

export class Networks {
  private readonly networks: readonly AddressRange[];

  /** Throws where one of the texts is neither an address nor a network. */
  constructor(texts: readonly string[]) {
    this.networks = texts.map(parseNetwork);
  }

  contain(address: Address): boolean {
    return this.networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  }
}

/** Returns the address in one spelling: an IPv4 address that arrived on a socket of IPv6 is the same address. */
export const plainAddress = (address: string): string =>
  ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
