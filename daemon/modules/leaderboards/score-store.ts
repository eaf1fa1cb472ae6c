/** Rows of scores and shares, read and written in sets. */
import { z } from 'zod';
import { MemberType } from '../../../src/contract/gameplay/leaderboards.js';
import { compareText } from '../../platform/database/bulk-rows.js';
import type { DatabaseClient, Transaction } from '../../platform/database/database.js';
import type { Dialect } from '../../platform/database/dialect.js';
import { compareKeys, type Key } from './ranked-list.js';
import { type MemberKey, type Score, type ScoreRow, type ShareKey, type ShareRow, shareText } from './scoring.js';
import { leaderboardStatements, scoreKeyRows, scoreRows, shareKeyRows, shareRows } from './sql.js';

export interface LockedTally {
  readonly version: number;
  readonly epoch: number;
}

export interface Tally extends LockedTally {
  readonly id: string;
}

/** A stored score: who, and the key that it is ranked by. */
export interface StoredScore extends MemberKey, Key {
  readonly version: number;
  /** The sum, where it lies beyond what a score shows. */
  readonly exact: string | null;
}

const whole = z.coerce.number();
const Stored = z.object({
  tallyId: z.string(),
  memberType: MemberType,
  memberId: z.string(),
  sortKey: whole,
  exact: z.string().nullable(),
  reachedId: z.string(),
  version: whole,
});
const RankedScore = Stored.extend({ before: whole, members: whole });
/** A stored score, and the place of it. */
export type RankedScore = Pick<z.infer<typeof RankedScore>, 'sortKey' | 'before' | 'members'>;
const Share = z.object({
  tallyId: z.string(),
  teamId: z.string(),
  userId: z.string(),
  score: whole,
  exact: z.string().nullable(),
  reachedId: z.string(),
});
const Locked = z.object({ id: z.string(), version: whole, epoch: whole });
const Count = z.object({ at: whole, members: whole });

const first: Key = { sortKey: -Number.MAX_SAFE_INTEGER, reachedId: '' };

/** The lowest key leads. `0 - score`, because databases do not store -0. */
export const sortKeyOf = ({ score, sortOrder }: Pick<ScoreRow, 'score' | 'sortOrder'>): number =>
  sortOrder === 'asc' ? score : 0 - score;
export const scoreOfKey = (sortKey: number, sortOrder: ScoreRow['sortOrder']): number =>
  sortOrder === 'asc' ? sortKey : 0 - sortKey;

export const scoreOfRow = (
  { sortKey, exact, reachedId }: Pick<StoredScore, 'sortKey' | 'exact' | 'reachedId'>,
  sortOrder: ScoreRow['sortOrder'],
): Score => ({ score: scoreOfKey(sortKey, sortOrder), exact, reachedId });

export const scoreOfShare = ({
  score,
  exact,
  reachedId,
}: Omit<Score, 'score'> & { readonly score: bigint }): Score => ({
  ...{ score: Number(score), exact, reachedId },
});

/** As it is stored with this version of its tally. */
export const storedScore = (row: ScoreRow, version: number): StoredScore => ({
  tallyId: row.tallyId,
  memberType: row.memberType,
  memberId: row.memberId,
  sortKey: sortKeyOf(row),
  exact: row.exact,
  reachedId: row.reachedId,
  version,
});

const byMember = (a: MemberKey, b: MemberKey): number =>
  compareText(a.tallyId, b.tallyId) || compareText(a.memberType, b.memberType) || compareText(a.memberId, b.memberId);

export class ScoreStore {
  private readonly sql;

  constructor(dialect: Dialect) {
    this.sql = leaderboardStatements[dialect];
  }

  /** Locks the live tallies among these until the end of the transaction, and returns each with its next version. */
  async lockLive(tx: Transaction, tallyIds: readonly string[]): Promise<Map<string, LockedTally>> {
    const rows = await tx.$queryRawUnsafe<unknown[]>(this.sql.lockLive, JSON.stringify(tallyIds));
    return new Map(rows.map((row) => Locked.parse(row)).map(({ id, ...locked }) => [id, locked]));
  }

  async tally(client: DatabaseClient, id: string): Promise<Tally | null> {
    return (await this.tallies(client, [id]))[0] ?? null;
  }

  async tallies(client: DatabaseClient, ids: readonly string[]): Promise<Tally[]> {
    const rows = await client.$queryRawUnsafe<unknown[]>(this.sql.tallies, JSON.stringify(ids));
    return rows.map((row) => Locked.parse(row));
  }

  async scores(client: DatabaseClient, keys: readonly MemberKey[]): Promise<StoredScore[]> {
    if (keys.length === 0) return [];
    const text = scoreKeyRows.text(keys);
    return (await client.$queryRawUnsafe<unknown[]>(this.sql.scores, text)).map((row) => Stored.parse(row));
  }

  /** Returns the scores with the rank of each among the members of its kind. */
  async ranked(client: DatabaseClient, keys: readonly MemberKey[]): Promise<(StoredScore & RankedScore)[]> {
    if (keys.length === 0) return [];
    const rows = await client.$queryRawUnsafe<unknown[]>(this.sql.ranked, scoreKeyRows.text(keys));
    return rows.map((row) => RankedScore.parse(row));
  }

  async shares(client: DatabaseClient, keys: readonly ShareKey[]): Promise<Map<string, Score>> {
    if (keys.length === 0) return new Map();
    const text = shareKeyRows.text(keys);
    const rows = (await client.$queryRawUnsafe<unknown[]>(this.sql.shares, text)).map((row) => Share.parse(row));
    return new Map(rows.map(({ score, exact, reachedId, ...key }) => [shareText(key), { score, exact, reachedId }]));
  }

  /** What a user brought to teams. */
  async sharesOf(client: DatabaseClient, tallyId: string, userId: string): Promise<ShareRow[]> {
    const rows = await client.leaderboardShare.findMany({ where: { tallyId, userId } });
    return rows.map((row) => Share.parse(row));
  }

  async save(tx: Transaction, scores: readonly ScoreRow[], versionOf: (tallyId: string) => number): Promise<void> {
    if (scores.length === 0) return;
    const rows = [...scores].sort(byMember).map((row) => storedScore(row, versionOf(row.tallyId)));
    await tx.$executeRawUnsafe(this.sql.saveScores, scoreRows.text(rows));
  }

  async saveShares(tx: Transaction, shares: readonly ShareRow[]): Promise<void> {
    if (shares.length === 0) return;
    const named = shares.map((row) => ({ row, text: shareText(row) }));
    const sorted = named.sort((a, b) => compareText(a.text, b.text)).map(({ row }) => row);
    await tx.$executeRawUnsafe(this.sql.saveShares, shareRows.text(sorted));
  }

  /**
   * How many members rank before each of the keys, in their order: one pass along the index, however many keys there
   * are.
   */
  async countBefore(
    client: DatabaseClient,
    tallyId: string,
    memberType: MemberType,
    keys: readonly Key[],
  ): Promise<number[]> {
    const order = keys.map((_, index) => index).sort((a, b) => compareKeys(keys[a] ?? first, keys[b] ?? first));
    const spans = order.map((index, place) => {
      const from = keys[order[place - 1] ?? -1] ?? first;
      const to = keys[index] ?? first;
      return { at: place, fromKey: from.sortKey, fromId: from.reachedId, toKey: to.sortKey, toId: to.reachedId };
    });
    const rows = await client.$queryRawUnsafe<unknown[]>(
      ...([this.sql.countBetween, tallyId, memberType, JSON.stringify(spans)] as const),
    );
    const members = new Map(rows.map((row) => Count.parse(row)).map(({ at, members }) => [at, members]));
    const counts = keys.map(() => 0);
    let before = 0;
    order.forEach((index, place) => {
      before += members.get(place) ?? 0;
      counts[index] = before;
    });
    return counts;
  }

  async page(client: DatabaseClient, tallyId: string, memberType: MemberType, offset: number, limit: number) {
    const rows = await client.$queryRawUnsafe<unknown[]>(this.sql.page, tallyId, memberType, limit, offset);
    return rows.map((row) => Stored.parse(row));
  }

  async changedSince(client: DatabaseClient, tallyId: string, version: number, limit: number): Promise<StoredScore[]> {
    const rows = await client.$queryRawUnsafe<unknown[]>(this.sql.changedSince, tallyId, version, limit);
    return rows.map((row) => Stored.parse(row));
  }

  countMembers(client: DatabaseClient, tallyId: string, memberType: MemberType): Promise<number> {
    return client.leaderboardScore.count({ where: { tallyId, memberType } });
  }

  /** Shares in the order of their teams, behind one. */
  async sharesAfter(
    client: DatabaseClient,
    tallyId: string,
    after: Omit<ShareKey, 'tallyId'>,
    limit: number,
  ): Promise<ShareRow[]> {
    const { teamId, userId } = after;
    const rows = await client.leaderboardShare.findMany({
      where: { tallyId, OR: [{ teamId: { gt: teamId } }, { teamId, userId: { gt: userId } }] },
      orderBy: [{ teamId: 'asc' }, { userId: 'asc' }],
      take: limit,
    });
    return rows.map((row) => Share.parse(row));
  }

  /** Members in the order of their ids, behind one; `version` of each as it is now. */
  async membersAfter(client: DatabaseClient, tallyId: string, memberType: MemberType, after: string, limit: number) {
    const rows = await client.leaderboardScore.findMany({
      where: { tallyId, memberType, memberId: { gt: after } },
      orderBy: { memberId: 'asc' },
      take: limit,
    });
    return rows.map((row) => Stored.parse(row));
  }
}
