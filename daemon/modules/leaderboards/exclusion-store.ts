/** Keeps users off a board until they are let back: their score goes, and rebuilds that are under way leave them out. */
import type { Transaction } from '../../platform/database/database.js';
import type { BoardDefinition } from './board.js';
import type { MemberRank } from './board-views.js';
import { usersOf } from './rebuild-store.js';
import { type ScoreStore, scoreOfKey } from './score-store.js';
import type { TallyStore } from './tally-store.js';

/** Rebuilds of which the users who do not count are still to be stored, by applying or by undoing them. */
const pending = ['counting', 'ready', 'applying', 'applied', 'undoing'];

export class BoardExclusions {
  constructor(
    private readonly scores: ScoreStore,
    private readonly tallies: TallyStore,
  ) {}

  /**
   * The place that the user had; null: not on the board. Snapshots keep what they counted, so that a rebuild can bring it
   * back when the user is included again.
   */
  async exclude(tx: Transaction, { board, period }: BoardDefinition, userId: string): Promise<MemberRank | null> {
    const { tallyId } = period;
    const member = { tallyId, memberType: 'user' as const, memberId: userId };
    await this.tallies.lock(tx, tallyId);
    const [row] = await this.scores.scores(tx, [member]);
    await this.change(tx, board.id, userId, true);
    if (row === undefined) return null;
    const [before = 0] = await this.scores.countBefore(tx, tallyId, 'user', [row]);
    await tx.leaderboardScore.deleteMany({ where: member });
    await tx.leaderboardTally.update({ where: { id: tallyId }, data: { epoch: { increment: 1 } } });
    const score = scoreOfKey(row.sortKey, board.sortOrder);
    return { memberType: 'user', memberId: userId, rank: before + 1, score };
  }

  include = (tx: Transaction, { board }: BoardDefinition, userId: string): Promise<void> =>
    this.change(tx, board.id, userId, false);

  /** Rebuilds that are under way begin again. */
  private async change(tx: Transaction, leaderboardId: string, userId: string, excluded: boolean): Promise<void> {
    const key = { leaderboardId, memberType: 'user', memberId: userId };
    const where = { leaderboardId_memberType_memberId: key };
    await tx.leaderboardExclusion.upsert({ where, create: { ...key, excluded }, update: { excluded } });
    const changed = (text: string): string => {
      const others = usersOf(text).filter((user) => user !== userId);
      return JSON.stringify(excluded ? [...others, userId] : others);
    };
    const rebuilds = { leaderboardId, status: { in: pending } };
    for (const { id, excluded: after, excludedOld } of await tx.leaderboardRebuild.findMany({ where: rebuilds }))
      await tx.leaderboardRebuild.update({
        where: { id },
        data: { excluded: changed(after), excludedOld: changed(excludedOld) },
      });
    const recounted = { leaderboardId, role: { in: ['counting', 'rebuilt'] } };
    await tx.leaderboardTally.updateMany({ where: recounted, data: { rules: '' } });
  }
}
