/** Leases of daemons that died, and claims of people, that were taken while a clock was ahead. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readDataMap } from '../../prisma/tools/data-map.mjs';
import { leaderboardRebuildRoutes } from '../../src/contract/gameplay/leaderboard-rebuilds.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { reviewRoutes } from '../../src/contract/moderation/reviews.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { sessionActionRoutes } from '../../src/contract/plugins/session-actions.js';
import { caseRoutes } from '../../src/contract/reports/cases.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';
import { eventually } from '../support/eventually.js';
import { startReceiver } from '../support/receiver.js';
import { rowsBeside, writeBeside } from '../support/write-beside.js';

const hourMs = 3_600_000;
const minuteMs = 60_000;
/** When each kind of lease ends, and how long it may be. */
const ends = [
  { table: 'WebhookEvent', column: 'nextAttemptAt', lengthMs: minuteMs },
  { table: 'PluginAction', column: 'dueAt', lengthMs: 1.5 * minuteMs },
  { table: 'LeaderboardRebuild', column: 'leaseUntil', lengthMs: 0.5 * minuteMs },
  { table: 'Case', column: 'claimExpiresAt', lengthMs: 30 * minuteMs },
  { table: 'Review', column: 'claimedAt', lengthMs: 0 },
];
/** Ends by the clock of the database, which all daemons share. */
const byDatabase = ['RoleLease'];

it('leases of every table are shortened after a clock was ahead', () => {
  const held = readDataMap()
    .filter(
      ({ name, fields }) => /Lease$/.test(name) || [...fields.keys()].some((one) => /^(lease|claimedBy)/.test(one)),
    )
    .map(({ name }) => name);
  expect(held.toSorted()).toEqual([...ends.map(({ table }) => table), ...byDatabase].toSorted());
  const added = readdirSync('daemon/modules', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(`daemon/modules/${file}`, 'utf8').matchAll(/ table: '(\w+)',\n +lengthMs: /g)])
    .map(([, table]) => table);
  expect(added.toSorted()).toEqual(ends.map(({ table }) => table).toSorted());
});

describeDaemonsOnEachDatabase('after the clock was an hour ahead', (start) => {
  let daemon: TestDaemon;
  let aheadMs = hourMs;
  const now = () => new Date(Date.now() + aheadMs);
  beforeAll(async () => {
    daemon = await start({
      now,
      settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8', EARSHOT_LOG_LEVEL: 'fatal' },
    });
  });
  afterAll(() => daemon.stop());

  const params = () => ({ projectId: daemon.projectId });
  const item = (id: string) => ({ params: { ...params(), id } });
  const call: TestDaemon['client']['call'] = (route, input) => daemon.client.call(route, input);
  const time = (date: Date) => date.toISOString().replace('Z', '+00:00');
  const leaveHeld = async (table: string, set: string, endMs: number) => {
    const statement = `UPDATE "${table}" SET ${set} = ?${daemon.databaseUrl.startsWith('file:') ? '' : `::timestamptz AT TIME ZONE 'UTC'`}`;
    expect(await writeBeside(daemon.databaseUrl, statement, time(new Date(now().getTime() + endMs)))).toBe(1);
  };

  it('work that a dead daemon held goes on within its lease, and claims end in time', async () => {
    const receiver = await startReceiver();
    const webhook = { url: receiver.url, secret: 'a long secret', events: ['participant.created'] };
    await call(webhookRoutes.create, { params: params(), body: webhook });
    await call(participantRoutes.create, { params: params(), body: { externalUserId: 'ann' } });
    await receiver.waitFor(1);
    const delivered = async () =>
      (await rowsBeside(daemon.databaseUrl, `SELECT "status" FROM "WebhookEvent"`)).map(({ status }) => status);
    await eventually(async () => expect(await delivered()).toEqual(['delivered']));

    await call(pluginInstanceRoutes.create, { params: params(), body: { pluginId: 'sentiment' } });
    const session = await call(sessionRoutes.create, {
      params: params(),
      body: { title: 'Match', externalRoomId: 'match', autoStart: false },
    });
    await call(sessionRoutes.say, { ...item(session.id), body: { externalUserId: 'ann', content: 'good' } });
    const runs = async () =>
      (await call(sessionActionRoutes.list, item(session.id))).plugins.flatMap(({ actions }) =>
        actions.map(({ status }) => status),
      );
    await eventually(async () => expect(await runs()).toEqual(['succeeded']));

    const board = await call(leaderboardRoutes.create, {
      params: params(),
      body: { name: 'Points', eventName: 'earn-points' },
    });
    const { id: rebuildId } = await call(leaderboardRebuildRoutes.make, { ...item(board.id), body: {} });
    const rebuild = async () =>
      (await call(leaderboardRebuildRoutes.get, { params: { ...item(board.id).params, rebuildId } })).status;
    await eventually(async () => expect(await rebuild()).toBe('ready'));

    const { id: sanctionId } = await call(sanctionRoutes.create, {
      params: params(),
      body: { type: 'mute', externalUserId: 'ann' },
    });
    const review = await call(reviewRoutes.appeal, { ...item(sanctionId), body: { statement: 'Not me.' } });
    await daemon.admin.call(reviewRoutes.update, { ...item(review.id), body: { status: 'claimed' } });
    const [{ id: caseId = '' } = {}] = (await call(caseRoutes.list, { params: params(), query: {} })).cases;
    await daemon.admin.call(caseRoutes.claim, item(caseId));
    const claims = async () => [
      (await call(reviewRoutes.get, item(review.id))).status,
      (await call(caseRoutes.get, item(caseId))).status,
    ];

    await leaveHeld(
      'WebhookEvent',
      `"status" = 'pending', "finishedAt" = NULL, "leaseOwner" = 'dead', "nextAttemptAt"`,
      minuteMs,
    );
    await leaveHeld(
      'PluginAction',
      `"status" = 'running', "finishedAt" = NULL, "leaseOwner" = 'dead', "dueAt"`,
      minuteMs,
    );
    // The run of the dead daemon had said nothing yet.
    expect(await writeBeside(daemon.databaseUrl, 'DELETE FROM "PluginAnnotation"')).toBe(1);
    await leaveHeld('LeaderboardRebuild', `"status" = 'counting', "lease" = 'dead:1', "leaseUntil"`, minuteMs);
    aheadMs = 0;
    await eventually(async () => {
      for (const { table, column, lengthMs } of ends) {
        const rows = await rowsBeside(daemon.databaseUrl, `SELECT "${column}" AS "at" FROM "${table}"`);
        const latestMs = Math.max(...rows.map(({ at }) => (at instanceof Date ? at : new Date(String(at))).getTime()));
        // A column without a zone is read in that of this process.
        expect(latestMs, table).toBeLessThanOrEqual(now().getTime() + lengthMs);
      }
    });
    expect(await claims()).toEqual(['claimed', 'claimed']);

    aheadMs = 2 * minuteMs;
    await receiver.waitFor(2);
    await eventually(async () => expect([...(await runs()), await rebuild()]).toEqual(['succeeded', 'ready']));
    expect(await claims()).toEqual(['claimed', 'claimed']);
    aheadMs = 31 * minuteMs;
    expect(await claims()).toEqual(['open', 'open']);
    await receiver.stop();
  });
});
