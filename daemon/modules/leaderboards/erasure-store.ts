/**
 * Erases a person from every board. Their share of team scores stays with the teams, without a name, in the snapshots
 * as well: their events are deleted, so a rebuild could not count it again.
 */

import { idsAtOnce, type Transaction } from '../../platform/database/database.js';
import { slicesOf } from '../../platform/database/slices.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { RankingAnnouncements } from './announcements.js';
import { type BoardDefinition, rulesText } from './board.js';
import type { BoardStore } from './board-store.js';
import type { BoardExclusions } from './exclusion-store.js';
import type { TallyRow } from './move-store.js';
import { scoreOfShare } from './score-store.js';
import { erasedUserId, mergeScores } from './scoring.js';

type ErasedShareRow = NonNullable<Awaited<ReturnType<Transaction['leaderboardShare']['findFirst']>>>;

export class BoardErasure {
  constructor(
    private readonly boards: BoardStore,
    private readonly exclusions: BoardExclusions,
    private readonly announcements: RankingAnnouncements,
  ) {}

  /** Choice: who followed the person on a board is announced with the new rank; no event after an erasure names its person. */

  async erase(tx: Transaction, projectId: string, userId: string): Promise<void> {
    await this.boards.lockAll(tx, projectId);
    let erase = () => this.eraseRows(tx, projectId, userId);
    for (const { id } of await this.boards.all(tx, projectId)) {
      const definition = await this.boards.definition(tx, projectId, id);
      const next = definition === null ? null : await this.announcements.behind(tx, definition, userId);
      if (definition === null || next === null) continue;
      const inner = erase;
      erase = () => this.announcements.around(tx, definition, [next], inner);
    }
    await erase();
  }

  private async eraseRows(tx: Transaction, projectId: string, userId: string): Promise<void> {
    const tallies = await tx.leaderboardTally.findMany({ where: { projectId } });
    if (tallies.length === 0) return;
    // Rebuilds start again: one may have counted half of what the person brought to a team, and their events are
    // deleted.
    const counted = { projectId, role: { in: ['counting', 'rebuilt'] } };
    await tx.leaderboardTally.updateMany({ where: counted, data: { rules: '' } });
    const definitions = new Map<string, BoardDefinition>();
    // That of somebody excluded goes with a rebuild, as it did before, and so it does where a rebuild is asked for that
    // leaves them out: it begins again.
    const leaving = new Set<string>();
    for (const definition of await this.boards.definitionsIn(tx, projectId)) {
      definitions.set(definition.board.id, definition);
      if ((await this.exclusions.excludedSoon(tx, definition)).has(userId)) leaving.add(definition.board.id);
    }
    for (const some of slicesOf(tallies, idsAtOnce)) {
      const tallyId = { in: some.map(({ id }) => id) };
      const scores = await tx.leaderboardScore.findMany({ where: { tallyId, memberType: 'user', memberId: userId } });
      const shares = await tx.leaderboardShare.findMany({ where: { tallyId, userId } });
      await tx.leaderboardScore.deleteMany({ where: { tallyId, memberType: 'user', memberId: userId } });
      await tx.leaderboardShare.deleteMany({ where: { tallyId, userId } });
      for (const share of shares) {
        const tally = some.find(({ id }) => id === share.tallyId);
        const definition = definitions.get(tally?.leaderboardId ?? '');
        if (tally === undefined || definition === undefined) continue;
        await this.giveAway(tx, tally, definition, share, !leaving.has(definition.board.id));
      }
      const shorter = { id: { in: scores.map((row) => row.tallyId) } };
      await tx.leaderboardTally.updateMany({ where: shorter, data: { epoch: { increment: 1 } } });
    }
    for (const id of definitions.keys()) await this.exclusions.erase(tx, id, userId);
  }

  /** The live share is everything that they brought; the share of the snapshot is a part of it. `isKept`: by rebuilds too. */
  private async giveAway(
    tx: Transaction,
    tally: TallyRow,
    definition: BoardDefinition,
    share: ErasedShareRow,
    isKept: boolean,
  ): Promise<void> {
    if (tally.role === 'snapshot' || tally.role === 'discarded') return;
    await this.add(tx, tally.id, definition, share);
    if (tally.role !== 'live') return;
    const period = await tx.leaderboardPeriod.findUnique({ where: { id: tally.periodId } });
    if (period?.complete === true && isKept)
      await this.add(tx, await snapshotOf(tx, tally, definition), definition, share);
  }

  private async add(
    tx: Transaction,
    tallyId: string,
    { board }: BoardDefinition,
    share: ErasedShareRow,
  ): Promise<void> {
    const key = { tallyId, teamId: share.teamId, userId: erasedUserId };
    const where = { tallyId_teamId_userId: key };
    const before = await tx.leaderboardShare.findUnique({ where });
    const own = scoreOfShare(share);
    const data = before === null ? own : mergeScores(board, scoreOfShare(before), own);
    await tx.leaderboardShare.upsert({ where, create: { ...key, ...data }, update: data });
  }
}

const snapshotOf = async (tx: Transaction, tally: TallyRow, { board }: BoardDefinition): Promise<string> => {
  const known = await tx.leaderboardTally.findFirst({ where: { periodId: tally.periodId, role: 'snapshot' } });
  if (known !== null) return known.id;
  const rules = { role: 'snapshot', rules: rulesText(board), countedTo: '', version: 0, epoch: 0 };
  return (await tx.leaderboardTally.create({ data: { ...tally, ...rules, id: uuidv7() } })).id;
};
