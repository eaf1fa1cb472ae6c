import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allRoutes } from '../../src/contract/routes.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import documented from './endpoints.json' with { type: 'json' };

/** Parameter names are ours to choose; the place of a parameter is not. */
const shape = (method: string, path: string) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
const built = new Map(allRoutes.map((route) => [shape(route.method, route.path), route]));

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_RATE_LIMIT_ADDRESS: '0' } });
});
afterAll(() => daemon.stop());

const everyOperation = documented.map((one) => ({ ...one, key: shape(one.method, one.path) }));

describe.each(everyOperation)('$method $path', ({ method, path, auth, key }) => {
  it('is built', () => {
    expect(built.has(key)).toBe(true);
  });

  it('answers, and asks for a credential where one is needed', async () => {
    const url = daemon.url + path.replaceAll(/\{\w+\}/g, 'x');
    const response = await fetch(url, {
      method,
      ...(method === 'GET' ? {} : { body: '{}' }),
      headers: { 'Content-Type': 'application/json' },
    });
    const { code } = (await response.json()) as { code?: string };
    if (auth === 'none') expect(code).not.toBe('route_not_found');
    else expect(response.status).toBe(401);
  });
});

describe.each(everyOperation.filter(({ key }) => built.has(key)))('$method $path', ({ key, status }) => {
  it('declares the documented status', () => {
    expect(built.get(key)?.success.status).toBe(status);
  });
});
