/**
 * Requests that wait for a token endpoint that never answers. A tenant has a share of such waits, so its clients cannot
 * take every connection of the daemon, and the rest is told at once what to do.
 */
import http from 'node:http';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { DaemonProcess } from '../support/daemon-process.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { signIn } from '../support/room-client.js';
import { scale } from '../support/scale.js';

const requests = scale(90, 5_000);
const atOnce = scale(90, 600);
const waitsMax = 32;
/** They come from this many addresses, each of which has a share of the connections. */
const addresses = 6;

const daemon = new DaemonProcess(
  { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8', EARSHOT_RATE_LIMIT_ADDRESS: '0' },
  rentedMachine,
);
/** Takes connections and never says anything. */
let silent: Server;
let key = '';
let projectId = '';
beforeAll(async () => {
  silent = createServer((socket) => socket.on('error', () => {}).resume());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  if (address === null || typeof address === 'string') throw new Error('The silent server has no port.');
  await daemon.start();
  const signed = await signIn(daemon.url);
  projectId = signed.projectId;
  const { client } = signed;
  ({ key } = await client.call(apiKeyRoutes.create, { body: { name: 'hostile', scopes: ['tokens'] } }));
  const tokenProviderSettings = { url: `http://127.0.0.1:${address.port}/token` };
  await client.call(settingsRoutes.put, {
    params: { projectId },
    body: { tokenProvider: 'url', tokenProviderSettings },
  });
});
afterAll(async () => {
  await daemon.dispose();
  silent.close();
});

interface Answer {
  readonly status: number;
  readonly afterMs: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** Asks for a room token; null: the connection ended without an answer. */
const ask = (index: number): Promise<Answer | null> =>
  new Promise((resolve) => {
    const began = performance.now();
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const localAddress = `127.0.0.${100 + (index % addresses)}`;
    const url = `${daemon.url}/api/projects/${projectId}/token`;
    const request = http.request(url, { method: 'POST', agent: false, headers, localAddress }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.once('error', () => resolve(null));
      response.once('end', () =>
        resolve({
          ...{ status: response.statusCode ?? 0, afterMs: performance.now() - began, text },
          retryAfter: response.headers['retry-after'],
        }),
      );
    });
    request.once('error', () => resolve(null));
    request.end(JSON.stringify({ roomId: 'arena', userId: `u${index}` }));
  });

describe.skipIf(process.platform !== 'linux')('requests that wait for a token endpoint', { timeout: 300_000 }, () => {
  it('are so many for a tenant; the next are answered 503 at once, and others are served', async () => {
    const told: (Answer | null)[] = [];
    await watchingHealth(daemon, `${requests} requests that wait for an endpoint that never answers`, async () => {
      for (let begun = 0; begun < requests; begun += atOnce)
        told.push(...(await Promise.all(Array.from({ length: atOnce }, (_, n) => ask(begun + n)))));
    });
    const answers = told.flatMap((one) => one ?? []);
    const waited = answers.filter(({ text }) => text.includes('token_provider_failed'));
    const refused = answers.filter(({ status }) => status === 503);
    console.info(`${waited.length} waited, ${refused.length} were refused, ${told.length - answers.length} cut`);
    expect(waited.length).toBeLessThanOrEqual(Math.ceil(requests / atOnce) * waitsMax);
    expect(waited.length).toBeGreaterThanOrEqual(waitsMax);
    expect(refused.length).toBeGreaterThan(0);
    for (const { retryAfter } of refused) expect(Number(retryAfter)).toBeGreaterThan(0);
    expect(refused.some(({ text }) => text.includes('whether the service in the settings answers'))).toBe(true);
  });
});
