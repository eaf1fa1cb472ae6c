import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadSettings } from '../../daemon/platform/config/load.js';
import { expiredRows } from '../../daemon/platform/database/expired-rows.js';
import { databases, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type ModerationBench, moderator, openModeration } from '../support/moderation.js';

const start = new Date('2026-01-01T00:00:00.000Z');
const dayMs = 86_400_000;

describe.each(databases)('sanctions in force on $name', ({ open, here }) => {
  describe.skipIf(!here)('', () => {
    let opened: TestDatabase;
    let bench: ModerationBench;
    let person: string;
    const mute = (fields: { duration?: number; startAt?: string } = {}) =>
      bench.sanctions.create(bench.grant, moderator, { type: 'mute', externalUserId: person, ...fields });
    const mayPublish = () => bench.inRooms.get(person)?.everywhere?.publish ?? true;
    const passing = (seconds: number) => {
      bench.now = new Date(start.getTime() + seconds * 1_000);
    };
    const newest = async () => {
      const head = await bench.log.head();
      const [last] = await bench.log.read({ after: head - 1n, limit: 1 });
      return last?.event;
    };

    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    beforeEach(async () => {
      person = uuidv7();
      bench = await openModeration(opened.database, start);
    });

    it('hold when the answer is there', async () => {
      bench.slow = () => sleep(20);
      await mute();
      expect(mayPublish()).toBe(false);
    });

    it('are applied from the log when another daemon stored them', async () => {
      const before = await bench.log.head();
      const elsewhere = await openModeration(opened.database, start);
      await elsewhere.sanctions.create(elsewhere.grant, moderator, { type: 'mute', externalUserId: person });
      expect(bench.told).toEqual([]);
      const events = (await bench.log.read({ after: before, limit: 10 })).map(({ event }) => event);
      await bench.follow(events);
      expect(bench.told).toEqual([person]);
      expect(mayPublish()).toBe(false);
    });

    it('are tried again when the rooms failed', async () => {
      bench.slow = () => Promise.reject(new Error('no rooms'));
      await expect(mute()).rejects.toThrow('no rooms');
      bench.slow = async () => {};
      await eventually(() => expect(mayPublish()).toBe(false));
    });

    it('end by the clock: lifted and announced once, by whichever daemon comes first', async () => {
      const { id } = await mute({ duration: 60 });
      expect(await bench.terms.expireDue(10)).toBe(0);
      passing(60);
      const before = await bench.log.head();
      const announced = await Promise.all([bench.terms.expireDue(10), bench.another().terms.expireDue(10)]);
      expect(announced.toSorted()).toEqual([0, 1]);
      expect(mayPublish()).toBe(true);
      expect((await bench.log.head()) - before).toBe(1n);
      expect(await newest()).toMatchObject({
        type: 'sanction.updated',
        resourceId: `sanction:${id}`,
        payload: { data: { status: 'expired', isActive: false }, changes: { status: 'active' } },
      });
    });

    it('begin by the clock when they were issued ahead of their time, also behind a restart', async () => {
      await mute({ startAt: '2026-01-01T00:05:00.000Z' });
      expect(await bench.terms.beginDue(10)).toBe(0);
      expect(mayPublish()).toBe(true);
      passing(300);
      expect(await bench.another().terms.beginDue(10)).toBe(1);
      expect(mayPublish()).toBe(false);
      expect(await newest()).toMatchObject({ payload: { data: { isActive: true }, changes: { isActive: false } } });
      expect(await bench.terms.beginDue(10)).toBe(0);
    });

    it('stay ended and stay begun when the clock jumps back a day, and end when it jumps ahead', async () => {
      const short = await mute({ duration: 60 });
      const long = await bench.sanctions.create(bench.grant, moderator, {
        type: 'shadow_mute',
        externalUserId: person,
        duration: 3_600,
      });
      passing(60);
      await bench.terms.expireDue(10);
      bench.now = new Date(start.getTime() - dayMs);
      await bench.terms.expireDue(10);
      const read = (id: string) => bench.sanctions.get(bench.grant.projectId, id, { moderator: true });
      expect(await read(short.id)).toMatchObject({ status: 'expired', isActive: false });
      expect(await read(long.id)).toMatchObject({ status: 'active', isActive: true });
      expect(await bench.sanctions.activeOfUser(bench.grant.projectId, person)).toMatchObject([{ id: long.id }]);
      bench.now = new Date(start.getTime() + dayMs);
      expect(await read(long.id)).toMatchObject({ status: 'expired', isActive: false });
      expect(await bench.terms.expireDue(10)).toBe(1);
      expect(bench.inRooms.get(person)?.everywhere?.audible).toBe(true);
    });

    it('leave the newest policy in the room, however slow an earlier one was', async () => {
      const { id } = await mute();
      const delays = [60, 0];
      bench.slow = () => sleep(delays.shift() ?? 0);
      const warned = bench.sanctions.create(bench.grant, moderator, { type: 'warn', externalUserId: person });
      while (delays.length === 2) await sleep(1);
      await bench.sanctions.revoke(bench.grant.projectId, id, 'mod', null);
      await warned;
      expect(mayPublish()).toBe(true);
    });

    it('are revoked once by two who do it together', async () => {
      const { id } = await mute();
      const revoke = () => bench.another().sanctions.revoke(bench.grant.projectId, id, 'mod', null);
      const ended = await Promise.allSettled([revoke(), revoke(), revoke()]);
      expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(ended.filter(({ status }) => status === 'rejected')).toMatchObject([
        { reason: { code: 'sanction_not_active' } },
        { reason: { code: 'sanction_not_active' } },
      ]);
    });

    it('outlive the erasure of a person when they are bans, and nothing else does', async () => {
      const { projectId } = bench.grant;
      const issue = (type: 'temp_ban' | 'mute', duration: number) =>
        bench.sanctions.create(bench.grant, moderator, { type, externalUserId: person, duration });
      await issue('mute', 600);
      await issue('temp_ban', 600);
      await opened.database.transaction((tx) =>
        bench.erasure.afterLog(tx, projectId, { id: uuidv7(), externalUserId: person }),
      );
      expect(await bench.sanctions.ofUser(projectId, person)).toEqual([]);
      expect(await bench.policies.policy(projectId, 'arena', person)).toMatchObject({
        publish: true,
        banned: { until: new Date('2026-01-01T00:10:00.000Z') },
      });
      bench.now = new Date(start.getTime() - dayMs);
      expect(await bench.policies.policy(projectId, 'arena', person)).toMatchObject({ banned: { reason: '' } });
      passing(600);
      expect(await bench.policies.policy(projectId, 'arena', person)).toMatchObject({ banned: null });
      const { settings } = loadSettings({ environment: {} });
      const bans = expiredRows(opened.database, settings, () => bench.now).filter(({ kind }) => kind === 'ErasedBan');
      for (const { prune } of bans) await prune(10);
      expect(await opened.database.read.erasedBan.count({ where: { projectId } })).toBe(0);
    });

    it('that outlived an erasure can be lifted', async () => {
      const { projectId } = bench.grant;
      await bench.sanctions.create(bench.grant, moderator, { type: 'perm_ban', externalUserId: person });
      await opened.database.transaction((tx) =>
        bench.erasure.afterLog(tx, projectId, { id: uuidv7(), externalUserId: person }),
      );
      expect(await bench.erasure.lift(bench.grant, person)).toBe(1);
      expect(await bench.erasure.lift(bench.grant, person)).toBe(0);
      expect(await bench.policies.policy(projectId, 'arena', person)).toMatchObject({ banned: null });
    });
  });
});
