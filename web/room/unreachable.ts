/** Sentence of the page where no sound gets through. Pure. */
import type { MediaUnreachable } from '../../src/client/room/errors.js';
import type { PageWords } from '../words/en.js';

const isLoopback = (host: string): boolean => /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(host);

/** Says which setting lets sound through, to whoever can tell the people that run the daemon. */
export function unreachableNotice(
  { addresses, port }: Pick<MediaUnreachable, 'addresses' | 'port'>,
  pageHost: string,
  { noAddress, noAnswer, firewall, loopback, browsers, network, tries }: PageWords['noSound'],
): string {
  const problem = port === null ? noAddress : noAnswer(port, addresses.join(', '));
  if (!addresses.every(isLoopback)) return `${problem} ${firewall} ${tries}`;
  if (!isLoopback(pageHost)) return `${problem} ${loopback} ${tries}`;
  return `${problem} ${port === null ? '' : browsers}${network} ${tries}`;
}
