/**
 * Owns who does not count on a board. Operators, rebuilds, moves and erasures change it here alone; `BoardStore.excludedFrom`
 * reads it. A change takes those who do not count any more off the period that runs, and outdates every other count.
 */
import type { Transaction } from '../../platform/database/database.js';
import type { BoardDefinition } from './board.js';
import type { MemberRank } from './board-views.js';
import { changesOf, type ExclusionChange, rebuildsNaming, usersOf } from './rebuild-store.js';
import { type ScoreStore, scoreOfKey } from './score-store.js';
import type { TallyStore } from './tally-store.js';

/** Rebuilds whose change may still be made, or undone. */
const pending = ['counting', 'ready', 'applying', 'applied', 'undoing'];

const rowsOf = (leaderboardId: string, memberId: string) => ({ leaderboardId, memberType: 'user', memberId });

export class BoardExclusions {
  constructor(
    private readonly scores: ScoreStore,
    private readonly tallies: TallyStore,
  ) {}

  /**
   * The decision of an operator: rebuilds that are under way, and the undoing of earlier ones, leave it as it is. The caller has
   * locked the revision of the project. Returns the rank that the user had; null: not on the board.
   */
  async decide(
    tx: Transaction,
    definition: BoardDefinition,
    userId: string,
    isExcluded: boolean,
  ): Promise<MemberRank | null> {
    const [stood] = await this.change(
      tx,
      definition,
      isExcluded ? { excluded: [userId], readmitted: [] } : { excluded: [], readmitted: [userId] },
    );
    const decided = (text: string): string => {
      const others = usersOf(text).filter((user) => user !== userId);
      return JSON.stringify(isExcluded ? [...others, userId] : others);
    };
    const rebuilds = { leaderboardId: definition.board.id, status: { in: pending } };
    for (const { id, excluded, excludedOld } of await tx.leaderboardRebuild.findMany({ where: rebuilds }))
      await tx.leaderboardRebuild.update({
        where: { id },
        data: { excluded: decided(excluded), excludedOld: decided(excludedOld) },
      });
    return stood ?? null;
  }

  /**
   * Returns the ranks that users lose in the period that runs. Snapshots keep what they counted, so that a rebuild can bring it
   * back when a user is readmitted. The caller has locked the revision of the project.
   */
  async change(
    tx: Transaction,
    { board, period }: BoardDefinition,
    { excluded, readmitted }: ExclusionChange,
  ): Promise<MemberRank[]> {
    if (excluded.length + readmitted.length === 0) return [];
    await this.tallies.lock(tx, period.tallyId);
    const stood = await this.takeOff(tx, { board, period }, excluded);
    const others = { leaderboardId: board.id, role: { in: ['counting', 'rebuilt'] } };
    await tx.leaderboardTally.updateMany({ where: others, data: { rules: '' } });
    for (const [users, isExcluded] of [
      [excluded, true],
      [readmitted, false],
    ] as const)
      for (const userId of users) {
        const key = { ...rowsOf(board.id, userId), origin: '' };
        await tx.leaderboardExclusion.upsert({
          where: { leaderboardId_memberType_memberId_origin: key },
          create: { ...key, excluded: isExcluded },
          update: { excluded: isExcluded },
        });
      }
    return stood;
  }

  /**
   * A person stays excluded who was so under one of two ids. Returns the ranks that they lose in the period that runs, under
   * either id. The caller has locked the boards of the project.
   */
  async rename(tx: Transaction, definition: BoardDefinition, from: string, to: string): Promise<MemberRank[]> {
    const { board, excluded } = definition;
    const renamed = (text: string): string =>
      JSON.stringify([...new Set(usersOf(text).map((user) => (user === from ? to : user)))]);
    for (const row of await rebuildsNaming(tx, board.id, from)) {
      const changes = changesOf(row.changes).map((change) =>
        change.memberType === 'user' && change.memberId === from ? { ...change, memberId: to } : change,
      );
      await tx.leaderboardRebuild.update({
        where: { id: row.id },
        data: {
          excluded: renamed(row.excluded),
          excludedOld: renamed(row.excludedOld),
          changes: JSON.stringify(changes),
        },
      });
    }
    if (!excluded.has(from) && !excluded.has(to)) return [];
    const stood = await this.takeOff(tx, definition, [from, to]);
    await this.change(tx, definition, { excluded: [to], readmitted: [from] });
    return stood;
  }

  async erase(tx: Transaction, leaderboardId: string, userId: string): Promise<void> {
    const others = (text: string): string => JSON.stringify(usersOf(text).filter((user) => user !== userId));
    for (const { id, excluded, excludedOld, changes } of await rebuildsNaming(tx, leaderboardId, userId)) {
      const rest = changesOf(changes).filter(
        ({ memberType, memberId }) => memberType === 'team' || memberId !== userId,
      );
      const data = { excluded: others(excluded), excludedOld: others(excludedOld), changes: JSON.stringify(rest) };
      await tx.leaderboardRebuild.update({ where: { id }, data });
    }
    await tx.leaderboardExclusion.deleteMany({ where: rowsOf(leaderboardId, userId) });
  }

  /** Deletes scores of the period that runs; lists in memory are loaded anew. */
  private async takeOff(
    tx: Transaction,
    { board, period: { tallyId } }: Pick<BoardDefinition, 'board' | 'period'>,
    users: readonly string[],
  ): Promise<MemberRank[]> {
    const members = users.map((memberId) => ({ tallyId, memberType: 'user' as const, memberId }));
    const rows = await this.scores.scores(tx, members);
    if (rows.length === 0) return [];
    const before = await this.scores.countBefore(tx, tallyId, 'user', rows);
    for (const { memberType, memberId } of rows)
      await tx.leaderboardScore.deleteMany({ where: { tallyId, memberType, memberId } });
    await tx.leaderboardTally.update({ where: { id: tallyId }, data: { epoch: { increment: 1 } } });
    return rows.map(({ memberId, sortKey }, index) => ({
      ...{ memberType: 'user', memberId, rank: (before[index] ?? 0) + 1 },
      score: scoreOfKey(sortKey, board.sortOrder),
    }));
  }
}
