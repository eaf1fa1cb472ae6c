/** Restores deleted challenges, categories, battle passes and levels, or deletes them for good. */
import { DomainError } from '../../../src/contract/errors.js';
import type { Transaction } from '../../platform/database/database.js';
import type { Dialect } from '../../platform/database/dialect.js';
import { deleteSome } from '../../platform/database/mapped-tables.js';
import type { Clock } from '../../platform/time/clock.js';
import { type HiddenObjects, hiddenBy, shown } from '../game-events/deletion-store.js';
import type { CountingConflicts } from './counting-conflict-store.js';

/** Progress of players, and the objects that it belongs to. */
const progress = [
  { name: 'PlayerChallenge', key: ['projectId', 'userId', 'challengeId'], column: 'challengeId', of: 'Challenge' },
  { name: 'PlayerBattlePassLevel', key: ['projectId', 'userId', 'levelId'], column: 'levelId', of: 'BattlePassLevel' },
  { name: 'PlayerBattlePass', key: ['projectId', 'userId', 'battlePassId'], column: 'battlePassId', of: 'BattlePass' },
] as const;

export const hiddenChallenges = (dialect: Dialect, conflicts: CountingConflicts, now: Clock): HiddenObjects => ({
  async deletionOf(client, objectId) {
    const hidden = hiddenBy(objectId);
    const found =
      (await client.challenge.findFirst(hidden)) ??
      (await client.battlePass.findFirst(hidden)) ??
      (await client.battlePassLevel.findFirst(hidden)) ??
      (await client.challengeCategory.findFirst(hidden));
    return found?.deletionId ?? null;
  },
  async restore(tx, deletionId) {
    await requireContainers(tx, deletionId);
    const restored = await tx.challenge.findMany({ where: { deletionId }, select: { id: true, projectId: true } });
    const rows = { where: { deletionId }, data: shown };
    await tx.challengeCategory.updateMany(rows);
    await tx.battlePass.updateMany(rows);
    await tx.battlePassLevel.updateMany(rows);
    await tx.challenge.updateMany(rows);
    const ids = restored.map(({ id }) => id);
    const [{ projectId = '' } = {}] = restored;
    await conflicts.require(tx, projectId, ids, now()).catch((cause: unknown) => {
      throw cause instanceof DomainError
        ? new DomainError('deletion_conflict', { message: cause.message, cause })
        : cause;
    });
  },
  async purge(tx, deletionId, limit) {
    for (const { column, of, ...table } of progress) {
      const text = `"${column}" IN (SELECT "id" FROM "${of}" WHERE "deletionId" = ?)`;
      const count = await deleteSome(tx, dialect, table, { text, values: [deletionId] }, limit);
      if (count > 0) return count;
    }
    const where = { deletionId };
    const { count: challenges } = await tx.challenge.deleteMany({ where });
    const { count: levels } = await tx.battlePassLevel.deleteMany({ where });
    const { count: passes } = await tx.battlePass.deleteMany({ where });
    const { count: categories } = await tx.challengeCategory.deleteMany({ where });
    return challenges + levels + passes + categories;
  },
});

/** Throws deletion_conflict where an object would have no category, battle pass or level. */
async function requireContainers(tx: Transaction, deletionId: string): Promise<void> {
  const hidden = { deletionId: { notIn: [shown.deletionId, deletionId] } };
  const challenges = { deletionId, OR: [{ category: hidden }, { level: hidden }] };
  const levels = { deletionId, battlePass: hidden };
  const missing =
    (await tx.challenge.count({ where: challenges })) + (await tx.battlePassLevel.count({ where: levels }));
  if (missing > 0)
    throw new DomainError('deletion_conflict', {
      message:
        'The category, battle pass or level that it belongs to was deleted later. Undo that deletion first; `gameplay deletions` lists it.',
    });
}
