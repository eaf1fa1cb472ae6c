/** Choice of the next endpoint to send to, without a database or a network. */
import { describe, expect, it } from 'vitest';
import { Places } from '../../daemon/modules/webhooks/delivery/places.js';

/** Due deliveries: so many for each endpoint, which is named `tenant/endpoint`; `!` behind it: it fails. */
const due = (endpoints: readonly string[], each = 1) =>
  endpoints.flatMap((name) => {
    const [tenantId = ''] = name.split('/');
    const [subscriptionId = ''] = name.split('!');
    return Array.from({ length: each }, (_, index) => ({
      ...{ id: `${name}#${index}`, tenantId, subscriptionId, failing: name.endsWith('!'), suspect: false },
    }));
  });
const many = (tenant: string, count: number) => Array.from({ length: count }, (_, index) => `${tenant}/${index}`);
const prove = (places: Places, endpoints: readonly string[]) => {
  for (const one of due(endpoints)) places.acquire(one)(true);
};

describe('places for webhook attempts', () => {
  it.each([
    ['that has not answered yet', [], ['a/1'], 1],
    ['that answers', ['a/1'], ['a/1'], 8],
    ['that fails', ['a/1'], ['a/1!'], 1],
  ])('go to an endpoint %s', (_, answered, endpoints, expected) => {
    const places = new Places();
    prove(places, answered);
    expect(places.choose(due(endpoints, 20))).toHaveLength(expected);
  });

  it('are one for an endpoint whose last attempt failed, until one arrives', () => {
    const places = new Places();
    prove(places, ['a/1']);
    for (const one of due(['a/1'])) places.acquire(one)(false);
    expect(places.choose(due(['a/1'], 20))).toHaveLength(1);
  });

  it('are a share for each tenant, and less for endpoints that have not answered', () => {
    const places = new Places();
    prove(places, many('a', 30));
    expect(places.choose(due(many('a', 30), 8))).toHaveLength(64);
    expect(places.choose(due(many('b', 300)))).toHaveLength(32);
  });

  it('leave room for healthy endpoints when others hang', () => {
    const places = new Places();
    prove(places, ['healthy/1']);
    const hanging = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((tenant) => many(tenant, 50));
    const chosen = places.choose(due(hanging));
    expect(chosen).toHaveLength(128);
    for (const one of chosen) places.acquire(one);
    expect(places.choose(due([...hanging, 'healthy/1', 'new/1'])).map(({ id }) => id)).toEqual(['healthy/1#0']);
  });

  it('go to the tenant with the fewest first, and to each of its endpoints once before any twice', () => {
    const places = new Places();
    prove(places, ['a/1', 'a/2', 'b/1']);
    for (const one of due(['a/1'])) places.acquire(one);
    expect(places.choose(due(['a/1', 'a/2', 'b/1'], 2)).map(({ id }) => id)).toEqual([
      ...['b/1#0', 'a/2#0', 'b/1#1', 'a/1#0', 'a/2#1', 'a/1#1'],
    ]);
  });

  it('come back when an attempt ends', () => {
    const places = new Places();
    const [one] = due(['a/1']);
    if (one === undefined) throw new Error('Nothing is due.');
    const giveBack = places.acquire(one);
    expect(places.choose([one])).toEqual([]);
    giveBack(null);
    expect(places.choose([one])).toHaveLength(1);
  });
});
