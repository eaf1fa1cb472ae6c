/** Places for event streams, which hold their connection for hours: limited in this daemon, by network and by owner. */
import type { ServerResponse } from 'node:http';
import { DomainError } from '../../../src/contract/errors.js';
import { spreadSeconds } from '../limits/spread.js';
import type { ClientAddresses } from './client-addresses.js';
import type { ConnectionPlaces, PlaceOwner } from './connection-places.js';

const retrySeconds = 10;
/** Says what to do where a share is used up. */
const usedUp = {
  tenant:
    'Your tenant has reached its limit of open streams. Close some that nobody reads, or wait for the seconds in Retry-After.',
  person: 'This person has reached the limit of open streams. Close one, or wait for the seconds in Retry-After.',
} as const;

export class StreamPlaces {
  constructor(
    private readonly places: ConnectionPlaces,
    private readonly addresses: ClientAddresses,
  ) {}

  /** Takes a place until the answer ends. Throws rate_limited (the network's or the reader's), overloaded (the daemon's). */
  acquire(response: ServerResponse, owner: PlaceOwner): void {
    const place = this.places.acquire(this.addresses.ofRequest(response.req));
    const retryAfterSeconds = spreadSeconds(retrySeconds);
    if (place === 'all') throw new DomainError('overloaded', { retryAfterSeconds });
    if (place === 'network')
      throw new DomainError('rate_limited', {
        message:
          'Your address has reached its limit of open streams. Close one, or wait for the seconds in Retry-After.',
        retryAfterSeconds,
      });
    const lacking = place.claim(owner);
    if (response.closed || lacking !== null) place.leave();
    else response.once('close', () => place.leave());
    if (lacking !== null) throw new DomainError('rate_limited', { message: usedUp[lacking], retryAfterSeconds });
  }
}
