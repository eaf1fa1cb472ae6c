/** Takes members off a board. What they did before does not count again when the board is rebuilt. */
import type { MemberType } from '../../../src/contract/gameplay/leaderboards.js';
import type { Transaction } from '../../platform/database/database.js';
import type { BoardDefinition } from './board.js';
import type { MemberRank } from './board-views.js';
import { type ScoreStore, scoreOfKey } from './score-store.js';

export class MemberRemoval {
  constructor(private readonly scores: ScoreStore) {}

  /** The rank that the member had; null: not on the board. The lists in memory are loaded again. */
  async remove(
    tx: Transaction,
    { board, period }: BoardDefinition,
    { memberType, memberId }: { readonly memberType: MemberType; readonly memberId: string },
    now: Date,
  ): Promise<MemberRank | null> {
    await this.scores.lockLive(tx, [period.tallyId]);
    const key = { leaderboardId: board.id, memberType, memberId };
    const [row] = await this.scores.scores(tx, [{ tallyId: period.tallyId, memberType, memberId }]);
    if (row === undefined) return null;
    const [before = 0] = await this.scores.countBefore(tx, period.tallyId, memberType, [row]);
    const others = { periodId: period.id, role: { not: 'discarded' } };
    const tallies = await tx.leaderboardTally.findMany({ where: others, select: { id: true } });
    const ids = tallies.map(({ id }) => id);
    // Locks them, so that a rebuild that is counting leaves this member out from here on.
    await tx.leaderboardTally.updateMany({ where: { id: { in: ids } }, data: { epoch: { increment: 1 } } });
    await tx.leaderboardScore.deleteMany({ where: { tallyId: { in: ids }, memberType, memberId } });
    if (memberType === 'team')
      await tx.leaderboardShare.deleteMany({ where: { tallyId: { in: ids }, teamId: memberId } });
    const where = { leaderboardId_memberType_memberId: key };
    await tx.leaderboardExclusion.upsert({
      where,
      create: { ...key, excluded: false, before: now },
      update: { before: now },
    });
    return { memberType, memberId, rank: before + 1, score: scoreOfKey(row.sortKey, board.sortOrder) };
  }
}
