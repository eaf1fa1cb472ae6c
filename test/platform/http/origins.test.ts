/** CORS for configured origins only, and proxies that are believed only when they are named. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';

const origin = 'https://play.example';
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_CORS_ORIGINS: origin, EARSHOT_RATE_LIMIT_ADDRESS: '25' } });
});
afterAll(() => daemon.stop());

const corsHeaders = ({ headers }: Response) => [...headers.keys()].filter((name) => name.startsWith('access-control-'));
const preflight = (from: string) =>
  fetch(`${daemon.url}/api/projects`, {
    method: 'OPTIONS',
    headers: { Origin: from, 'Access-Control-Request-Method': 'POST' },
  });

describe('an origin that is configured', () => {
  it('may read answers, errors and their headers included', async () => {
    const response = await fetch(`${daemon.url}/api/projects`, { headers: { Origin: origin } });
    expect(response.status).toBe(401);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    for (const name of ['X-Request-Id', 'Location', 'Last-Event-ID']) // what the library's clients read
      expect(response.headers.get('access-control-expose-headers')).toContain(name);
    expect(response.headers.get('vary')).toContain('Origin');
  });

  it('may send every method and every header of the contract', async () => {
    const response = await preflight(origin);
    expect(response.status).toBe(204);
    for (const method of ['PATCH', 'OPTIONS'])
      expect(response.headers.get('access-control-allow-methods')).toContain(method);
    for (const name of ['If-Match', 'Authorization', 'X-API-Key', 'Idempotency-Key', 'Last-Event-ID', 'X-Project-Id'])
      expect(response.headers.get('access-control-allow-headers')).toContain(name);
  });
});

describe('any other origin', () => {
  it.each(['https://evil.example', 'https://play.example.evil.example', 'http://play.example', 'null'])(
    '%s is told nothing',
    async (from) => {
      expect(corsHeaders(await preflight(from))).toEqual([]);
      expect(corsHeaders(await fetch(`${daemon.url}/api`, { headers: { Origin: from } }))).toEqual([]);
    },
  );
});

describe('a proxy that is not named', () => {
  it('cannot pretend that requests come from elsewhere', async () => {
    let last = 200;
    for (let index = 0; index < 26 && last === 200; index += 1)
      last = (await fetch(`${daemon.url}/api`, { headers: { 'X-Forwarded-For': `203.0.113.${index}` } })).status;
    expect(last).toBe(429);
  });
});
