/** Restores deleted leaderboards, or deletes them for good; scores of these go later, a part at a time. */
import { type HiddenObjects, shown } from '../game-events/deletion-store.js';
import type { TopicNames } from '../game-events/model/player.js';

export const hiddenBoards = (topics: Pick<TopicNames, 'deleteSubject'>): HiddenObjects => ({
  async restore(tx, deletionId) {
    await tx.leaderboard.updateMany({ where: { deletionId }, data: shown });
  },
  async purge(tx, deletionId, limit) {
    const boards = await tx.leaderboard.findMany({
      where: { deletionId },
      select: { id: true, projectId: true },
      take: limit,
    });
    const ids = boards.map(({ id }) => id);
    await tx.leaderboardTally.updateMany({ where: { leaderboardId: { in: ids } }, data: { role: 'discarded' } });
    for (const { id, projectId } of boards) await topics.deleteSubject(tx, projectId, `leaderboard:${id}`);
    return (await tx.leaderboard.deleteMany({ where: { id: { in: ids } } })).count;
  },
});
