/** Commands say where the daemon is of another version than they are, and every answer of the daemon says its own. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { versionIn } from '../../src/names/version.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { hasTerminal, onTerminal } from '../support/terminal.js';

const root = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const { run, dispose } = commandLine();
const note = `This is earshot ${version}, and the daemon is 9.9.9: what one of them knows, the other may not. Install one version of both.\n`;

let daemon: TestDaemon;
let older: Server;
/** Stands before the daemon, and says another version in its place. */
let olderUrl: string;
let said = '9.9.9+0123456789ab';
beforeAll(async () => {
  daemon = await startDaemon();
  older = createServer(async (request, response) => {
    const answer = await fetch(daemon.url + request.url, {
      headers: { 'X-API-Key': String(request.headers['x-api-key']) },
    });
    response.writeHead(answer.status, { 'Content-Type': 'application/json', 'X-Earshot-Version': said });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => older.listen(0, '127.0.0.1', resolve));
  olderUrl = `http://127.0.0.1:${(older.address() as AddressInfo).port}`;
});
afterAll(async () => {
  older?.close();
  dispose();
  await daemon?.stop();
});

const credentials = () => ({
  EARSHOT_URL: olderUrl,
  EARSHOT_API_KEY: daemon.apiKey,
  EARSHOT_PROJECT: daemon.projectId,
});

it('is on every answer with the commit, refusals and what no route has included', async () => {
  expect(versionIn(root)).toMatch(/^\d+\.\d+\.\d+\+[0-9a-f]{12}$/);
  for (const path of ['/api', '/health/live', '/api/projects', '/api/no/such', '/docs', '/api/openapi.json']) {
    const answer = await fetch(daemon.url + path);
    expect([path, answer.headers.get('x-earshot-version')]).toEqual([path, versionIn(root)]);
    await answer.arrayBuffer();
  }
});

it('is told after what failed, and in a pipe not after what worked', async () => {
  const failed = await run(['participants', 'get', 'nobody'], { env: credentials() });
  expect(failed.code).toBe(4);
  expect(failed.stderr.endsWith(note)).toBe(true);
  const worked = await run(['participants', 'list', '--json'], { env: credentials() });
  expect([worked.code, worked.stderr]).toEqual([0, '']);
  const forPrograms = await run(['participants', 'get', 'nobody', '--json'], { env: credentials() });
  expect(() => JSON.parse(forPrograms.stderr)).not.toThrow();
});

it('is no matter where the commits alone differ', async () => {
  said = `${version}+0123456789ab`;
  const { stderr } = await run(['participants', 'get', 'nobody'], { env: credentials() });
  said = '9.9.9';
  expect(stderr).not.toContain('This is earshot');
});

it.skipIf(!hasTerminal)('is told on a terminal after what worked, too', async () => {
  const terminal = onTerminal(`node ${join(root, 'bin/earshot.js')} participants list`, credentials());
  expect(await terminal.ended).toBe(0);
  expect(terminal.shown.replaceAll('\r', '')).toContain(note);
});
