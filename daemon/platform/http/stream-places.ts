/** Places for event streams, which hold their connection for hours: limited in this daemon, by network and by owner. */
import type { ServerResponse } from 'node:http';
import { DomainError } from '../../../src/contract/errors.js';
import type { ClientAddresses } from './client-addresses.js';
import type { ConnectionPlaces } from './connection-places.js';

const retryAfterSeconds = 10;
/** A person in a room has one or two; somebody who reconnects on a bad network has a few more for a while. */
const perPersonMax = 20;

/** Who reads a stream. */
interface StreamReader {
  /** The tenant, or its project where the credential names no more. */
  readonly owner: string;
  /** The person of a room; null: a member of the team, or a program. */
  readonly person: string | null;
}

export class StreamPlaces {
  constructor(
    private readonly places: ConnectionPlaces,
    private readonly addresses: ClientAddresses,
  ) {}

  /** Takes a place until the answer ends. Throws rate_limited (the network's or the reader's), overloaded (the daemon's). */
  take(response: ServerResponse, { owner, person }: StreamReader): void {
    const place = this.places.take(this.addresses.ofRequest(response.req));
    if (place === 'all') throw new DomainError('overloaded', { retryAfterSeconds });
    if (place === 'network')
      throw new DomainError('rate_limited', {
        message: 'Your address has as many streams open as it may. Close one, or wait for the seconds in Retry-After.',
        retryAfterSeconds,
      });
    const isAllowed =
      place.claim(owner, this.places.tenantMax) && (person === null || place.claim(`${owner} ${person}`, perPersonMax));
    if (response.closed || !isAllowed) place.leave();
    else response.once('close', () => place.leave());
    if (isAllowed) return;
    throw new DomainError('rate_limited', {
      message: 'As many streams are open for you as may be. Close one, or wait for the seconds in Retry-After.',
      retryAfterSeconds,
    });
  }
}
