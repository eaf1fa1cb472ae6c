/**
 * Owns who does not count on a board. Operators, rebuilds, moves and erasures change it here alone; `BoardStore.excludedFrom`
 * reads it. A change takes those who do not count any more off the period that runs, and outdates every other count.
 */
import type { Transaction } from '../../platform/database/database.js';
import type { BoardDefinition, BoardPeriod } from './board.js';
import { changesOf, type ExclusionChange, exclusionChange, rebuildsNaming, usersOf } from './rebuild-store.js';
import type { TallyStore } from './tally-store.js';

/** Rebuilds whose change may still be made, or undone. */
const pending = ['counting', 'ready', 'applying', 'applied', 'undoing'];
/** Rebuilds whose change is asked for. */
const asked = ['counting', 'ready', 'applying', 'undoing'];

const rowsOf = (leaderboardId: string, memberId: string) => ({ leaderboardId, memberType: 'user', memberId });

export class BoardExclusions {
  constructor(private readonly tallies: TallyStore) {}

  /**
   * The decision of an operator: rebuilds that are under way, and the undoing of earlier ones, leave it as it is. The caller has
   * locked the revision of the project.
   */
  async decide(tx: Transaction, definition: BoardDefinition, userId: string, isExcluded: boolean): Promise<void> {
    await this.change(
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
  }

  /**
   * Snapshots keep what they counted, so that a rebuild can bring it back when a user is readmitted. The caller has locked the
   * revision of the project.
   */
  async change(
    tx: Transaction,
    { board, period }: BoardDefinition,
    { excluded, readmitted }: ExclusionChange,
  ): Promise<void> {
    if (excluded.length + readmitted.length === 0) return;
    await this.tallies.lock(tx, period.tallyId);
    await this.takeOff(tx, period, excluded);
    const others = { leaderboardId: board.id, role: { in: ['counting', 'rebuilt'] } };
    await tx.leaderboardTally.updateMany({ where: others, data: { rules: '' } });
    for (const [users, isExcluded] of [
      [excluded, true],
      [readmitted, false],
    ] as const)
      for (const userId of users) {
        const key = { ...rowsOf(board.id, userId), origin: '', periodId: '' };
        await tx.leaderboardExclusion.upsert({
          where: { leaderboardId_memberType_memberId_origin_periodId: key },
          create: { ...key, excluded: isExcluded },
          update: { excluded: isExcluded },
        });
      }
  }

  /** A person stays excluded who was so under one of two ids. The caller has locked the boards of the project. */
  async rename(tx: Transaction, definition: BoardDefinition, from: string, to: string): Promise<void> {
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
    if (!excluded.has(from) && !excluded.has(to)) return;
    await this.takeOff(tx, definition.period, [from, to]);
    await this.change(tx, definition, { excluded: [to], readmitted: [from] });
  }

  /** Returns who will not count once the rebuilds that are asked for are applied or undone. */
  async excludedSoon(tx: Transaction, { board, excluded }: BoardDefinition): Promise<ReadonlySet<string>> {
    const users = new Set(excluded);
    const where = { leaderboardId: board.id, status: { in: asked } };
    for (const row of await tx.leaderboardRebuild.findMany({ where, orderBy: { id: 'asc' } })) {
      const change = exclusionChange({
        work: row.status === 'undoing' ? 'undoing' : 'applying',
        rebuild: { excluded: usersOf(row.excluded) },
        excludedOld: usersOf(row.excludedOld),
      });
      for (const user of change.excluded) users.add(user);
      for (const user of change.readmitted) users.delete(user);
    }
    return users;
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
  private async takeOff(tx: Transaction, { tallyId }: BoardPeriod, users: readonly string[]): Promise<void> {
    const where = { tallyId, memberType: 'user', memberId: { in: [...users] } };
    const { count } = await tx.leaderboardScore.deleteMany({ where });
    if (count > 0) await tx.leaderboardTally.update({ where: { id: tallyId }, data: { epoch: { increment: 1 } } });
  }
}
