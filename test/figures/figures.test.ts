/** Live figures: of one tenant, over the last minute. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LastMinute, total } from '../../daemon/modules/figures/last-minute.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { figureRoutes } from '../../src/contract/figures/figures.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { makeOtherTenant } from '../support/other-tenant.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { VirtualTerminal } from '../support/virtual-terminal.js';

let daemon: TestDaemon;
let receiver: Receiver;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
const warn = () =>
  daemon.client.call(sanctionRoutes.create, {
    params: { projectId: daemon.projectId },
    body: { type: 'warn', externalUserId: 'u1' },
  });

beforeAll(async () => {
  receiver = await startReceiver();
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.1/32' } });
  const params = { projectId: daemon.projectId };
  await daemon.client.call(webhookRoutes.create, {
    params,
    body: { url: receiver.url, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`, events: ['sanction.*'] },
  });
  for (let count = 0; count < 3; count += 1) await warn();
});
afterAll(async () => {
  await daemon.stop();
  await receiver.stop();
  cli.dispose();
});

describe('GET /api/figures', () => {
  it('counts events, deliveries and requests of the last minute', async () => {
    await eventually(async () => {
      const { events, deliveries, requests, rooms } = await daemon.client.call(figureRoutes.live, {});
      expect(events.types).toContainEqual({ type: 'sanction.created', lastMinute: 3 });
      expect(events.lastMinute).toBe(events.types.reduce((sum, { lastMinute }) => sum + lastMinute, 0));
      expect(events.perSecond).toBeGreaterThan(0);
      expect(deliveries).toEqual({ pending: 0, delivered: 3, retried: 0, failed: 0 });
      expect(requests.slowest).toContainEqual(
        expect.objectContaining({ method: 'POST', route: '/api/projects/{projectId}/sanctions', lastMinute: 3 }),
      );
      expect(requests.worstMs).toBe(requests.slowest[0]?.worstMs);
      expect(rooms).toEqual({ open: 0, people: 0, speaking: 0, busiest: [] });
    });
  });

  it('shows nothing of another tenant', async () => {
    const key = await makeOtherTenant(daemon.databaseUrl, new Date());
    const client = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'apiKey', key } });
    const { events, deliveries } = await client.call(figureRoutes.live, {});
    expect(events.types.map(({ type }) => type)).not.toContain('sanction.created');
    expect(deliveries).toEqual({ pending: 0, delivered: 0, retried: 0, failed: 0 });
  });

  it('is not for a key of one project', async () => {
    const bound = await daemon.clientWith(['projects:read'], daemon.projectId);
    await expect(bound.call(figureRoutes.live, {})).rejects.toMatchObject({ code: 'insufficient_role' });
  });
});

describe('a count of the last minute', () => {
  it('forgets what is older, second by second', () => {
    let nowMs = 1_000_000;
    const minute = new LastMinute(() => nowMs);
    for (let second = 0; second < 200; second += 1) {
      minute.observe('a', second);
      if (second % 2 === 0) minute.observe('b');
      expect(minute.countsOfLast().get('a')).toEqual({ count: Math.min(second + 1, 60), worst: second });
      expect(total(minute.countsOfLast(9))).toBe(Math.min(second + 1, 10) + Math.min(Math.floor(second / 2) + 1, 5));
      nowMs += 1_000;
    }
    nowMs += 60_000;
    expect([minute.isEmpty, minute.countsOfLast().size]).toEqual([true, 0]);
  });
});

describe('earshot top', () => {
  it('prints once for scripts, in words and as JSON', async () => {
    const { code, stdout } = await cli.run(['top', '--once']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/Events .*per second[\s\S]*Webhooks[\s\S]*SLOWEST REQUESTS/),
    ]);
    expect(stdout).not.toContain('\u001b');
    const { stdout: json } = await cli.run(['top', '--json']);
    expect(figureRoutes.live.success.body.safeParse(JSON.parse(json)).success).toBe(true);
    expect((await cli.run(['top'])).stdout).toContain('No room is open.');
  });

  it('is live on a terminal until q', async () => {
    const terminal = new VirtualTerminal();
    const ended = cli.run(['top'], { terminal });
    await terminal.shows('q quits');
    await warn();
    await terminal.shows('sanction.created 4');
    expect(terminal.screen.split('\n').length).toBeLessThanOrEqual(24);
    terminal.type('q');
    expect(await ended).toMatchObject({ code: 0 });
    expect(terminal.isRestored).toBe(true);
  });
});
