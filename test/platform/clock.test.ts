/** The clock of the machine is wrong, and is set right: who signs in stays signed in, and nothing due waits or is missed. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askDaemon } from '../../daemon/admin-socket/client.js';
import { Database } from '../../daemon/platform/database/database.js';
import { firstIdAt, madeAtMs } from '../../daemon/platform/ids/id-time.js';
import { uuidv7 } from '../../daemon/platform/ids/new-id.js';
import { listClockSteps } from '../../daemon/platform/time/clock-watch.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { eventually } from '../support/eventually.js';
import { startReceiver } from '../support/receiver.js';

const hourMs = 3_600_000;

describe('a daemon whose clock was an hour ahead at its first start', () => {
  let aheadMs = hourMs;
  let daemon: TestDaemon;
  beforeEach(async () => {
    aheadMs = hourMs;
    daemon = await startDaemon({
      now: () => new Date(Date.now() + aheadMs),
      settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8', EARSHOT_LOG_LEVEL: 'fatal' },
    });
  });
  afterEach(() => daemon.stop());

  const signIn = async (password = administrator.password) => {
    const anonymous = new EarshotClient({ baseUrl: daemon.url });
    const body = { email: administrator.email, password };
    const { accessToken } = await anonymous.call(accountRoutes.loginCredentials, { body });
    return new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token: accessToken } });
  };

  it('accepts tokens once the clock is right, and none from before a new password', async () => {
    const before = await signIn();
    aheadMs = 0;
    const after = await signIn();
    expect(await after.call(accountRoutes.me, {})).toMatchObject({ email: administrator.email });
    const body = { currentPassword: administrator.password, newPassword: 'another long password' };
    const { accessToken: token } = await after.call(accountRoutes.changePassword, { body });
    const renewed = new EarshotClient({ baseUrl: daemon.url, credential: { kind: 'bearer', token } });
    expect(await renewed.call(accountRoutes.me, {})).toMatchObject({ email: administrator.email });
    // One of them is from an hour ahead of the change.
    for (const client of [before, after])
      await expect(client.call(accountRoutes.me, {})).rejects.toMatchObject({ status: 401 });
  });

  it('sends what was due by the clock before, and shows the step', async () => {
    const receiver = await startReceiver();
    const params = { projectId: daemon.projectId };
    const webhook = { url: receiver.url, secret: 'a long secret', events: ['participant.created'] };
    await daemon.client.call(webhookRoutes.create, { params, body: webhook });
    await daemon.client.call(participantRoutes.create, { params, body: { externalUserId: 'u1' } });
    await receiver.waitFor(1);
    const database = await Database.connect(daemon.databaseUrl);
    const queued = `UPDATE "WebhookEvent" SET "status" = 'pending', "finishedAt" = NULL, "attemptsCount" = 0, "nextAttemptAt" = ?`;
    try {
      await eventually(async () => {
        expect(await database.read.webhookEvent.count({ where: { status: 'delivered' } })).toBe(1);
      });
      await database.transaction((tx) =>
        tx.$executeRawUnsafe(queued, new Date(Date.now() + hourMs).toISOString().replace('Z', '+00:00')),
      );
      aheadMs = 0;
      await eventually(() => expect(receiver.received.length).toBeGreaterThan(1));
    } finally {
      await database.close();
      await receiver.stop();
    }
    const { steps } = await askDaemon(daemon.dataDir, listClockSteps, {});
    expect(Math.round((steps[0]?.ms ?? 0) / 1_000)).toBe(-3_600);
  });
});

describe('an id', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('comes after the one before, however far the clock was set back', () => {
    const before = uuidv7();
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const backMs of [10_000, hourMs, 24 * hourMs]) {
      vi.setSystemTime(madeAtMs(before) - backMs);
      expect(uuidv7() > before).toBe(true);
    }
    expect(firstIdAt(madeAtMs(before)) <= before).toBe(true);
  });
});
