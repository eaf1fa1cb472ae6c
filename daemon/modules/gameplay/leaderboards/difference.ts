/** What a rebuilt tally says differently from the one that is live. */
import { MemberType, type RebuildChange, type SortOrder } from '../../../../src/contract/gameplay/leaderboards.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { slicesOf, Turns } from '../../../platform/database/turns.js';
import type { Member } from './recount-store.js';
import { type ScoreStore, type StoredScore, scoreOfKey } from './score-store.js';

interface TwoTallies {
  readonly liveId: string;
  readonly rebuiltId: string;
  readonly sortOrder: SortOrder;
}

/** Members whose change is shown; how many there are in all is always said. */
const changesShown = 1_000;
const rowsAtOnce = 2_000;
const nobody = { score: 0, rank: -1 };

export class Difference {
  constructor(
    private readonly database: Database,
    private readonly scores: ScoreStore,
  ) {}

  /** Whoever may differ: read a part at a time while scores go on changing, so some of them will not. */
  async suspects({ liveId, rebuiltId }: TwoTallies): Promise<Member[]> {
    const suspects = new Map<string, Member>();
    const turns = new Turns();
    for (const memberType of MemberType.options) {
      for (const [from, to] of [
        [liveId, rebuiltId],
        [rebuiltId, liveId],
      ] as const) {
        for (let after = ''; ; ) {
          const rows = await this.scores.membersAfter(this.database.read, from, memberType, after, rowsAtOnce);
          const others = byMember(
            await this.scores.scores(
              this.database.read,
              rows.map((row) => ({ ...row, tallyId: to })),
            ),
          );
          for (const { memberId, sortKey } of rows)
            if (others.get(memberId)?.sortKey !== sortKey)
              suspects.set(`${memberType} ${memberId}`, { memberType, memberId });
          after = rows.at(-1)?.memberId ?? after;
          if (rows.length < rowsAtOnce) break;
          await turns.next();
        }
      }
    }
    return [...suspects.values()];
  }

  /** Those who do differ, in a transaction in which neither tally moves. */
  async among(tx: Transaction, tallies: TwoTallies, possible: readonly Member[]) {
    const suspects = [...new Map(possible.map((one) => [`${one.memberType} ${one.memberId}`, one])).values()];
    const changed: { member: Member; old: StoredScore | null; fresh: StoredScore | null }[] = [];
    for (const memberType of MemberType.options) {
      for (const some of slicesOf(suspects.filter((one) => one.memberType === memberType))) {
        const keysIn = (tallyId: string) => some.map(({ memberId }) => ({ tallyId, memberType, memberId }));
        const live = byMember(await this.scores.scores(tx, keysIn(tallies.liveId)));
        const rebuilt = byMember(await this.scores.scores(tx, keysIn(tallies.rebuiltId)));
        for (const member of some) {
          const [old, fresh] = [live.get(member.memberId) ?? null, rebuilt.get(member.memberId) ?? null];
          if (old?.sortKey !== fresh?.sortKey) changed.push({ member, old, fresh });
        }
      }
    }
    const inOrder = changed.sort((a, b) => leading(a) - leading(b)).slice(0, changesShown);
    const changes: RebuildChange[] = [];
    for (const memberType of MemberType.options) {
      const own = inOrder.filter(({ member }) => member.memberType === memberType);
      const before = await this.places(
        tx,
        tallies.liveId,
        tallies.sortOrder,
        own.map(({ old }) => old),
      );
      const after = await this.places(
        tx,
        tallies.rebuiltId,
        tallies.sortOrder,
        own.map(({ fresh }) => fresh),
      );
      own.forEach(({ member }, index) => {
        changes.push({ ...member, before: before[index] ?? nobody, after: after[index] ?? nobody });
      });
    }
    return { changed: changed.length, changes };
  }

  private async places(tx: Transaction, tallyId: string, sortOrder: SortOrder, rows: readonly (StoredScore | null)[]) {
    const present = rows.filter((row) => row !== null);
    const [one] = present;
    const counts = one === undefined ? [] : await this.scores.countBefore(tx, tallyId, one.memberType, present);
    const ranks = new Map(present.map((row, index) => [row, (counts[index] ?? 0) + 1]));
    return rows.map((row) =>
      row === null ? nobody : { score: scoreOfKey(row.sortKey, sortOrder), rank: ranks.get(row) ?? -1 },
    );
  }
}

const byMember = (rows: readonly StoredScore[]): Map<string, StoredScore> =>
  new Map(rows.map((row) => [row.memberId, row]));
const leading = ({ old, fresh }: { old: StoredScore | null; fresh: StoredScore | null }): number =>
  Math.min(old?.sortKey ?? Number.POSITIVE_INFINITY, fresh?.sortKey ?? Number.POSITIVE_INFINITY);
