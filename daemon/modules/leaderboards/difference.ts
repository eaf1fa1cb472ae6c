/** The difference between a rebuilt tally and the live one. */
import type { RebuildChange } from '../../../src/contract/gameplay/leaderboard-rebuilds.js';
import { MemberType, type SortOrder } from '../../../src/contract/gameplay/leaderboards.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import { Pauses, slicesOf } from '../../platform/database/slices.js';
import { placeIn } from './rank-changes.js';
import type { BoardMember } from './recount.js';
import { hiddenKeys, type RestrictedUsers } from './restricted-members.js';
import { type ScoreStore, type StoredScore, scoreOfKey } from './score-store.js';

export interface TwoTallies {
  readonly liveId: string;
  readonly rebuiltId: string;
  readonly projectId: string;
  readonly sortOrder: SortOrder;
}

/** A tally, and the users who are left out of its ranks. */
interface RankedTally extends Pick<TwoTallies, 'sortOrder'> {
  readonly tallyId: string;
  readonly restricted: ReadonlySet<string>;
}

/** A member who differs, as last looked at. */
interface Suspect {
  readonly member: BoardMember;
  readonly old: StoredScore | null;
  readonly fresh: StoredScore | null;
}

/** Found while scores go on changing. */
interface Comparison {
  /** The live tally when the comparison began; `epoch` changes when members are taken off. */
  readonly version: number;
  readonly epoch: number;
  /** All members that differ. A changed rule concerns all members of a board, so only the id of each is kept. */
  readonly differing: ReadonlySet<string>;
  /** Best-ranked differing members of each kind. */
  readonly leading: Readonly<Record<MemberType, readonly Suspect[]>>;
}

/** How many members of each kind are shown; the total is always given. */
const changesShown = 1_000;
/** How many leading members of each kind are kept: some may not differ any more in the end. */
const leadingMax = 5_000;
const rowsAtOnce = 2_000;
/** How many members may score during the comparison; with more, the comparison starts again. */
const movedMax = 100_000;
const nobody = { score: 0, rank: -1 };
const textOf = ({ memberType, memberId }: BoardMember): string => `${memberType} ${memberId}`;

export class TallyComparison {
  constructor(
    private readonly database: Database,
    private readonly scores: ScoreStore,
    private readonly restrictions: RestrictedUsers,
  ) {}

  /**
   * Finds the members that may differ, a part at a time, while scores keep changing. `each` is called between parts.
   */
  async findDiffering(tallies: TwoTallies, each: () => Promise<void>): Promise<Comparison> {
    await each();
    const live = await this.scores.tally(this.database.read, tallies.liveId);
    const differing = new Set<string>();
    const leading: Record<MemberType, Suspect[]> = { user: [], team: [] };
    for (const memberType of MemberType.options)
      for await (const some of this.suspects(tallies, memberType, each)) {
        const fresh = some.filter(({ member }) => !differing.has(textOf(member)));
        for (const { member } of fresh) differing.add(textOf(member));
        if (fresh.length > 0) leading[memberType] = firstOf([...leading[memberType], ...fresh], leadingMax);
      }
    return { version: live?.version ?? 0, epoch: live?.epoch ?? 0, differing, leading };
  }

  /**
   * Finds the members that do differ, in a transaction in which neither tally changes. To keep it short, only members
   * whose score has changed since the comparison, and those `counted` since, are read again. null: compare again,
   * because members were taken off or too many scores have changed.
   */
  async settle(tx: Transaction, tallies: TwoTallies, looked: Comparison, counted: readonly BoardMember[]) {
    const live = await this.scores.tally(tx, tallies.liveId);
    if (live?.epoch !== looked.epoch) return null;
    const moved = await this.scores.changedSince(tx, tallies.liveId, looked.version, movedMax + 1);
    if (moved.length > movedMax) return null;
    const again = new Map([...counted, ...moved].map((member) => [textOf(member), member]));
    const differ = await this.among(tx, tallies, [...again.values()]);
    let unmoved = looked.differing.size;
    for (const text of again.keys()) if (looked.differing.has(text)) unmoved -= 1;
    const changes: RebuildChange[] = [];
    for (const memberType of MemberType.options) {
      const restricted =
        memberType === 'user' ? await this.restrictions.restrictedUsersIn(tx, tallies.projectId) : new Set<string>();
      const suspects = looked.leading[memberType].filter(({ member }) => !again.has(textOf(member)));
      const own = differ.filter(({ member }) => member.memberType === memberType);
      const shown = [...suspects, ...own].filter(({ member }) => !restricted.has(member.memberId));
      changes.push(...(await this.placed(tx, { ...tallies, restricted }, firstOf(shown, changesShown))));
    }
    return { changed: unmoved + differ.length, changes };
  }

  /** Members of a kind that differ: first those of the live tally, then those that it lacks. */
  private async *suspects({ liveId, rebuiltId }: TwoTallies, memberType: MemberType, each: () => Promise<void>) {
    const { read } = this.database;
    const pauses = new Pauses();
    for (const [from, to] of [
      [liveId, rebuiltId],
      [rebuiltId, liveId],
    ] as const) {
      for (let after = ''; ; ) {
        const rows = await this.scores.membersAfter(read, from, memberType, after, rowsAtOnce);
        const keys = rows.map((row) => ({ ...row, tallyId: to }));
        const others = byMember(await this.scores.scores(read, keys));
        yield rows.flatMap((row): Suspect[] => {
          const other = others.get(row.memberId) ?? null;
          if (other?.sortKey === row.sortKey) return [];
          const [old, fresh] = from === liveId ? [row, other] : [other, row];
          return [{ member: { memberType, memberId: row.memberId }, old, fresh }];
        });
        after = rows.at(-1)?.memberId ?? after;
        if (rows.length < rowsAtOnce) break;
        await each();
        await pauses.next();
      }
    }
  }

  private async among(tx: Transaction, tallies: TwoTallies, members: readonly BoardMember[]): Promise<Suspect[]> {
    const changed: Suspect[] = [];
    for (const memberType of MemberType.options) {
      for (const some of slicesOf(members.filter((one) => one.memberType === memberType))) {
        const keysIn = (tallyId: string) => some.map(({ memberId }) => ({ tallyId, memberType, memberId }));
        const live = byMember(await this.scores.scores(tx, keysIn(tallies.liveId)));
        const rebuilt = byMember(await this.scores.scores(tx, keysIn(tallies.rebuiltId)));
        for (const member of some) {
          const [old, fresh] = [live.get(member.memberId) ?? null, rebuilt.get(member.memberId) ?? null];
          if (old?.sortKey !== fresh?.sortKey) changed.push({ member, old, fresh });
        }
      }
    }
    return changed;
  }

  /** With their ranks among those who are shown; all are of one kind. */
  private async placed(
    tx: Transaction,
    { liveId, rebuiltId, sortOrder, restricted }: TwoTallies & Pick<RankedTally, 'restricted'>,
    shown: readonly Suspect[],
  ): Promise<RebuildChange[]> {
    const [olds, freshes] = [shown.map(({ old }) => old), shown.map(({ fresh }) => fresh)];
    const before = await this.places(tx, { tallyId: liveId, sortOrder, restricted }, olds);
    const after = await this.places(tx, { tallyId: rebuiltId, sortOrder, restricted }, freshes);
    return shown.map(({ member }, index) => {
      return { ...member, before: before[index] ?? nobody, after: after[index] ?? nobody };
    });
  }

  private async places(
    tx: Transaction,
    { tallyId, sortOrder, restricted }: RankedTally,
    rows: readonly (StoredScore | null)[],
  ) {
    const present = rows.filter((row) => row !== null);
    const [one] = present;
    const counts = one === undefined ? [] : await this.scores.countBefore(tx, tallyId, one.memberType, present);
    const hidden = await hiddenKeys(this.scores, tx, { tallyId, restricted });
    const ranks = new Map(present.map((row, index) => [row, (counts[index] ?? 0) + 1 - placeIn(hidden, row)]));
    return rows.map((row) =>
      row === null ? nobody : { score: scoreOfKey(row.sortKey, sortOrder), rank: ranks.get(row) ?? -1 },
    );
  }
}

const byMember = (rows: readonly StoredScore[]): Map<string, StoredScore> =>
  new Map(rows.map((row) => [row.memberId, row]));
const bestKey = ({ old, fresh }: Suspect): number =>
  Math.min(old?.sortKey ?? Number.POSITIVE_INFINITY, fresh?.sortKey ?? Number.POSITIVE_INFINITY);
/** Returns the `count` best-ranked suspects. */
const firstOf = (suspects: Suspect[], count: number): Suspect[] =>
  suspects.sort((a, b) => bestKey(a) - bestKey(b)).slice(0, count);
