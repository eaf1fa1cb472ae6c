import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notBuilt } from '../../daemon/http/not-built.js';
import { allRoutes } from '../../src/contract/routes.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import documented from './endpoints.json' with { type: 'json' };

/** Parameter names are ours to choose; the place of a parameter is not. */
const shape = (method: string, path: string) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
const built = new Map(allRoutes.map((route) => [shape(route.method, route.path), route]));
const listed = new Set(notBuilt.map(([method, path]) => shape(method, path)));

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

describe.each(documented)('$method $path', ({ method, path, status, auth }) => {
  const key = shape(method, path);

  it('is built, or stands in the list of what is not', () => {
    expect(built.has(key) !== listed.has(key)).toBe(true);
  });

  it.runIf(built.has(key))('succeeds with the documented status', () => {
    expect(built.get(key)?.success.status).toBe(status);
  });

  it('answers, and never with 404 for the path itself', async () => {
    const url = daemon.url + path.replaceAll(/\{\w+\}/g, 'x');
    const response = await fetch(url, { method, ...(method === 'GET' ? {} : { body: '{}' }), headers: { 'Content-Type': 'application/json' } });
    const body = (await response.json()) as { code?: string };
    expect(body.code).not.toBe('route_not_found');
    if (listed.has(key)) expect(response.status).toBe(501);
    else if (auth !== 'none') expect([401, 403]).toContain(response.status);
  });
});
