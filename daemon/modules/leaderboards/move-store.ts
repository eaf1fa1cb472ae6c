/** Moves a person's scores to another user id. Two scores on a board become what the events of both make together. */
import { idsAtOnce, type Reader, type Transaction } from '../../platform/database/database.js';
import { slicesOf } from '../../platform/database/slices.js';
import type { KnownPerson, PersonMoveSteps } from '../../platform/module.js';
import type { MovingPerson } from '../../platform/moving-person.js';
import type { RankingAnnouncements } from './announcements.js';
import { type BoardDefinition, rulesText } from './board.js';
import type { BoardStore } from './board-store.js';
import type { BoardExclusions } from './exclusion-store.js';
import type { BoardMember, CountedUser, Recount } from './recount.js';
import { renameRemovals } from './removal-store.js';
import { type ScoreStore, scoreOfRow } from './score-store.js';
import { type MemberKey, mergeScores, replaceShares, type Score } from './scoring.js';

export type TallyRow = NonNullable<Awaited<ReturnType<Transaction['leaderboardTally']['findFirst']>>>;

type Users = Pick<MovingPerson, 'from' | 'to'>;

export class BoardMove implements PersonMoveSteps {
  constructor(
    private readonly boards: BoardStore,
    private readonly scores: ScoreStore,
    private readonly recount: Recount,
    private readonly exclusions: BoardExclusions,
    private readonly announcements: RankingAnnouncements,
  ) {}

  /** Counts the boards on which the user has a score now. */
  async count(reader: Reader | Transaction, { projectId, externalUserId: memberId }: KnownPerson) {
    const tallies = await reader.leaderboardTally.findMany({ where: { projectId, role: 'live' } });
    const found = new Set<string>();
    for (const some of slicesOf(tallies, idsAtOnce)) {
      const where = { tallyId: { in: some.map(({ id }) => id) }, memberType: 'user', memberId };
      for (const { tallyId } of await reader.leaderboardScore.findMany({ where, select: { tallyId: true } }))
        found.add(some.find(({ id }) => id === tallyId)?.leaderboardId ?? '');
    }
    return { leaderboards: found.size };
  }

  async obstacles(tx: Transaction, { projectId }: MovingPerson) {
    await this.boards.lockAll(tx, projectId);
    return [];
  }

  async merge(tx: Transaction, { projectId, from, to }: MovingPerson): Promise<void> {
    const tallies = await tx.leaderboardTally.findMany({ where: { projectId } });
    if (tallies.length === 0) return;
    // The list of excluded members is read anew.
    await this.boards.bump(tx, projectId);
    // Rebuilds start again: events that one has counted belong to the other user id now.
    const counted = { projectId, role: { in: ['counting', 'rebuilt'] } };
    await tx.leaderboardTally.updateMany({ where: counted, data: { rules: '' } });
    const shown = new Set((await this.boards.all(tx, projectId)).map(({ id }) => id));
    for (const definition of await this.boards.definitionsIn(tx, projectId)) {
      const own = tallies.filter(({ leaderboardId }) => leaderboardId === definition.board.id);
      const change = async () => {
        await this.exclusions.rename(tx, definition, from, to);
        // What is shown is counted on top of the snapshots.
        for (const tally of [...own.filter(isSnapshot), ...own.filter((one) => !isSnapshot(one))])
          await this.moveIn(tx, definition, tally, { from, to });
      };
      if (shown.has(definition.board.id))
        await this.announcements.around(tx, definition, await concerned(tx, definition, [from, to]), change, {
          from,
          to,
        });
      else await change();
    }
    await renameRemovals(tx, { projectId, from, to });
  }

  private async moveIn(tx: Transaction, definition: BoardDefinition, tally: TallyRow, { from, to }: Users) {
    const { board } = definition;
    const { id: tallyId } = tally;
    const scoreOf = async (memberId: string) => {
      const [row] = await this.scores.scores(tx, [{ tallyId, memberType: 'user', memberId }]);
      return row === undefined ? null : { ...scoreOfRow(row, board.sortOrder), version: row.version };
    };
    const [old, other] = [await scoreOf(from), await scoreOf(to)];
    const shares = await this.scores.sharesOf(tx, tallyId, from);
    if (old === null && shares.length === 0) return;
    const theirs = new Map((await this.scores.sharesOf(tx, tallyId, to)).map((share) => [share.teamId, share]));
    const isShared = (old !== null && other !== null) || shares.some(({ teamId }) => theirs.has(teamId));
    const counted = isShared ? await this.together(tx, definition, tally, { from, to }) : null;
    // Lists in memory are loaded anew.
    await tx.leaderboardTally.update({ where: { id: tallyId }, data: { epoch: { increment: 1 } } });
    if (old !== null) {
      const merged = other === null ? old : (counted?.score ?? mergeScores(board, old, other));
      await this.save(tx, board, { tallyId, memberType: 'user', memberId: to }, merged, old.version);
      await tx.leaderboardScore.deleteMany({ where: { tallyId, memberType: 'user', memberId: from } });
    }
    for (const { teamId, ...own } of shares) {
      const known = theirs.get(teamId);
      const merged = known === undefined ? own : (counted?.shares.get(teamId) ?? mergeScores(board, own, known));
      await this.scores.saveShares(tx, [{ ...merged, tallyId, teamId, userId: to }]);
      if (known === undefined || board.aggregate !== 'sum') continue;
      const team: MemberKey = { tallyId, memberType: 'team', memberId: teamId };
      const [row] = await this.scores.scores(tx, [team]);
      if (row === undefined) continue;
      const before = scoreOfRow(row, board.sortOrder);
      const after = replaceShares(before, [own, known], merged);
      if (after !== before) await this.save(tx, board, team, after, row.version);
    }
    await tx.leaderboardShare.deleteMany({ where: { tallyId, userId: from } });
  }

  /**
   * Counts the events of both as those of one player; null: some are gone, or count by other rules now than those by which
   * they were counted. Choice: what is left is then joined score by score.
   */
  private async together(
    tx: Transaction,
    definition: BoardDefinition,
    { role, rules, periodId }: TallyRow,
    { from, to }: Users,
  ): Promise<CountedUser | null> {
    const { board } = definition;
    if (role !== 'live' || rules !== rulesText(board)) return null;
    const period = await this.boards.findPeriod(tx, board.id, periodId);
    return period === null ? null : this.recount.together(tx, { definition, period }, [from, to], to);
  }

  private save(
    tx: Transaction,
    { sortOrder }: BoardDefinition['board'],
    member: MemberKey,
    { score, exact, reachedId }: Score,
    version: number,
  ): Promise<void> {
    return this.scores.save(tx, [{ ...member, sortOrder, score, exact, reachedId }], () => version);
  }
}

const isSnapshot = ({ role }: TallyRow): boolean => role === 'snapshot';

/** Members of the period that runs whose scores are of these users' events: the users, and the teams that they played for. */
async function concerned(
  tx: Transaction,
  { period: { tallyId } }: BoardDefinition,
  users: readonly string[],
): Promise<BoardMember[]> {
  const where = { tallyId, userId: { in: [...users] } };
  const shares = await tx.leaderboardShare.findMany({ where, select: { teamId: true } });
  return [
    ...users.map((memberId) => ({ memberType: 'user' as const, memberId })),
    ...[...new Set(shares.map(({ teamId }) => teamId))].map((memberId) => ({ memberType: 'team' as const, memberId })),
  ];
}
