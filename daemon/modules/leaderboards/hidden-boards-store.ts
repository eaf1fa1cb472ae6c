/** Restores deleted leaderboards, or deletes them for good; scores of these go later, a part at a time. */
import type { EventLog } from '../../platform/events/log.js';
import { type HiddenObjects, hiddenBy, shown } from '../game-events/deletion-store.js';
import type { TopicNames } from '../game-events/model/player.js';
import type { RankingAnnouncements } from './announcements.js';
import type { BoardStore } from './board-store.js';

interface HiddenBoardNeeds {
  readonly topics: Pick<TopicNames, 'deleteSubject'>;
  readonly boards: Pick<BoardStore, 'definition'>;
  readonly announcements: Pick<RankingAnnouncements, 'back'>;
  readonly log: Pick<EventLog, 'append'>;
}

export const hiddenBoards = ({ topics, boards, announcements, log }: HiddenBoardNeeds): HiddenObjects => ({
  async deletionOf(client, objectId) {
    return (await client.leaderboard.findFirst(hiddenBy(objectId)))?.deletionId ?? null;
  },
  async restore(tx, deletionId) {
    const hidden = await tx.leaderboard.findMany({ where: { deletionId }, select: { id: true, projectId: true } });
    await tx.leaderboard.updateMany({ where: { deletionId }, data: shown });
    for (const { id, projectId } of hidden) {
      const definition = await boards.definition(tx, projectId, id);
      if (definition !== null) await log.append(tx, ...(await announcements.back(tx, definition)));
    }
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
