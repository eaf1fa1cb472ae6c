/** Takes members off a board. What they did before does not count again when the board is rebuilt. */
import type { MemberType } from '../../../../src/contract/gameplay/leaderboards.js';
import type { Transaction } from '../../../platform/database/database.js';
import type { BoardDefinition } from './board.js';
import type { ScoreStore } from './score-store.js';

export class MemberRemoval {
  constructor(private readonly scores: ScoreStore) {}

  /** Whether the member stood on the board. The lists in memory are loaded anew. */
  async remove(
    tx: Transaction,
    { board, period }: BoardDefinition,
    { memberType, memberId }: { readonly memberType: MemberType; readonly memberId: string },
    now: Date,
  ): Promise<boolean> {
    await this.scores.lockLive(tx, [period.tallyId]);
    const key = { leaderboardId: board.id, memberType, memberId };
    const { count } = await tx.leaderboardScore.deleteMany({
      where: { tallyId: period.tallyId, memberType, memberId },
    });
    if (count === 0) return false;
    const others = { periodId: period.id, role: { not: 'discarded' } };
    const tallies = await tx.leaderboardTally.findMany({ where: others, select: { id: true } });
    const ids = tallies.map(({ id }) => id);
    await tx.leaderboardScore.deleteMany({ where: { tallyId: { in: ids }, memberType, memberId } });
    if (memberType === 'team')
      await tx.leaderboardShare.deleteMany({ where: { tallyId: { in: ids }, teamId: memberId } });
    await tx.leaderboardTally.updateMany({ where: { id: { in: ids } }, data: { epoch: { increment: 1 } } });
    const where = { leaderboardId_memberType_memberId: key };
    await tx.leaderboardExclusion.upsert({
      where,
      create: { ...key, excluded: false, before: now },
      update: { before: now },
    });
    return true;
  }
}
