/** Addresses that a project sets lead nowhere but outside, however they are written. */
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BlockedAddress, Outbound } from '../../../daemon/platform/outbound/outbound.js';
import { ApiError } from '../../../src/client/errors.js';
import { participantRoutes } from '../../../src/contract/people/participants.js';
import { projectRoutes } from '../../../src/contract/projects/projects.js';
import { type WebhookEvent, webhookEventRoutes } from '../../../src/contract/webhooks/webhook-events.js';
import { subscriptionsMax, webhookRoutes } from '../../../src/contract/webhooks/webhooks.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { forbiddenUrls } from '../../support/forbidden-addresses.js';
import { startReceiver } from '../../support/receiver.js';
import { recordProof } from '../../support/reliability.js';
import { scale } from '../../support/scale.js';

/** Listens on every address of this machine and must never be spoken to. */
class Canary {
  connections = 0;
  private readonly server = net.createServer((socket) => {
    this.connections += 1;
    socket.destroy();
  });

  async start(): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(0, '::', resolve));
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  stop(): void {
    this.server.close();
  }
}

const canary = new Canary();
let port: number;
beforeAll(async () => {
  port = await canary.start();
});
afterAll(() => canary.stop());

describe('a canary', () => {
  it('sings when it is spoken to', async () => {
    const outbound = new Outbound(['127.0.0.0/8', '::1']);
    for (const host of ['127.0.0.1', '127.1.2.3', '[::1]'])
      await expect(outbound.post(`http://${host}:${port}/`, {}, '')).rejects.not.toBeInstanceOf(BlockedAddress);
    outbound.close();
    expect(canary.connections).toBe(3);
    canary.connections = 0;
  });
});

/** The daemon is shown one in three at small scale, another spelling of each address; calls are tried to all. */
const every = scale(3, 1);
/** Each look reads all attempts. */
const lookMs = 300;

describe('a call', () => {
  it('to a forbidden address is not made, however it is written', async () => {
    const outbound = new Outbound([]);
    for (const url of new Set(forbiddenUrls(port)))
      await expect(outbound.post(url, {}, ''), url).rejects.toBeInstanceOf(BlockedAddress);
    expect(canary.connections).toBe(0);
    outbound.close();
  });
});

describe('a webhook subscription', () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startDaemon();
  });
  afterAll(() => daemon.stop());

  it('to a forbidden address is refused, or each attempt is', { timeout: 300_000 }, async () => {
    const projects: string[] = [];
    const urls = new Map<string, string>();
    const shown = [...new Set(forbiddenUrls(port))].filter((_, index) => index % every === 0);
    for (const url of shown) {
      // A project takes so many subscriptions and no more.
      if (urls.size === projects.length * subscriptionsMax)
        projects.push((await daemon.admin.call(projectRoutes.create, { body: { name: `p${projects.length}` } })).id);
      try {
        const params = { projectId: projects.at(-1) ?? '' };
        const body = { url, secret: 'a long secret', events: ['participant.created'] };
        urls.set((await daemon.client.call(webhookRoutes.create, { params, body })).id, url);
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
        expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
      }
    }
    expect(urls.size).toBeGreaterThanOrEqual(200 / every);
    for (const projectId of projects)
      await daemon.client.call(participantRoutes.create, { params: { projectId }, body: { externalUserId: 'u1' } });
    const attempted = async (): Promise<WebhookEvent[]> => {
      const query = { limit: 200 };
      const pages = projects.map((projectId) =>
        daemon.client.call(webhookEventRoutes.list, { params: { projectId }, query }),
      );
      return (await Promise.all(pages)).flat();
    };
    const deliveries = await eventually(async () => {
      await sleep(lookMs);
      const all = await attempted();
      expect(all.filter(({ attemptsCount }) => attemptsCount > 0)).toHaveLength(urls.size);
      return all;
    }, 200_000);
    const reached = deliveries.filter(({ lastError }) => !lastError?.startsWith('blocked_address'));
    expect(reached.map(({ subscriptionId, lastError }) => [urls.get(subscriptionId), lastError])).toEqual([]);
    expect(canary.connections).toBe(0);
    const refused = shown.length - urls.size;
    recordProof({
      promise: 'addresses',
      count: shown.length,
      seed: null,
      worst: `${canary.connections} connections; ${refused} were refused when they were entered, ${urls.size} at each attempt`,
    });
  });
});

describe('a name of ours', () => {
  const here = { address: '127.0.0.1', family: 4 };
  const canaryHere = { address: '127.0.0.2', family: 4 };

  it('that leads elsewhere after it was judged is connected to as it was judged', async () => {
    const receiver = await startReceiver();
    const answers = [[here], [canaryHere], [here, canaryHere], [], [here]];
    let asked = 0;
    const outbound = new Outbound(['127.0.0.1/32'], async () => answers[asked++] ?? []);
    const post = () => outbound.post(`${receiver.url.replace('127.0.0.1', 'rebinding.example')}`, {}, '{}');
    expect((await post()).status).toBe(204);
    for (let refused = 0; refused < 3; refused += 1) await expect(post()).rejects.toBeInstanceOf(BlockedAddress);
    expect((await post()).status).toBe(204);
    expect({ asked, received: receiver.received.length }).toEqual({ asked: 5, received: 2 });
    outbound.close();
    await receiver.stop();
  });

  it('whose receiver redirects to a forbidden address is not followed', async () => {
    const receiver = await startReceiver();
    const outbound = new Outbound(['127.0.0.1/32']);
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.behave = () => ({ status, headers: { Location: `http://127.0.0.2:${port}/` } });
      expect((await outbound.post(receiver.url, {}, '{}')).status).toBe(status);
    }
    expect(canary.connections).toBe(0);
    outbound.close();
    await receiver.stop();
  });
});

describe('an answer', () => {
  it('that never ends is read no further than it is kept', async () => {
    const receiver = await startReceiver();
    receiver.behave = () => ({ status: 200, body: 'x'.repeat(1_000_000) });
    const outbound = new Outbound(['127.0.0.1/32']);
    expect((await outbound.post(receiver.url, {}, '{}')).body).toHaveLength(64 * 1024);
    outbound.close();
    await receiver.stop();
  });
});
