/** Lists that are read page after page while others add and remove rows: none that stays is doubled or missing. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { FaultProxy } from '../support/fault-proxy.js';

const count = 450;
/** Sanctions in one request. */
const part = 150;
let daemon: TestDaemon;
const proxy = new FaultProxy(() => daemon.url);
const cli = commandLine(() => ({ EARSHOT_URL: proxy.url, EARSHOT_API_KEY: daemon.apiKey }));
const params = () => ({ projectId: daemon.projectId });

beforeAll(async () => {
  daemon = await startDaemon();
  await proxy.start();
});
afterAll(async () => {
  await proxy.stop();
  await daemon.stop();
  cli.dispose();
});

const impose = (batchId: string, firstLine: number, users: readonly string[]) =>
  daemon.client.call(sanctionBatchRoutes.apply, {
    params: params(),
    body: { batchId, firstLine, items: users.map((externalUserId) => ({ type: 'mute' as const, externalUserId })) },
  });

const newest = async (batchId: string) => {
  const query = { batchId, status: 'active', limit: 3 } as const;
  return (await daemon.client.call(sanctionRoutes.list, { params: params(), query })).sanctions;
};

it.each([
  [
    '--json',
    (text: string) =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).externalUserId),
  ],
  ['--items', (text: string) => JSON.parse(text).items.map((row: { externalUserId: string }) => row.externalUserId)],
  [
    '--csv',
    (text: string) =>
      text
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0]),
  ],
  ['--ids', (text: string) => [...text.matchAll(/^(\w+) +mute/gm)].map(([, user]) => user)],
] as const)('with --all and %s, rows that come and go move no others', async (form, usersIn) => {
  const batchId = `flow${form}`;
  const users = Array.from({ length: count }, (_, index) => `u${index}`);
  for (let first = 0; first < count; first += part) await impose(batchId, first + 1, users.slice(first, first + part));
  let pages = 0;
  const gone: (string | null)[] = [];
  proxy.otherwise = async ({ path }) => {
    if (!path.includes('/sanctions?')) return null;
    pages += 1;
    // First more go than come, and then more come than go.
    if (pages === 2)
      for (const { id, externalUserId } of await newest(batchId)) {
        await daemon.client.call(sanctionRoutes.revoke, { params: { ...params(), id }, body: {} });
        gone.push(externalUserId);
      }
    if (pages === 3) await impose(batchId, count + 1, ['late1', 'late2', 'late3', 'late4', 'late5']);
    return null;
  };
  const { code, stdout } = await cli.run([
    'sanctions',
    'list',
    '--all',
    form,
    '--status',
    'active',
    '--batch-id',
    batchId,
  ]);
  proxy.otherwise = () => null;
  expect({ code, pages, gone: gone.length }).toEqual({ code: 0, pages: 3, gone: 3 });
  // Those that went had been read already; those that came stand before them.
  expect(usersIn(stdout)).toEqual(users.toReversed());
});
