import { describe, expect, it } from 'vitest';
import { ConnectionPlaces, type Place } from '../../../daemon/platform/http/connection-places.js';
import { networkOf } from '../../../daemon/platform/http/rate-limits.js';
import { createLogger } from '../../../daemon/platform/observability/logger.js';

const placesOf = (max: number, perNetworkMax: number) =>
  new ConnectionPlaces('streams', { max, perNetworkMax }, createLogger('silent'));
const taken = (place: Place | string): Place => {
  if (typeof place === 'string') throw new Error(`no place: ${place}`);
  return place;
};

describe('places for connections', () => {
  it('count the /56 of an IPv6 address as one network beside its /64', () => {
    const places = placesOf(100, 4);
    const held = [0, 1, 2, 3].map((part) => taken(places.take(networkOf(`2001:db8:1:12${part}0::1`))));
    expect(places.take(networkOf('2001:db8:1:12ff::1'))).toBe('network');
    expect(typeof places.take(networkOf('2001:db8:1:1300::1'))).toBe('object');
    held[0]?.leave();
    expect(typeof places.take(networkOf('2001:db8:1:12ff::1'))).toBe('object');
  });

  it('keep a fifth from any one tenant, and free what an owner gives up', () => {
    const places = placesOf(10, 0);
    expect(places.tenantMax).toBe(8);
    const held = Array.from({ length: 9 }, () => taken(places.take(null)));
    expect(held.map((place) => place.claim('tenant', places.tenantMax))).toEqual([...Array(8).fill(true), false]);
    for (const place of held) place.leave();
    expect(taken(places.take(null)).claim('tenant', 1)).toBe(true);
    expect(taken(places.take(null)).claim('tenant', 1)).toBe(false);
  });
});
