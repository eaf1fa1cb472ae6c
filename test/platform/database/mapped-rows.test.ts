/** Rows that the daemon handles by the data map alone, on both databases. */
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadSettings } from '../../../daemon/platform/config/load.js';
import { expiredRows } from '../../../daemon/platform/database/expired-rows.js';
import { dataMap } from '../../../daemon/platform/database/generated/data-map.js';
import { personErasure, personRename } from '../../../daemon/platform/database/person-rows.js';
import { projectRows } from '../../../daemon/platform/database/project-rows.js';
import { databases, type TestDatabase } from '../../support/database.js';

const at = new Date('2026-03-01T00:00:00.000Z');
const dayMs = 86_400_000;
const { settings } = loadSettings({ environment: {} });

describe.each(databases)('the data map on $name', ({ open, here }) => {
  describe.skipIf(!here)('', () => {
    let opened: TestDatabase;
    let projectId: string;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    beforeEach(async () => {
      projectId = await addProject();
    });

    const write = (work: Parameters<TestDatabase['database']['transaction']>[0]) => opened.database.transaction(work);

    async function addProject(): Promise<string> {
      const [id, tenantId] = [uuidv7(), uuidv7()];
      await write(async (tx) => {
        await tx.tenant.create({ data: { id: tenantId, name: 't', createdAt: at } });
        await tx.project.create({ data: { id, tenantId, name: id, billingProjectId: id, createdAt: at } });
      });
      return id;
    }

    const played = (userId: string, count = 1, project = projectId) =>
      write((tx) =>
        tx.gameEvent.createMany({
          data: Array.from({ length: count }, () => ({
            ...{ id: uuidv7(), projectId: project, userId, eventName: 'kill-enemy', eventType: 'single' },
            ...{ sessionId: 's', amount: 1n, metaData: '{}', createdAt: at },
          })),
        }),
      );
    /** A review about a person, named by either id. */
    const review = (externalUserId: string | null, participantId: string | null = null) =>
      write((tx) =>
        tx.review.create({
          data: {
            ...{ id: uuidv7(), tenantId: 't', projectId, kind: 'appeal', status: 'open', sanctionId: uuidv7() },
            ...{ externalUserId, participantId, createdAt: at, updatedAt: at },
          },
        }),
      );
    const participant = (externalUserId: string, id: string) =>
      write(async (tx) => {
        const times = { joinedAt: at, updatedAt: at };
        const texts = { displayName: externalUserId, searchKey: externalUserId, userData: '{}' };
        await tx.participant.create({ data: { id, tenantId: 't', projectId, externalUserId, ...texts, ...times } });
        const note = { id: uuidv7(), projectId, participantId: id, text: 'n', createdByUserId: 'u', createdAt: at };
        await tx.participantNote.create({ data: note });
      });
    const reviewed = async () =>
      (await opened.database.read.review.findMany({ where: { projectId }, orderBy: { id: 'asc' } })).map(
        ({ externalUserId, participantId }) => [externalUserId, participantId],
      );
    const eventsOf = (userId: string, project = projectId) =>
      opened.database.read.gameEvent.count({ where: { projectId: project, userId } });

    it('erases a person by either id, large tables in parts and ahead, and nobody else', async () => {
      const other = await addProject();
      await played('gone', 1_100);
      await played('stays', 3);
      await played('gone', 2, other);
      await review('gone');
      await review(null, 'p1');
      await review('stays', 'p2');
      const erasure = personErasure(opened.database);
      const person = { id: 'p1', externalUserId: 'gone', displayName: 'Gone', heldIds: [], aheadTo: 0n };
      await erasure.inBatches?.(projectId, person);
      expect([await eventsOf('gone'), (await reviewed()).length]).toEqual([0, 3]);
      await played('gone');
      await write(async (tx) => erasure.beforeLog?.(tx, projectId, person));
      expect(await reviewed()).toEqual([['stays', 'p2']]);
      expect([await eventsOf('gone'), await eventsOf('stays'), await eventsOf('gone', other)]).toEqual([0, 3, 2]);
    });

    it('gives rows the new id, with those of a participant who becomes one with the person', async () => {
      const [id, joinedId] = [uuidv7(), uuidv7()];
      await participant('from', id);
      await participant('to', joinedId);
      await played('from', 2);
      await played('to');
      await review('from');
      await review(null, id);
      await review('to', joinedId);
      await review('else', 'p3');
      const rename = personRename(opened.database);
      const { read } = opened.database;
      expect(await rename.count?.(read, { projectId, externalUserId: 'from' })).toMatchObject({
        gameEvents: 2,
        reviews: 1,
        sanctions: 0,
      });
      await write(async (tx) => rename.merge?.(tx, { projectId, id, from: 'from', to: 'to', joinedId }));
      expect([await eventsOf('from'), await eventsOf('to')]).toEqual([0, 3]);
      expect(await reviewed()).toEqual([['to', id], ['to', id], ['to', id], ['else', 'p3']]); // biome-ignore format: pairs
      const notes = await read.participantNote.findMany({ where: { projectId } });
      expect(notes.map((note) => note.participantId)).toEqual([id, id]);
    });

    it('leaves rows of a stranger who has the new id as they are where nobody is joined', async () => {
      const id = uuidv7();
      await participant('from', id);
      await review('from', id);
      await review('to');
      await write(async (tx) =>
        personRename(opened.database).merge?.(tx, { projectId, id, from: 'from', to: 'to', joinedId: null }),
      );
      expect(await reviewed()).toEqual([['to', id], ['to', null]]); // biome-ignore format: pairs
    });

    it('deletes the rows of a project one batch at a time, those that others refer to last', async () => {
      const subscriptionId = uuidv7();
      const eventIds = Array.from({ length: 700 }, () => uuidv7());
      await write(async (tx) => {
        const about = { tenantId: 't', projectId };
        const sent = { url: 'u', events: '[]', secret: 's', authType: 'none', payloadFormat: 'p', enabled: true };
        await tx.webhookSubscription.create({
          data: { id: subscriptionId, ...about, ...sent, createdAt: at, updatedAt: at },
        });
        await tx.webhookPayload.createMany({
          data: eventIds.map((eventId) => ({ eventId, projectId, payload: '{}' })),
        });
        const delivery = {
          ...about,
          subscriptionId,
          eventType: 'e',
          status: 'delivered',
          attemptsCount: 1,
          createdAt: at,
        };
        await tx.webhookEvent.createMany({ data: eventIds.map((eventId) => ({ ...delivery, id: eventId, eventId })) });
      });
      const rows = projectRows(opened.database);
      const counts: (number | undefined)[] = [];
      for (let count = await rows.removeSome?.(projectId); count !== 0; count = await rows.removeSome?.(projectId))
        counts.push(count);
      expect(counts).toEqual([500, 200, 500, 200]);
    });

    it('deletes what is too old, up to a limit, by columns of every kind of key', async () => {
      const old = new Date(at.getTime() - 401 * dayMs);
      await write(async (tx) => {
        const networks = ['a', 'b', 'c'].map((network) => ({ account: 'x', network, seenAt: old }));
        await tx.loginNetwork.createMany({ data: [...networks, { account: 'x', network: 'new', seenAt: at }] });
        const key = { projectId, keyIndex: 0, secret: 's' };
        await tx.roomKey.create({ data: { ...key, roomId: 'empty', emptySince: old } });
        await tx.roomKey.create({ data: { ...key, roomId: 'used', emptySince: null } });
      });
      const kinds = new Map(expiredRows(opened.database, settings, () => at).map(({ kind, prune }) => [kind, prune]));
      const prune = kinds.get('LoginNetwork');
      expect([await prune?.(2), await prune?.(2), await prune?.(2)]).toEqual([2, 1, 0]);
      expect(await kinds.get('RoomKey')?.(200)).toBe(1);
      const { read } = opened.database;
      expect((await read.loginNetwork.findMany()).map(({ network }) => network)).toEqual(['new']);
      expect((await read.roomKey.findMany({ where: { projectId } })).map(({ roomId }) => roomId)).toEqual(['used']);
    });

    it('is understood for every table', async () => {
      const { database } = opened;
      const person = { projectId, id: 'p', externalUserId: 'u', displayName: 'u', heldIds: [], aheadTo: 0n };
      const moved = { projectId, id: 'p', from: 'u', to: 'v', joinedId: 'q' };
      await personErasure(database).inBatches?.(projectId, person);
      await write(async (tx) => {
        await personErasure(database).beforeLog?.(tx, projectId, person);
        await personRename(database).merge?.(tx, moved);
      });
      const counted = dataMap.flatMap(({ count }) => count ?? []);
      const counts = await personRename(database).count?.(database.read, person);
      expect(counts).toEqual(Object.fromEntries(counted.map((name) => [name, 0])));
      const kinds = expiredRows(database, settings, () => new Date(at.getTime() - 10_000 * dayMs));
      expect(await Promise.all(kinds.map(({ prune }) => prune(200)))).toEqual(kinds.map(() => 0));
      await projectRows(database).removeSome?.(projectId);
    });
  });
});
