/**
 * Bodies of 4 MiB in some kilobytes, by somebody with a key, many at once: unpacking, parsing and judging them must not
 * keep the event loop from everybody else.
 */
import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { administrator, DaemonProcess } from '../support/daemon-process.js';
import { rentedMachine, watchingHealth } from '../support/health-watch.js';
import { scale } from '../support/scale.js';

const atOnce = scale(20, 40);
const rounds = scale(1, 10);
const bodyBytes = 4 * 1024 * 1024;

const daemon = new DaemonProcess({ EARSHOT_RATE_LIMIT_CREDENTIAL: '0' }, rentedMachine);
let key = '';
let batches = '';
beforeAll(async () => {
  await daemon.start();
  const anonymous = new EarshotClient({ baseUrl: daemon.url });
  const { accessToken: token } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator });
  const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
  ({ key } = await client.call(apiKeyRoutes.create, { body: { name: 'bodies', scopes: ['sanctions', 'gameplay'] } }));
  batches = `/api/projects/${(await client.call(projectRoutes.list, {}))[0]?.id}/sanctions/batch`;
});
afterAll(() => daemon.dispose());

const filled = (begin: string, part: string, end: string): string =>
  begin +
  Array(Math.floor((bodyBytes - begin.length - end.length) / (part.length + 1)))
    .fill(part)
    .join(',') +
  end;

async function send(path: string, body: Buffer): Promise<number> {
  const headers = {
    'X-API-Key': key,
    'Content-Type': 'application/json',
    'Content-Encoding': 'gzip',
    'Content-Length': body.length,
  };
  return new Promise((resolve, reject) => {
    const request = http.request(daemon.url + path, { method: 'POST', agent: false, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    request.once('error', reject).end(body);
  });
}

const items = (count: number) =>
  JSON.stringify({
    items: Array.from({ length: count }, (_, n) => ({
      type: 'warn',
      externalUserId: `u${n}`,
      reason: 'x'.repeat(300),
    })),
    dryRun: true,
  });

describe('4 MiB in some kilobytes', { timeout: 300_000 }, () => {
  it.each<[title: string, path: () => string, body: () => string, status: number]>([
    ['lists of nothing', () => batches, () => filled('{"items":[', '[]', ']}'), 400],
    ['objects that are none', () => batches, () => filled('{"items":[', '{}', ']}'), 400],
    ['numbers', () => '/api/v1/events/batch', () => filled('{"events":[', '0', ']}'), 400],
    [
      'lists of lists as long as they may be',
      () => batches,
      () => filled('{"items":[', `[${Array(9_000).fill(0)}]`, ']}'),
      400,
    ],
    ['one text', () => batches, () => filled('{"items":"', 'x'.repeat(1_000), '"}'), 400],
    ['not JSON', () => batches, () => filled('[', '[', ''), 400],
  ])('of %s keep nobody else waiting', async (title, path, body, status) => {
    const packed = gzipSync(body());
    const told = new Map<number, number>();
    await watchingHealth(daemon, `${atOnce} bodies at once of ${title}, packed`, async () => {
      for (let round = 0; round < rounds; round += 1) {
        const statuses = await Promise.all(Array.from({ length: atOnce }, () => send(path(), packed)));
        for (const one of statuses) told.set(one, (told.get(one) ?? 0) + 1);
      }
    });
    console.info(`${title}, in ${packed.length} bytes: ${JSON.stringify([...told])}`);
    expect(told.get(status)).toBeGreaterThan(0);
    expect([...told.keys()].filter((one) => ![status, 429].includes(one))).toEqual([]);
  });

  it('that unpack to more than the limit are 413', async () => {
    expect(await send(batches, gzipSync(Buffer.alloc(bodyBytes + 1, ' ')))).toBe(413);
  });

  it('are read where they are what the operation takes', async () => {
    expect(await send(batches, gzipSync(items(9_000)))).toBe(201);
  });
});
