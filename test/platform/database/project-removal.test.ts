import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProjectRemoval } from '../../../daemon/modules/projects/removal/removal.js';
import { RemovalStore } from '../../../daemon/modules/projects/removal/removal-store.js';
import { projectRows } from '../../../daemon/platform/database/project-rows.js';
import { createLogger } from '../../../daemon/platform/observability/logger.js';
import { unnotedJobs } from '../../../daemon/platform/scheduler/jobs.js';
import { databases, type TestDatabase } from '../../support/database.js';

const at = new Date('2026-01-01T00:00:00.000Z');
const manyPeople = 600;

const log = createLogger('silent');
describe.each(databases)('removing a project on $name', ({ open, here }) => {
  describe.skipIf(!here)('', () => {
    let opened: TestDatabase;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    /** Creates a project with rows that refer to each other: a challenge in a category, and players with progress in it. */
    async function addProject(deletedAt: Date | null): Promise<string> {
      const [id, tenantId, categoryId, challengeId] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
      const row = { projectId: id, createdAt: at, updatedAt: at };
      await opened.database.transaction(async (tx) => {
        await tx.tenant.create({ data: { id: tenantId, name: 't', createdAt: at } });
        await tx.project.create({ data: { id, tenantId, name: id, billingProjectId: id, createdAt: at, deletedAt } });
        await tx.billingAccount.create({ data: { billingProjectId: id, secret: 's', createdAt: at } });
        const category = { ...row, id: categoryId, name: '{}', slug: 's', position: 0, isDaily: false };
        await tx.challengeCategory.create({ data: category });
        const rules = { goal: 1n, goalCondition: 0, repeatable: false, autoActivated: false, counting: 'total' };
        const challenge = { ...row, ...rules, id: challengeId, categoryId, name: '{}', eventName: 'kill-enemy' };
        await tx.challenge.create({ data: { ...challenge, metadataConditions: '[]' } });
        const people = Array.from({ length: manyPeople }, (_, n) => `u${n}`);
        await tx.player.createMany({ data: people.map((userId) => ({ ...row, userId })) });
        const played = { projectId: id, challengeId, state: 'in-progress', counter: 0n };
        await tx.playerChallenge.createMany({ data: people.map((userId) => ({ ...played, userId })) });
      });
      return id;
    }
    async function counts(projectId: string): Promise<number[]> {
      const { read } = opened.database;
      const where = { projectId };
      return Promise.all([
        read.project.count({ where: { id: projectId } }),
        read.billingAccount.count({ where: { billingProjectId: projectId } }),
        read.challengeCategory.count({ where }),
        read.challenge.count({ where }),
        read.player.count({ where }),
        read.playerChallenge.count({ where }),
      ]);
    }

    it('takes everything of the deleted one, portion by portion, and nothing of another', async () => {
      const [kept, deleted] = [await addProject(null), await addProject(at)];
      const full = [1, 1, 1, 1, manyPeople, manyPeople];
      expect(await counts(deleted)).toEqual(full);
      const closed: string[] = [];
      const rooms = { close: async (projectId: string) => void closed.push(projectId) };
      const removal = new ProjectRemoval(
        new RemovalStore(opened.database),
        [rooms, projectRows(opened.database)],
        unnotedJobs(log),
        log,
      );
      let steps = 0;
      while (await removal.step()) steps += 1;
      expect(await counts(deleted)).toEqual([0, 0, 0, 0, 0, 0]);
      expect(await counts(kept)).toEqual(full);
      expect(steps).toBeGreaterThan(2);
      expect(new Set(closed)).toEqual(new Set([deleted]));
    });

    it('goes on with the next where one cannot be removed, and tries that again', async () => {
      const [first, second] = [await addProject(at), await addProject(new Date(at.getTime() + 1))];
      let broken = true;
      const holder = {
        removeSome: async (projectId: string) => {
          if (broken && projectId === first) throw new Error('its rows cannot be read');
          return 0;
        },
      };
      const removal = new ProjectRemoval(new RemovalStore(opened.database), [holder], unnotedJobs(log), log);
      while (await removal.step());
      expect([(await counts(first))[0], (await counts(second))[0]]).toEqual([1, 0]);
      broken = false;
      while (await removal.step());
      expect((await counts(first))[0]).toBe(0);
    });
  });
});
