/** Answers of an endpoint, or their absence, and the output of `earshot webhooks test`. */
import http from 'node:http';
import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { type CommandLine, commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { startReceiver } from '../support/receiver.js';

let daemon: TestDaemon;
let cli: CommandLine;
let server: Server | null = null;
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
});
afterAll(async () => {
  cli.dispose();
  await daemon.stop();
});
afterEach(() => {
  server?.close();
  server = null;
});

const listen = async (made: Server): Promise<number> => {
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  const address = made.address();
  if (address === null || typeof address === 'string') throw new Error('The endpoint has no port.');
  return address.port;
};
/** An endpoint that does this with each connection. */
const endpoint = async (scheme: string, behave: Parameters<typeof createServer>[1]): Promise<string> =>
  `${scheme}://127.0.0.1:${await listen(createServer((socket) => behave?.(socket.on('error', () => {}))))}/hook`;
const subscribe = async (url: string): Promise<string> => {
  const body = { url, secret: 'a long enough secret', events: ['sanction.*'] };
  return (await daemon.client.call(webhookRoutes.create, { params: { projectId: daemon.projectId }, body })).id;
};
const test = async (url: string) => cli.run(['webhooks', 'test', await subscribe(url)]);

describe('a delivery', { timeout: 60_000 }, () => {
  it('has arrived once the status line says so, however slow the body is', async () => {
    let requests = 0;
    const port = await listen(
      http.createServer((_request, response) => {
        requests += 1;
        response.writeHead(200);
        response.write('noted');
        const drip = setInterval(() => response.write('.'), 100);
        response.on('close', () => clearInterval(drip)).on('error', () => {});
      }),
    );
    const id = await subscribe(`http://127.0.0.1:${port}/hook`);
    const { code, stdout } = await cli.run(['webhooks', 'test', id]);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/status +delivered/) });
    const query = { subscriptionId: id };
    const [delivery] = await daemon.client.call(webhookEventRoutes.list, {
      params: { projectId: daemon.projectId },
      query,
    });
    const { deliveries } = await daemon.client.call(webhookEventRoutes.get, {
      params: { projectId: daemon.projectId, id: delivery?.id ?? '' },
    });
    expect(deliveries).toMatchObject([
      { statusCode: 200, error: null, responseSnippet: expect.stringMatching(/^noted/) },
    ]);
    expect(requests).toBe(1);
  });

  it('has arrived when the connection breaks behind the status line', async () => {
    const url = await endpoint('http', (socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nnoted');
        setTimeout(() => socket.resetAndDestroy(), 50);
      }),
    );
    expect(await test(url)).toMatchObject({ code: 0 });
  });
});

describe('earshot webhooks test', { timeout: 60_000 }, () => {
  const plain = (url: string) => async () => url;
  it.each<[string, () => Promise<string>, RegExp]>([
    ['is refused', plain('http://127.0.0.1:9/hook'), /ECONNREFUSED/],
    ['is reset', () => endpoint('http', (socket) => socket.resetAndDestroy()), /ECONNRESET/],
    ['meets the end of the connection', () => endpoint('http', (socket) => socket.end()), /hang up/],
    [
      'meets no TLS',
      () => endpoint('https', (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')),
      /SSL|EPROTO|wrong version/,
    ],
    ['meets no HTTP', () => endpoint('http', (socket) => socket.end('\x1b[31mSMTP\x00\n')), /Parse Error/],
    ['is led to a blocked address', plain('http://169.254.169.254/hook'), /blocked_address/],
    ['is led to a name that is none', plain('http://nobody.invalid/hook'), /ENOTFOUND|EAI_AGAIN/],
    ['is answered 500', () => endpoint('http', (socket) => socket.end('HTTP/1.1 500 No\r\n\r\n')), /answered 500/],
  ])('says so on one line when it %s', async (_, url, says) => {
    const { code, stdout, stderr } = await test(await url());
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(says);
    expect(stdout).not.toMatch(/\n +at |node:/);
  });
});

describe('earshot why', { timeout: 60_000 }, () => {
  it('says a failure that repeats itself once, with the count and the last time', async () => {
    const receiver = await startReceiver();
    receiver.behave = ({ body }) => ({ status: body.includes('refused') ? 403 : 500 });
    const subscriptionId = await subscribe(receiver.url);
    const params = { projectId: daemon.projectId };
    for (const reason of ['broken', 'broken', 'refused', 'broken', 'broken', 'broken']) {
      const body = { type: 'warn' as const, externalUserId: 'u1', reason };
      await daemon.client.call(sanctionRoutes.create, { params, body });
    }
    const failed = async () =>
      (await daemon.client.call(webhookEventRoutes.list, { params, query: { subscriptionId } })).filter(
        ({ lastError }) => lastError !== null,
      );
    await eventually(async () => expect(await failed()).toHaveLength(6));
    const [last, , , refused] = await failed();
    const { code, stdout } = await cli.run(['why', subscriptionId]);
    expect(code).toBe(1);
    const said = stdout.match(/^! sanction.*$/gm);
    expect(said).toEqual([
      expect.stringMatching(`${last?.createdAt} and 2 before it: the receiver answered 500\\. The next attempt is at `),
      expect.stringMatching(`${refused?.createdAt}: the receiver answered 403\\.`),
      expect.stringMatching(/ and 1 before it: the receiver answered 500\./),
    ]);
    await daemon.client.call(webhookRoutes.remove, { params: { ...params, id: subscriptionId } });
    await receiver.stop();
  });
});
