/** Places for event streams, which hold their connection for hours: limited in this daemon and per network. */
import type { ServerResponse } from 'node:http';
import { DomainError } from '../../../src/contract/errors.js';
import type { ClientAddresses } from './client-addresses.js';
import type { ConnectionPlaces } from './connection-places.js';

const retryAfterSeconds = 10;

export class StreamPlaces {
  constructor(
    private readonly places: ConnectionPlaces,
    private readonly addresses: ClientAddresses,
  ) {}

  /** Takes a place until the answer ends. Throws rate_limited (the network's), overloaded (the daemon's). */
  take(response: ServerResponse): void {
    const place = this.places.take(this.addresses.ofRequest(response.req));
    if (place === 'all') throw new DomainError('overloaded', { retryAfterSeconds });
    if (place === 'network')
      throw new DomainError('rate_limited', {
        message: 'Your address has as many streams open as it may. Close one, or wait for the seconds in Retry-After.',
        retryAfterSeconds,
      });
    if (response.closed) place.leave();
    else response.once('close', () => place.leave());
  }
}
