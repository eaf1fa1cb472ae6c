/** What waits in a project: the same numbers for whoever may read it, and of all rows, not of a page. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { figureRoutes } from '../../src/contract/figures/figures.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { commandLine } from '../support/cli.js';
import { signedInColleague } from '../support/console.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

/** More than the lists below answer at once. */
const many = 25;
const minuteMs = 60_000;

let daemon: TestDaemon;
let receiver: Receiver;
/** The clock of the daemon is so far ahead. */
let aheadMs = 0;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
const params = () => ({ projectId: daemon.projectId });
const figures = (client = daemon.client) => client.call(figureRoutes.project, { params: params() });
const impose = (externalUserId: string, duration?: number) =>
  daemon.client.call(sanctionRoutes.create, {
    params: params(),
    body: { type: 'mute', externalUserId, ...(duration === undefined ? {} : { duration }) },
  });

beforeAll(async () => {
  receiver = await startReceiver();
  daemon = await startDaemon({
    now: () => new Date(Date.now() + aheadMs),
    settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.1/32' },
  });
});
afterAll(async () => {
  await daemon.stop();
  await receiver.stop();
  cli.dispose();
});

describe('GET /api/projects/{projectId}/figures', () => {
  it('has no time of what is not there', async () => {
    expect(await figures()).toEqual({
      at: expect.any(String),
      cases: { waiting: 0, overdue: 0, oldestAt: null },
      appeals: { waiting: 0, oldestAt: null },
      sanctions: { active: 0, lastHour: 0, parts: Array.from({ length: 12 }, () => 0) },
      webhooks: { failing: 0, failingSince: null },
    });
  });

  it('counts all cases that wait, as their list does', async () => {
    const reports = await Promise.all(
      Array.from({ length: many }, (_, index) =>
        daemon.client.call(reportRoutes.create, {
          params: params(),
          body: { externalUserId: `u_${index}`, reporterUserId: `by_${index % 50}_${index}`, category: 'harassment' },
        }),
      ),
    );
    expect(reports).toHaveLength(many);
    const { cases, total } = await daemon.client.call(caseRoutes.list, { params: params(), query: { limit: 10 } });
    expect([cases.length, total]).toEqual([10, many]);
    const id = cases[0]?.id ?? '';
    const body = { decision: 'no_action', reasonCode: 'no_violation' } as const;
    await daemon.client.call(caseRoutes.decide, { params: { ...params(), id }, body });
    const all = await daemon.client.call(caseRoutes.list, { params: params(), query: { limit: 10 } });
    const opened = [...cases.slice(1), ...all.cases].map(({ createdAt }) => createdAt);
    const now = await figures();
    expect(now.cases).toMatchObject({ waiting: many - 1, overdue: 0 });
    expect(all.total).toBe(many - 1);
    expect(Date.parse(now.cases.oldestAt ?? '')).toBeLessThanOrEqual(Math.min(...opened.map((at) => Date.parse(at))));
  });

  it('counts sanctions in force, and those of the hour by five minutes', async () => {
    await impose('u_1', 600);
    const { id } = await impose('u_2');
    await daemon.client.call(sanctionRoutes.revoke, { params: { ...params(), id } });
    aheadMs += 7 * minuteMs;
    await impose('u_3');
    expect((await figures()).sanctions).toEqual({
      active: 2,
      lastHour: 3,
      parts: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1],
    });
    aheadMs += 54 * minuteMs;
    expect((await figures()).sanctions).toMatchObject({ active: 1, lastHour: 1 });
  });

  it('counts appeals that nobody has decided', async () => {
    const { id } = await impose('u_4');
    const body = { statement: 'It was my brother.' };
    const { createdAt } = await daemon.client.call(reviewRoutes.appeal, { params: { ...params(), id }, body });
    expect((await figures()).appeals).toEqual({ waiting: 1, oldestAt: createdAt });
  });

  it('says since when webhooks fail, until they are delivered again', async () => {
    receiver.answer = 500;
    await daemon.client.call(webhookRoutes.create, {
      params: params(),
      body: { url: receiver.url, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`, events: ['sanction.*'] },
    });
    await impose('u_5');
    await eventually(async () =>
      expect((await figures()).webhooks).toEqual({ failing: 1, failingSince: expect.any(String) }),
    );
    receiver.answer = 200;
    await impose('u_6');
    await eventually(async () => expect((await figures()).webhooks).toEqual({ failing: 0, failingSince: null }));
  });

  it('is the same for a viewer and a moderator', async () => {
    const clients = await Promise.all(
      (['viewer', 'moderator'] as const).map((role) => signedInColleague(daemon, role, role)),
    );
    const [viewer, moderator] = await Promise.all(clients.map((client) => figures(client)));
    expect({ ...viewer, at: '' }).toEqual({ ...moderator, at: '' });
    expect(viewer?.cases.waiting).toBeGreaterThan(many - 2);
  });
});

describe('GET /api/projects/{projectId}/cases', () => {
  it('counts the cases of its filters', async () => {
    const listed = (query: object) =>
      daemon.client.call(caseRoutes.list, { params: params(), query: { limit: 1, ...query } });
    expect((await listed({ status: 'decided' })).total).toBe(1);
    expect((await listed({ externalUserId: 'u_7' })).total).toBe(1);
    const first = await listed({});
    expect((await listed({ after: first.next })).total, 'on every page').toBe(first.total);
  });
});

describe('earshot stats waiting', () => {
  it('prints the figures', async () => {
    const { code, stdout } = await cli.run(['stats', 'waiting', '--project', daemon.projectId]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('waiting')]);
    const { stdout: json } = await cli.run(['stats', 'waiting', '--project', daemon.projectId, '--json']);
    expect(figureRoutes.project.success.body.safeParse(JSON.parse(json)).success).toBe(true);
  });
});
