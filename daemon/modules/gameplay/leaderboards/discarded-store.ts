/** Scores of tallies that nobody shows any more, and of removed projects, go a part at a time. */
import { type Database, idsAtOnce, type Transaction } from '../../../platform/database/database.js';
import type { RemoveSome } from '../../../platform/database/removal.js';
import { slicesOf } from '../../../platform/database/turns.js';
import type { Logger } from '../../../platform/observability/logger.js';
import { Repeat } from '../../../platform/scheduler/repeat.js';

const everyMs = 5_000;
const rowsAtOnce = 1_000;

/** Removes some scores and shares of a tally; when none is left, the tally. Returns how many rows went. */
const removeSome = async (tx: Transaction, tallyId: string): Promise<number> => {
  const some = { where: { tallyId }, take: rowsAtOnce } as const;
  const scores = await tx.leaderboardScore.findMany({ ...some, select: { memberType: true, memberId: true } });
  for (const memberType of new Set(scores.map((row) => row.memberType))) {
    const ids = scores.filter((row) => row.memberType === memberType).map(({ memberId }) => memberId);
    for (const some of slicesOf(ids, idsAtOnce))
      await tx.leaderboardScore.deleteMany({ where: { tallyId, memberType, memberId: { in: [...some] } } });
  }
  if (scores.length > 0) return scores.length;
  const teams = await tx.leaderboardShare.findMany({
    ...some,
    take: 100,
    select: { teamId: true },
    distinct: ['teamId'],
  });
  if (teams.length > 0) {
    const teamId = { in: teams.map((row) => row.teamId) };
    return (await tx.leaderboardShare.deleteMany({ where: { tallyId, teamId } })).count;
  }
  return (await tx.leaderboardTally.deleteMany({ where: { id: tallyId } })).count;
};

export const removeTallies: RemoveSome = async (tx, projectId) => {
  const tally = await tx.leaderboardTally.findFirst({ where: { projectId }, select: { id: true } });
  return { count: tally === null ? 0 : await removeSome(tx, tally.id) };
};

export const dropDiscarded = (database: Database, log: Logger): Repeat =>
  new Repeat(
    'drop-discarded-scores',
    everyMs,
    async () => {
      const where = { role: 'discarded' };
      for (;;) {
        const tally = await database.read.leaderboardTally.findFirst({ where, select: { id: true } });
        if (tally === null) return;
        await database.transaction((tx) => removeSome(tx, tally.id));
      }
    },
    log,
  );
