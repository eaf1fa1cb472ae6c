import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventLog } from '../../daemon/events/log.js';
import { LocalWakeUps } from '../../daemon/events/wake-ups.js';
import { SanctionService } from '../../daemon/features/sanctions/service.js';
import { SanctionStore } from '../../daemon/features/sanctions/store.js';
import { openPostgresql, openSqlite, type TestDatabase } from '../support/database.js';
import { hasPostgresql } from '../support/postgresql.js';

const suites = [
  { name: 'SQLite', open: openSqlite, here: true },
  { name: 'PostgreSQL', open: openPostgresql, here: hasPostgresql },
];

describe.each(suites)('sanctions in force on $name', ({ open, here }) => {
  describe.skipIf(!here)('', () => {
    let opened: TestDatabase;
    let log: EventLog;
    let now: Date;
    /** A room: what it was told last is what holds. */
    let audible: boolean;
    let delayMs: () => number;
    const grant = { tenantId: uuidv7(), projectId: uuidv7(), role: 'admin' as const };

    const service = () =>
      new SanctionService(
        opened.database,
        log,
        new SanctionStore(opened.database),
        { byId: async () => null, byExternalId: async () => null },
        async () => true,
        {
          async apply(_project, _user, policy) {
            await sleep(delayMs());
            audible = policy.publish;
          },
        },
        () => now,
      );
    const newest = async () => {
      const head = await log.head();
      const [last] = await log.read({ after: head - 1n, limit: 1 });
      return last?.event;
    };

    beforeAll(async () => {
      opened = await open();
      log = new EventLog(opened.database, new LocalWakeUps(), () => now);
      await log.start();
      now = new Date();
      const { tenantId: id, projectId } = grant;
      await opened.database.transaction(async (tx) => {
        await tx.tenant.create({ data: { id, name: 't', createdAt: now } });
        await tx.project.create({
          data: { id: projectId, tenantId: id, name: 'p', billingProjectId: projectId, createdAt: now },
        });
      });
    });
    afterAll(() => opened.close());
    beforeEach(() => {
      now = new Date('2026-01-01T00:00:00.000Z');
      audible = true;
      delayMs = () => 0;
    });

    it('hold when the answer is there', async () => {
      delayMs = () => 20;
      await service().create(grant, 'mod', { type: 'mute', externalUserId: uuidv7() });
      expect(audible).toBe(false);
    });

    it('end by the clock: lifted and announced once, by whichever daemon comes first', async () => {
      const { id } = await service().create(grant, 'mod', { type: 'mute', externalUserId: uuidv7(), duration: 60 });
      expect(await service().expireDue(10)).toBe(0);
      now = new Date('2026-01-01T00:01:00.000Z');
      const before = await log.head();
      await Promise.all([service().expireDue(10), service().expireDue(10)]);
      expect(audible).toBe(true);
      expect((await log.head()) - before).toBe(1n);
      expect(await newest()).toMatchObject({
        type: 'sanction.updated',
        resourceId: `sanction:${id}`,
        payload: { data: { status: 'expired', isActive: false }, changes: { status: 'active' } },
      });
    });

    it('begin by the clock when they were issued ahead of their time', async () => {
      const sanctions = service();
      await sanctions.create(grant, 'mod', {
        type: 'mute',
        externalUserId: uuidv7(),
        startAt: '2026-01-01T00:05:00.000Z',
      });
      await sanctions.beginDue();
      expect(audible).toBe(true);
      now = new Date('2026-01-01T00:05:00.000Z');
      await sanctions.beginDue();
      expect(audible).toBe(false);
    });

    it('leave the newest policy in the room, however slow an earlier one was', async () => {
      const sanctions = service();
      const externalUserId = uuidv7();
      const { id } = await sanctions.create(grant, 'mod', { type: 'mute', externalUserId });
      const delays = [60, 0];
      delayMs = () => delays.shift() ?? 0;
      const warned = sanctions.create(grant, 'mod', { type: 'warn', externalUserId });
      while (delays.length === 2) await sleep(1);
      await sanctions.revoke(grant.projectId, id, 'mod', null);
      await warned;
      expect(audible).toBe(true);
    });
  });
});
