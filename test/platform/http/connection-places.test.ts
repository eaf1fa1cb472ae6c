import { describe, expect, it } from 'vitest';
import { ConnectionPlaces, type ConnectionSlot } from '../../../daemon/platform/http/connection-places.js';
import { networkOf } from '../../../daemon/platform/http/rate-limits.js';
import { createLogger } from '../../../daemon/platform/observability/logger.js';

const placesOf = (max: number, perNetworkMax: number) =>
  new ConnectionPlaces('streams', { max, perNetworkMax }, createLogger('silent'));
const taken = (place: ConnectionSlot | string): ConnectionSlot => {
  if (typeof place === 'string') throw new Error(`no place: ${place}`);
  return place;
};

describe('places for connections', () => {
  it('count the /56 of an IPv6 address as one network', () => {
    const places = placesOf(100, 4);
    const held = [0, 1, 2, 3].map((part) => taken(places.acquire(networkOf(`2001:db8:1:12${part}0::1`))));
    expect(places.acquire(networkOf('2001:db8:1:12ff::1'))).toBe('network');
    expect(typeof places.acquire(networkOf('2001:db8:1:1300::1'))).toBe('object');
    held[0]?.leave();
    expect(typeof places.acquire(networkOf('2001:db8:1:12ff::1'))).toBe('object');
  });

  it('count those of a tenant and of a person, and free what an owner gives up', () => {
    const limits = { max: 20, perNetworkMax: 0, perTenantMax: 4, perPersonMax: 2 };
    const places = new ConnectionPlaces('streams', limits, createLogger('silent'));
    const claim = (tenantId: string, externalUserId: string | null) => {
      const place = taken(places.acquire(null));
      const person = externalUserId === null ? null : { projectId: 'p', externalUserId };
      return { place, lacking: place.claim({ tenantId, person }) };
    };
    const held = [claim('a', 'ann'), claim('a', 'ann'), claim('a', null), claim('a', 'ann'), claim('a', 'bob')];
    expect(held.map(({ lacking }) => lacking)).toEqual([null, null, null, 'person', null]);
    expect(claim('a', null).lacking).toBe('tenant');
    expect(claim('b', 'ann').lacking).toBe('person'); // the same project and person
    expect(claim('b', 'eve').lacking).toBe(null);
    expect(places.overShare).toBe(3);
    for (const { place } of held) place.leave();
    expect(claim('a', 'ann').lacking).toBe(null);
  });
});
