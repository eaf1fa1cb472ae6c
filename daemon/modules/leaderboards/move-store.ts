/** Moves a person's scores to another user id. Two scores on a board are joined by its rule. */
import { idsAtOnce, type Reader, type Transaction } from '../../platform/database/database.js';
import { slicesOf } from '../../platform/database/slices.js';
import type { KnownPerson, PersonMoveSteps } from '../../platform/module.js';
import type { MovingPerson } from '../../platform/moving-person.js';
import type { BoardDefinition } from './board.js';
import type { BoardStore } from './board-store.js';
import type { BoardExclusions } from './exclusion-store.js';
import { scoreOfRow, scoreOfShare, sortKeyOf } from './score-store.js';
import { mergeScores } from './scoring.js';

export type TallyRow = NonNullable<Awaited<ReturnType<Transaction['leaderboardTally']['findFirst']>>>;

export class BoardMove implements PersonMoveSteps {
  constructor(
    private readonly boards: BoardStore,
    private readonly exclusions: BoardExclusions,
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
    const definitions = await this.boards.definitionsIn(tx, projectId);
    for (const definition of definitions) {
      await this.exclusions.rename(tx, definition, from, to);
      const own = tallies.filter(({ leaderboardId }) => leaderboardId === definition.board.id);
      for (const tally of own) await this.moveIn(tx, definition, tally, from, to);
      await moveRemoval(tx, definition.board.id, from, to);
    }
  }

  private async moveIn(
    tx: Transaction,
    { board }: BoardDefinition,
    { id: tallyId }: TallyRow,
    from: string,
    to: string,
  ): Promise<void> {
    const key = (memberId: string) => ({ tallyId, memberType: 'user', memberId });
    const scoreOf = async (memberId: string) => {
      const where = { tallyId_memberType_memberId: key(memberId) };
      const row = await tx.leaderboardScore.findUnique({ where });
      return row === null ? null : { ...row, ...scoreOfRow({ ...row, sortKey: Number(row.sortKey) }, board.sortOrder) };
    };
    const shares = await tx.leaderboardShare.findMany({ where: { tallyId, userId: from } });
    const old = await scoreOf(from);
    if (old === null && shares.length === 0) return;
    // Locks the tally; lists in memory are loaded anew.
    await tx.leaderboardTally.update({ where: { id: tallyId }, data: { epoch: { increment: 1 } } });
    const other = await scoreOf(to);
    if (old !== null) {
      const { score, exact, reachedId } = other === null ? old : mergeScores(board, old, other);
      const data = { sortKey: BigInt(sortKeyOf({ score, sortOrder: board.sortOrder })), exact, reachedId };
      await tx.leaderboardScore.deleteMany({ where: { ...key(from) } });
      const where = { tallyId_memberType_memberId: key(to) };
      await tx.leaderboardScore.upsert({
        where,
        create: { ...key(to), ...data, version: old.version },
        update: data,
      });
    }
    for (const share of shares) {
      const { teamId } = share;
      const where = { tallyId_teamId_userId: { tallyId, teamId, userId: to } };
      const known = await tx.leaderboardShare.findUnique({ where });
      const theirs = scoreOfShare(share);
      const merged = known === null ? theirs : mergeScores(board, theirs, scoreOfShare(known));
      await tx.leaderboardShare.upsert({ where, create: { tallyId, teamId, userId: to, ...merged }, update: merged });
    }
    await tx.leaderboardShare.deleteMany({ where: { tallyId, userId: from } });
  }
}

/** Events from before either id was taken off the board do not count. */
async function moveRemoval(tx: Transaction, leaderboardId: string, from: string, to: string): Promise<void> {
  const key = (memberId: string) => ({ leaderboardId, memberType: 'user', memberId });
  const keyOf = (memberId: string) => ({ leaderboardId_memberType_memberId: key(memberId) });
  const row = await tx.leaderboardExclusion.findUnique({ where: keyOf(from) });
  if (row === null) return;
  const other = await tx.leaderboardExclusion.findUnique({ where: keyOf(to) });
  const times = [row.before, other?.before ?? null].filter((time) => time !== null).map((time) => time.getTime());
  const data = { before: times.length === 0 ? null : new Date(Math.max(...times)) };
  await tx.leaderboardExclusion.upsert({
    where: keyOf(to),
    create: { ...key(to), excluded: row.excluded, ...data },
    update: data,
  });
  await tx.leaderboardExclusion.delete({ where: keyOf(from) });
}
