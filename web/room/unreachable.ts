/** Sentence of the page where no sound gets through. Pure. */
import type { MediaUnreachable } from '../../src/client/room/errors.js';

const isLoopback = (host: string): boolean => /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);

/** Says which setting lets sound through, to whoever can tell the people that run the daemon. */
export function unreachableNotice(
  { addresses, port }: Pick<MediaUnreachable, 'addresses' | 'port'>,
  pageHost: string,
): string {
  const told =
    port === null
      ? 'No sound gets through: the room names no address for it.'
      : `No sound gets through: the room does not answer this browser at UDP port ${port} of ${addresses.join(', ')}.`;
  return `${told} ${remedy(addresses, port, pageHost)} This page goes on trying.`;
}

function remedy(addresses: readonly string[], port: number | null, pageHost: string): string {
  const reachable = 'set EARSHOT_MEDIA_ADDRESS to an address of the daemon that this computer reaches';
  if (!addresses.every(isLoopback))
    return `For those who run the daemon: open that port in the firewall, and ${reachable}.`;
  if (!isLoopback(pageHost)) return `For those who run the daemon: unset EARSHOT_MEDIA_HOST, and ${reachable}.`;
  const other = port === null ? '' : 'Some browsers, Firefox among them, use no loopback address for sound. ';
  return `${other}For those who run the daemon: unset EARSHOT_MEDIA_HOST, and connect this computer to a network.`;
}
