import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CreateSanctionRequest } from '../../src/contract/moderation/sanctions.js';
import { databases, type TestDatabase } from '../support/database.js';
import { type ModerationBench, moderator, openModeration } from '../support/moderation.js';
import { scale } from '../support/scale.js';

const lineCount = scale(500, 10_000);
const patienceMs = scale(30_000, 120_000);

describe.each(databases)('a batch of sanctions on $name', ({ open, here }) => {
  describe.skipIf(!here)('', () => {
    let opened: TestDatabase;
    let bench: ModerationBench;
    const mutes = (count: number): CreateSanctionRequest[] =>
      Array.from({ length: count }, (_, index) => ({ type: 'mute', externalUserId: `u${index}`, reason: 'raid' }));
    const apply = (items: CreateSanctionRequest[], { batchId = 'raid', firstLine = 1, dryRun = false } = {}) =>
      bench.batches.apply(bench.grant, moderator, { batchId, firstLine, items, dryRun });
    const count = () => opened.database.read.sanction.count({ where: { projectId: bench.grant.projectId } });

    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    beforeEach(async () => {
      bench = await openModeration(opened.database, new Date('2026-01-01T00:00:00.000Z'));
    });

    it('is applied, announced, in force, and taken back by events', { timeout: patienceMs }, async () => {
      const items = mutes(lineCount);
      const before = await bench.log.head();
      expect(await apply(items)).toMatchObject({ created: lineCount, unchanged: 0, refused: 0 });
      expect((await bench.log.head()) - before).toBe(BigInt(lineCount));
      expect(bench.inRooms.get('u7')?.everywhere?.publish).toBe(false);
      expect(await bench.batches.undo(bench.grant.projectId, 'raid', 'mod', 'false alarm')).toEqual({
        batchId: 'raid',
        revoked: lineCount,
        ended: 0,
      });
      expect(await count()).toBe(lineCount);
      expect((await bench.log.head()) - before).toBe(BigInt(2 * lineCount));
      expect(bench.inRooms.get('u7')?.everywhere?.publish).toBe(true);
      const [undone] = await bench.sanctions.ofUser(bench.grant.projectId, 'u7');
      expect(undone).toMatchObject({ status: 'revoked', revokeReason: 'false alarm', batchId: 'raid' });
    });

    it('applies each line once, whoever sends it again and where it broke off', async () => {
      await apply(mutes(3));
      const again = await apply(mutes(5));
      expect(again).toMatchObject({ created: 2, unchanged: 3 });
      expect(again.lines.map(({ outcome }) => outcome)).toEqual([
        'unchanged',
        'unchanged',
        'unchanged',
        'created',
        'created',
      ]);
      expect(await apply(mutes(2), { firstLine: 6 })).toMatchObject({ created: 2, unchanged: 0 });
      expect(await count()).toBe(7);
    });

    it('is applied once by two who send it together', async () => {
      const send = () =>
        bench
          .another()
          .batches.apply(bench.grant, moderator, { batchId: 'raid', firstLine: 1, items: mutes(20), dryRun: false });
      const answers = await Promise.all([send(), send(), send()]);
      expect(answers.map(({ created }) => created).toSorted((a, b) => a - b)).toEqual([0, 0, 20]);
      expect(await count()).toBe(20);
    });

    it('is refused as a whole, naming the lines', async () => {
      const items = [...mutes(2), { type: 'temp_ban' as const, externalUserId: 'u9' }, { type: 'mute' as const }];
      await expect(apply(items)).rejects.toMatchObject({
        code: 'sanction_batch_refused',
        details: [
          { path: 'line 3', message: expect.stringContaining('perm_ban') },
          { path: 'line 4', message: expect.stringContaining('participantId') },
        ],
      });
      expect(await count()).toBe(0);
    });

    it('refuses a line that was applied with another content', async () => {
      await apply(mutes(2));
      await expect(apply([{ type: 'warn', externalUserId: 'u0' }])).rejects.toMatchObject({
        code: 'sanction_batch_refused',
      });
    });

    it('tells in a dry run what would become of each line, and changes nothing', async () => {
      const { id } = await bench.sanctions.create(bench.grant, moderator, { type: 'mute', externalUserId: 'u0' });
      const head = await bench.log.head();
      const items = [...mutes(2), { type: 'perm_ban' as const, externalUserId: 'u1', duration: 5 }];
      const told = await apply(items, { dryRun: true });
      expect(told).toMatchObject({ dryRun: true, created: 2, refused: 1 });
      expect(told.lines).toMatchObject([
        { line: 1, outcome: 'created', sanctionId: null, inForce: [id] },
        { line: 2, outcome: 'created', inForce: [] },
        { line: 3, outcome: 'refused', code: 'sanction_time_invalid' },
      ]);
      expect(await count()).toBe(1);
      expect(await bench.log.head()).toBe(head);
    });

    it('tells in a dry run who was never here, whose name the id is, and who is in two lines', async () => {
      await opened.database.transaction((tx) =>
        bench.people.ensure(tx, { ...bench.grant, externalUserId: 'u7', displayName: 'Zoë' }),
      );
      const items = ['u7', 'ZOE', 'Zo', 'u7'].map((externalUserId) => ({ type: 'mute' as const, externalUserId }));
      const told = await apply(items, { dryRun: true });
      expect(told).toMatchObject({ unknown: 2, doubled: 1 });
      expect(told.lines).toMatchObject([
        { unknown: false, namesakes: [], doubleOf: null },
        { unknown: true, namesakes: ['u7'], doubleOf: null },
        { unknown: true, namesakes: [], doubleOf: null },
        { unknown: false, doubleOf: 1 },
      ]);
    });

    it('is not applied again once it was taken back, nor is one that is not there', async () => {
      await apply(mutes(1));
      const undo = (id: string) => bench.batches.undo(bench.grant.projectId, id, 'mod', null);
      await undo('raid');
      expect(await undo('raid')).toMatchObject({ revoked: 0, ended: 1 });
      await expect(apply(mutes(1))).rejects.toMatchObject({ code: 'sanction_batch_undone' });
      await expect(undo(uuidv7())).rejects.toMatchObject({ code: 'sanction_batch_not_found' });
    });
  });
});
