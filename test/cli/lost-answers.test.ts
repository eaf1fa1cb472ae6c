/** Commands whose answers are lost or redirected never report a success, and never act twice. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { FaultProxy } from '../support/fault-proxy.js';

let daemon: TestDaemon;
const proxy = new FaultProxy(() => daemon.url);
const cli = commandLine(() => ({
  EARSHOT_URL: proxy.url,
  EARSHOT_API_KEY: daemon.apiKey,
  EARSHOT_PROJECT: daemon.projectId,
}));
beforeAll(async () => {
  daemon = await startDaemon();
  await proxy.start();
});
afterAll(async () => {
  await proxy.stop();
  await daemon.stop();
  cli.dispose();
});
beforeEach(() => {
  proxy.passed.length = 0;
  proxy.otherwise = () => null;
});

const warnings = async (externalUserId: string) => {
  const params = { projectId: daemon.projectId };
  return (await daemon.client.call(sanctionRoutes.list, { params, query: { externalUserId } })).total;
};
const posts = () => proxy.passed.filter(({ method }) => method === 'POST');
/** Lets the first so many changes be carried out, and loses their answers. */
const losing = (answers: number) => {
  proxy.otherwise = ({ method }) => (method === 'POST' && posts().length <= answers ? { kind: 'cut after' } : null);
};

describe('an answer that is lost', () => {
  it('is asked for again, and the command acts once', async () => {
    losing(1);
    const { code, stdout } = await cli.run(['warn', 'once', '--new', '--json']);
    expect([code, JSON.parse(stdout).type]).toEqual([0, 'warn']);
    expect(posts()).toHaveLength(2);
    expect(await warnings('once')).toBe(1);
  });

  it('for good: it may have been done, and the key of the run makes a repeat harmless', async () => {
    losing(2);
    const { code, stdout, stderr } = await cli.run(['warn', 'lost', '--new']);
    expect([code, stdout]).toEqual([7, '']);
    expect(stderr).toContain('may have been done');
    const [, key = ''] = /With EARSHOT_IDEMPOTENCY_KEY=(\S+) set/.exec(stderr) ?? [];
    expect(posts().map(({ headers }) => headers['idempotency-key'])).toEqual([key, key]);
    losing(0);
    const again = await cli.run(['warn', 'lost', '--new'], { env: { EARSHOT_IDEMPOTENCY_KEY: key } });
    expect([again.code, await warnings('lost')]).toEqual([0, 1]);
  });

  it('is an error of its own for scripts', async () => {
    losing(2);
    const { code, stderr } = await cli.run(['warn', 'script', '--new', '--json']);
    expect([code, JSON.parse(stderr).code]).toEqual([7, 'may_be_done']);
  });

  it('of a read is asked for again', async () => {
    proxy.next.push({ kind: 'cut after' }, { kind: 'answer', status: 502 });
    expect((await cli.run(['participants', 'list'])).code).toBe(0);
  });
});

describe.each([301, 302, 303, 307, 308])('a redirect with %i', (status) => {
  it.each([
    ['warn', 'u_1', '--new'],
    ['mute', 'u_1', '10m', '--new'],
    ['kick', 'u_1', '--room', 'lobby'],
    ['webhooks', 'create', 'https://example.com/hook', '--events', '*'],
    ['participants', 'list'],
    ['events', 'tail'],
  ])('is no success of %s %s', async (...args) => {
    const got: (string | undefined)[] = [];
    const server = createServer(({ method, url }, response) => {
      got.push(method);
      response.writeHead(status, { Location: `${daemon.url}${url}` }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stdout, stderr } = await cli.run([...args, '--url', url]);
    server.close();
    expect([code, stdout]).toEqual([7, '']);
    expect(stderr).toContain(`Set EARSHOT_URL to ${daemon.url}.`);
    expect(await warnings('u_1')).toBe(0);
  });
});
