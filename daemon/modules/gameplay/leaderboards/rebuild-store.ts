/** Rows of rebuilds, and the change of a period's tally that applying one means. */

import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import type { PageQuery } from '../../../../src/contract/common.js';
import { LeaderboardRebuild } from '../../../../src/contract/gameplay/leaderboards.js';
import { timeOrNull } from '../../../platform/database/column-values.js';
import type { Reader, Transaction } from '../../../platform/database/database.js';
import { rulesText } from './board.js';
import type { Projects } from './board-store.js';
import type { Count } from './recount-store.js';

type Client = Transaction | Reader;
type Row = NonNullable<Awaited<ReturnType<Transaction['leaderboardRebuild']['findFirst']>>>;

/** A rebuild as the daemon keeps it. */
interface StoredRebuild {
  readonly rebuild: LeaderboardRebuild;
  readonly rebuiltId: string;
  /** Users who did not count before it. */
  readonly excludedOld: readonly string[];
}

const Users = z.array(z.string());
const { status: Status, changes: Changes } = LeaderboardRebuild.shape;

const toStored = ({ rebuiltId, excludedOld, ...row }: Row): StoredRebuild => ({
  rebuiltId,
  excludedOld: Users.parse(JSON.parse(excludedOld)),
  rebuild: {
    ...row,
    status: Status.parse(row.status),
    excluded: Users.parse(JSON.parse(row.excluded)),
    changes: Changes.parse(JSON.parse(row.changes)),
    createdAt: row.createdAt.toISOString(),
    appliedAt: timeOrNull(row.appliedAt),
    undoneAt: timeOrNull(row.undoneAt),
  },
});

export class RebuildStore {
  constructor(private readonly projects: Projects) {}

  async find(client: Client, leaderboardId: string, id: string): Promise<StoredRebuild | null> {
    const row = await client.leaderboardRebuild.findFirst({ where: { id, leaderboardId } });
    return row === null ? null : toStored(row);
  }

  /** Newest first. */
  async page(client: Client, leaderboardId: string, { limit, offset }: PageQuery) {
    const where = { leaderboardId };
    const rows = await client.leaderboardRebuild.findMany({
      where,
      orderBy: { id: 'desc' },
      take: limit,
      skip: offset,
    });
    return {
      rebuilds: rows.map((row) => toStored(row).rebuild),
      total: await client.leaderboardRebuild.count({ where }),
    };
  }

  /** Takes the place of those of the board that wait to be applied. */
  async insert(
    tx: Transaction,
    { tallyId, definition, excluded }: Count,
    found: Pick<LeaderboardRebuild, 'periodId' | 'events' | 'changed' | 'changes'>,
    createdAt: Date,
  ): Promise<LeaderboardRebuild> {
    const { id: leaderboardId } = definition.board;
    await this.discardReady(tx, leaderboardId);
    await tx.leaderboardTally.update({ where: { id: tallyId }, data: { role: 'rebuilt' } });
    const row = await tx.leaderboardRebuild.create({
      data: {
        ...{ ...found, id: uuidv7(), leaderboardId, status: 'ready', rebuiltId: tallyId, createdAt },
        changes: JSON.stringify(found.changes),
        excluded: JSON.stringify([...excluded]),
        excludedOld: JSON.stringify([...definition.excluded]),
      },
    });
    return toStored(row).rebuild;
  }

  /** Whether it was in the other status until now. */
  async move(tx: Transaction, id: string, from: 'ready' | 'applied', at: Date): Promise<boolean> {
    const data = from === 'ready' ? { status: 'applied', appliedAt: at } : { status: 'undone', undoneAt: at };
    return (await tx.leaderboardRebuild.updateMany({ where: { id, status: from }, data })).count > 0;
  }

  /** Whether every event of the period that counts by the rules of now is kept, or stands in its snapshot. */
  async isComplete(client: Client, { definition, period }: Pick<Count, 'definition' | 'period'>): Promise<boolean> {
    const { complete } = await client.leaderboardPeriod.findUniqueOrThrow({ where: { id: period.id } });
    const snapshot = await client.leaderboardTally.findFirst({ where: { periodId: period.id, role: 'snapshot' } });
    return complete && (snapshot === null || snapshot.rules === rulesText(definition.board));
  }

  /** Makes the tally the live one of its period, and its users those who do not count. */
  async putInPlace(tx: Transaction, { period, tallyId, definition, excluded }: Count): Promise<void> {
    const { id: leaderboardId, projectId } = definition.board;
    await tx.leaderboardTally.update({ where: { id: period.tallyId }, data: { role: 'discarded' } });
    await tx.leaderboardTally.update({ where: { id: tallyId }, data: { role: 'live' } });
    await tx.leaderboardPeriod.update({ where: { id: period.id }, data: { tallyId } });
    const users = { leaderboardId, memberType: 'user' };
    await tx.leaderboardExclusion.updateMany({ where: users, data: { excluded: false } });
    for (const memberId of excluded) {
      const key = { ...users, memberId };
      const where = { leaderboardId_memberType_memberId: key };
      await tx.leaderboardExclusion.upsert({ where, create: { ...key, excluded: true }, update: { excluded: true } });
    }
    await this.projects.bump(tx, projectId);
  }

  private async discardReady(tx: Transaction, leaderboardId: string): Promise<void> {
    const where = { leaderboardId, status: 'ready' };
    const ready = await tx.leaderboardRebuild.findMany({ where, select: { rebuiltId: true } });
    const ids = ready.map(({ rebuiltId }) => rebuiltId);
    await tx.leaderboardTally.updateMany({ where: { id: { in: ids } }, data: { role: 'discarded' } });
    await tx.leaderboardRebuild.updateMany({ where, data: { status: 'discarded' } });
  }
}
