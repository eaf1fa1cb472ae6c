import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

/** Addresses that a page names in its markup. */
const named = (html: string): string[] => [...html.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path = '']) => path);

describe.each(['/rooms/demo', '/docs'])('GET %s', (path) => {
  it('is a page that runs only what this daemon serves', async () => {
    const response = await fetch(daemon.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/html');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const html = await response.text();
    expect(html).not.toMatch(/<script(?![^>]* src="\/)|<style| style="| on\w+="/);
  });

  it('names only files that are there', async () => {
    const paths = named(await (await fetch(daemon.url + path)).text());
    expect(paths.filter((one) => /^\/assets\/(room|docs)-[\w-]+\.js$/.test(one))).toHaveLength(1);
    for (const one of paths) {
      const { status, headers } = await fetch(daemon.url + one);
      const isBuilt = /-[\w-]{8}\.(js|css)$/.test(one);
      const kept = isBuilt ? 'public, max-age=31536000, immutable' : 'no-cache';
      expect([one, status, headers.get('cache-control')]).toEqual([one, 200, kept]);
    }
  });
});

describe('the pages', () => {
  it('load a room with a fraction of the console', async () => {
    const files = named(await (await fetch(`${daemon.url}/rooms/demo`)).text()).filter((one) =>
      /\.(js|css)$/.test(one),
    );
    const sizes = files.map(async (one) => {
      const answer = await fetch(daemon.url + one, { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } });
      expect(answer.headers.get('content-encoding')).toBe('gzip');
      return Number(answer.headers.get('content-length'));
    });
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size)).toBeLessThan(60 * 1024);
  });

  it('give the microphone to the room and to nothing else', async () => {
    const { headers } = await fetch(`${daemon.url}/rooms/demo`);
    expect(headers.get('permissions-policy')).toContain('microphone=(self)');
  });

  it('serve nothing beside their assets', async () => {
    for (const path of ['/assets/icon.svg/..%2f..%2fpackage.json', '/assets/', '/assets/%2e%2e/tsconfig.json'])
      expect((await fetch(daemon.url + path)).status).toBe(404);
  });
});
