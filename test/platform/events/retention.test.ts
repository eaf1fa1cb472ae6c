import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventLog } from '../../../daemon/platform/events/log.js';
import { LogRetention } from '../../../daemon/platform/events/retention.js';
import { LocalWakeUps } from '../../../daemon/platform/events/wake-ups.js';
import { databases, type TestDatabase } from '../../support/database.js';

const dayMs = 86_400_000;

describe.each(databases)('the log on $name', ({ open, here }) => {
  describe.skipIf(!here)('', () => {
    let opened: TestDatabase;
    let log: EventLog;
    let retention: LogRetention;
    let now = new Date('2026-01-01T00:00:00Z');
    const later = (days: number) => {
      now = new Date(now.getTime() + days * dayMs);
    };
    beforeAll(async () => {
      opened = await open();
      log = new EventLog(opened.database, new LocalWakeUps(), () => now);
      retention = new LogRetention(
        opened.database,
        log,
        () => 30,
        () => now,
      );
      await log.start();
      await opened.database.transaction((tx) => tx.tenant.create({ data: { id: 't', name: 'T', createdAt: now } }));
    });
    afterAll(() => opened.close());

    const append = (count: number, timestamp?: Date) =>
      opened.database.transaction((tx) =>
        log.append(
          tx,
          ...Array.from({ length: count }, () => ({
            type: 'server.started',
            tenantId: 't',
            projectId: null,
            resourceId: 'server:1',
            action: 'occurred' as const,
            data: {},
            ...(timestamp === undefined ? {} : { timestamp }),
          })),
        ),
      );
    const positions = async () => (await log.read({ after: 0n, limit: 100 })).map(({ position }) => Number(position));
    const types = async () => (await log.read({ after: 0n, limit: 100 })).map(({ event }) => event.type);
    const cursor = (name: string, position: bigint, enabled = true) =>
      opened.database.transaction((tx) => tx.cursor.create({ data: { name, position, enabled, updatedAt: now } }));
    const placeOf = (name: string) => opened.database.read.cursor.findUnique({ where: { name } });

    it('forgets what is older than its days, from the oldest on, in pieces', async () => {
      await append(5);
      later(10);
      await append(2);
      later(20.5);
      expect([await retention.prune(3), await retention.prune(3), await retention.prune(3)]).toEqual([3, 2, 0]);
      expect(await positions()).toEqual([6, 7]);
    });

    it('has no holes, and is not kept by times that lie ahead', async () => {
      await append(1, new Date('2099-01-01'));
      later(31);
      await append(1);
      expect(await retention.prune(100)).toBe(3);
      expect(await positions()).toEqual([9]);
    });

    it('waits a week for a subscriber, and then moves it and says so', async () => {
      await cursor('plugins', 9n);
      await cursor('switched off', 0n, false);
      await append(2);
      later(31);
      await append(1);
      await opened.database.transaction((tx) =>
        tx.cursor.update({ where: { name: 'plugins' }, data: { updatedAt: new Date(now.getTime() - 6 * dayMs) } }),
      );
      expect(await retention.prune(100)).toBe(1);
      expect(await positions()).toEqual([10, 11, 12]);
      later(2);
      expect(await retention.prune(100)).toBe(2);
      expect(await placeOf('plugins')).toMatchObject({ position: 11n, updatedAt: now });
      expect((await placeOf('switched off'))?.position).toBe(0n);
      expect(await types()).toEqual(['server.started', 'consumer.gap']);
      const [, gap] = await log.read({ after: 11n, limit: 5 });
      expect(gap?.event).toMatchObject({ tenantId: 't', payload: { data: { id: 'plugins', missed: 2 } } });
    });

    it('leaves a subscriber alone that moves on at the same time', async () => {
      await opened.database.transaction((tx) => tx.cursor.deleteMany());
      later(31);
      await retention.prune(100);
      await append(3);
      const last = BigInt((await positions()).at(-1) ?? 0);
      await cursor('slow', last - 3n);
      later(40);
      let pruned = Promise.resolve(0);
      await opened.database.transaction(async (tx) => {
        await tx.cursor.update({ where: { name: 'slow' }, data: { position: last - 2n, updatedAt: now } });
        pruned = retention.prune(100);
        await sleep(200); // it waits for the row, or for its turn
      });
      await pruned;
      expect((await placeOf('slow'))?.position).toBe(last - 2n);
      expect(await types()).not.toContain('consumer.gap');
      expect(await positions()).toEqual(expect.arrayContaining([Number(last - 1n), Number(last)]));
    });

    it('keeps what somebody still has to read, however old', async () => {
      await opened.database.transaction((tx) => tx.cursor.updateMany({ data: { enabled: false } }));
      let needed: bigint | null = 0n;
      log.keepFor(async () => needed);
      await append(3);
      const [first = 0] = await positions();
      needed = BigInt(first);
      later(400);
      expect(await retention.prune(100)).toBe(1);
      needed = null;
      expect(await retention.prune(100)).toBeGreaterThan(1);
    });

    it('keeps what was stored while the clock was ahead', async () => {
      await opened.database.transaction((tx) => tx.cursor.deleteMany());
      later(31);
      await retention.prune(100);
      later(1 / 24);
      await append(2);
      const kept = (await positions()).slice(-2);
      later(-1 / 24);
      await retention.prune(100);
      expect(await positions()).toEqual(kept);
      later(30.5);
      await retention.prune(100);
      expect(await positions()).toEqual([]);
    });
  });
});
