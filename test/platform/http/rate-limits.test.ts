/** RateLimit headers and 429, and whose requests are counted together. */
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientAddresses } from '../../../daemon/platform/http/client-addresses.js';
import { networkOf } from '../../../daemon/platform/http/rate-limits.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { roomToken } from '../../support/room-client.js';

const perAddress = 30;
const perCredential = 20;
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({
    settings: {
      EARSHOT_RATE_LIMIT_ADDRESS: String(perAddress),
      EARSHOT_RATE_LIMIT_CREDENTIAL: String(perCredential),
      EARSHOT_TRUSTED_PROXIES: '127.0.0.1',
    },
  });
});
afterAll(() => daemon.stop());

const ask = (headers: Record<string, string>, path = '/api/projects') => fetch(daemon.url + path, { headers });
const from = (address: string, headers: Record<string, string> = {}) =>
  ask({ 'X-Forwarded-For': address, ...headers }, '/api');
const keyOf = async () => {
  const { credential } = await daemon.clientWith(['projects:read']);
  return credential?.kind === 'apiKey' ? credential.key : '';
};

async function statuses(count: number, send: () => Promise<Response>): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < count; index += 1) all.push((await send()).status);
  return all;
}

describe('a limit', () => {
  it('is told with every answer: limit, what is left, when it begins anew', async () => {
    const key = await keyOf();
    await ask({ 'X-API-Key': key });
    const { headers } = await ask({ 'X-API-Key': key });
    expect(headers.get('ratelimit-limit')).toBe(String(perCredential));
    expect(headers.get('ratelimit-remaining')).toBe(String(perCredential - 2));
    expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(0);
    expect(Number(headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60);
    expect(headers.get('ratelimit-policy')).toBe(`${perCredential};w=60`);
  });

  it('holds for a credential, wherever it calls from, and for no other', async () => {
    const key = await keyOf();
    let host = 0;
    const send = () => {
      host += 1;
      return ask({ 'X-API-Key': key, 'X-Forwarded-For': `198.51.100.${host}` });
    };
    expect(await statuses(perCredential, send)).toEqual(Array(perCredential).fill(200));
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ statusCode: 429, code: 'rate_limited' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    expect((await ask({ 'X-API-Key': await keyOf() })).status).toBe(200);
  });

  it('holds for an address where no credential is needed', async () => {
    const send = () => from('203.0.113.1');
    expect(await statuses(perAddress, send)).toEqual(Array(perAddress).fill(200));
    expect((await send()).status).toBe(429);
    expect((await from('203.0.113.2')).status).toBe(200);
  });

  it('holds in the rooms as well: for guesses by address, for who has a token by token', async () => {
    const follow = (token: string, address: string) =>
      fetch(`${daemon.url}/rooms/arena/whip/none`, {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${token}`, 'X-Forwarded-For': address },
      });
    const guess = () => follow('wrong', '203.0.113.4');
    expect(await statuses(perAddress, guess)).toEqual(Array(perAddress).fill(401));
    expect((await guess()).status).toBe(429);

    const token = await roomToken(await daemon.clientWith(['tokens']), daemon.projectId, 'arena', 'ann');
    const leave = () => follow(token, '203.0.113.4');
    expect(await statuses(perCredential, leave)).toEqual(Array(perCredential).fill(404));
    const refused = await leave();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('holds for who guesses credentials, and not for who has one at the same address', async () => {
    const guess = () => ask({ 'X-API-Key': 'wrong', 'X-Forwarded-For': '203.0.113.3' });
    expect(await statuses(perAddress, guess)).toEqual(Array(perAddress).fill(401));
    expect((await guess()).status).toBe(429);
    expect((await ask({ 'X-API-Key': await keyOf(), 'X-Forwarded-For': '203.0.113.3' })).status).toBe(200);
  });

  it('takes the IPv6 network of one customer as one address', async () => {
    let host = 0;
    const send = () => {
      host += 1;
      return from(`2001:db8:1:12${(host % 256).toString(16).padStart(2, '0')}::${host.toString(16)}`);
    };
    await statuses(perAddress, send);
    expect((await send()).status).toBe(429);
    expect((await from('2001:db8:1:1300::1')).status).toBe(200);
  });
});

describe('the client behind a proxy', () => {
  const addresses = new ClientAddresses(['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);
  const seen = (forwarded: string | undefined, remoteAddress = '127.0.0.1') => {
    const request = {
      headers: { 'x-forwarded-for': forwarded },
      socket: { remoteAddress },
    } as unknown as IncomingMessage;
    return [addresses.addressOf(request), addresses.ofRequest(request)];
  };

  it.each([
    ['203.0.113.9', '203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:40001', '203.0.113.9', '203.0.113.9'],
    ['[2001:db8::9]:40001', '2001:db8::9', '2001:db8::/56'],
    ['[2001:db8::9]', '2001:db8::9', '2001:db8::/56'],
    ['2001:db8::9', '2001:db8::9', '2001:db8::/56'],
    ['198.51.100.1, 203.0.113.9:1, 10.0.0.1:2', '203.0.113.9', '203.0.113.9'],
    ['198.51.100.1, unknown', '127.0.0.1', null],
    ['198.51.100.1, unknown, 10.0.0.1', '10.0.0.1', null],
    ['203.0.113.9:port', '127.0.0.1', null],
    ['203.0.113', '127.0.0.1', null],
    ['1', '127.0.0.1', null],
    ['', '127.0.0.1', null],
    [undefined, '127.0.0.1', null],
  ])('that writes %o is at %s, and counts as %s', (forwarded, address, network) => {
    expect(seen(forwarded)).toEqual([address, network]);
  });

  it('is not believed where the peer is no trusted proxy', () => {
    expect(seen('203.0.113.9', '192.0.2.1')).toEqual(['192.0.2.1', '192.0.2.1']);
  });

  it('is the same one for guesses from many ports, past Express and by Express', async () => {
    for (const path of ['/api/projects', '/api/v1/events']) {
      let port = 0;
      const guess = () => {
        port += 1;
        const headers = { 'X-API-Key': 'wrong', 'X-Forwarded-For': `203.0.113.${path.length}:${port}` };
        const body = { method: 'POST', body: '{}', headers: { ...headers, 'Content-Type': 'application/json' } };
        return path === '/api/projects' ? ask(headers, path) : fetch(daemon.url + path, body);
      };
      expect(await statuses(perAddress, guess)).toEqual(Array(perAddress).fill(401));
      expect((await guess()).status).toBe(429);
    }
  });
});

describe('an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/56'],
    ['2001:db8:1:12ff:3:4:5:6', '2001:db8:1:1200::/56'],
    ['fe80::1%eth0', 'fe80::/56'],
    ['', ''],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
