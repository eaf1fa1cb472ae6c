import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.stop());

/** Addresses that a page names in its markup. */
const named = (html: string): string[] => [...html.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map(([, path = '']) => path);

describe('GET /rooms/{roomId}', () => {
  it('is a page that runs only what this daemon serves', async () => {
    const response = await fetch(`${daemon.url}/rooms/demo`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/html');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(response.headers.get('permissions-policy')).toContain('microphone=(self)');
    const html = await response.text();
    expect(html).not.toMatch(/<script(?![^>]* src="\/)|<style| style="| on\w+="/);
  });

  it('names only files that are there', async () => {
    const html = await (await fetch(`${daemon.url}/rooms/demo`)).text();
    const paths = named(html);
    expect(paths).toContain('/assets/room/main.js');
    for (const path of paths) expect([path, (await fetch(daemon.url + path)).status]).toEqual([path, 200]);
  });

  it('serves nothing beside its assets', async () => {
    for (const path of ['/assets/room.html/..%2f..%2fpackage.json', '/assets/', '/assets/%2e%2e/tsconfig.json'])
      expect((await fetch(daemon.url + path)).status).toBe(404);
  });
});
