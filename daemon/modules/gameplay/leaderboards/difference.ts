/** What a rebuilt tally says differently from the one that is live. */
import type { RebuildChange } from '../../../../src/contract/gameplay/leaderboard-rebuilds.js';
import { MemberType, type SortOrder } from '../../../../src/contract/gameplay/leaderboards.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { slicesOf, Turns } from '../../../platform/database/turns.js';
import type { BoardStore } from './board-store.js';
import type { Member } from './recount-store.js';
import { type ScoreStore, type StoredScore, scoreOfKey } from './score-store.js';

export interface TwoTallies {
  readonly liveId: string;
  readonly rebuiltId: string;
  readonly sortOrder: SortOrder;
}

/** A member who differs, as last looked at. */
interface Suspect {
  readonly member: Member;
  readonly old: StoredScore | null;
  readonly fresh: StoredScore | null;
}

/** Found while scores go on changing. */
interface Looked {
  /** What the live tally was when the look began; `epoch` moves when members are taken off. */
  readonly version: number;
  readonly epoch: number;
  readonly suspects: ReadonlyMap<string, Suspect>;
}

/** Members whose change is shown; how many there are in all is always said. */
const changesShown = 1_000;
const rowsAtOnce = 2_000;
/** Members who score while the others are looked at. */
const movedMax = 1_000_000;
const nobody = { score: 0, rank: -1 };
const textOf = ({ memberType, memberId }: Member): string => `${memberType} ${memberId}`;

export class Difference {
  constructor(
    private readonly database: Database,
    private readonly boards: BoardStore,
    private readonly scores: ScoreStore,
  ) {}

  /** Whoever may differ, read a part at a time while scores go on changing. `each` is called after each part. */
  async look({ liveId, rebuiltId }: TwoTallies, each: () => Promise<void>): Promise<Looked> {
    const { read } = this.database;
    const live = await this.boards.tally(read, liveId);
    const suspects = new Map<string, Suspect>();
    const turns = new Turns();
    for (const memberType of MemberType.options) {
      for (const [from, to] of [
        [liveId, rebuiltId],
        [rebuiltId, liveId],
      ] as const) {
        for (let after = ''; ; ) {
          const rows = await this.scores.membersAfter(read, from, memberType, after, rowsAtOnce);
          const keys = rows.map((row) => ({ ...row, tallyId: to }));
          const others = byMember(await this.scores.scores(read, keys));
          for (const row of rows) {
            const other = others.get(row.memberId) ?? null;
            if (other?.sortKey === row.sortKey) continue;
            const member: Member = { memberType, memberId: row.memberId };
            const [old, fresh] = from === liveId ? [row, other] : [other, row];
            suspects.set(textOf(member), { member, old, fresh });
          }
          after = rows.at(-1)?.memberId ?? after;
          if (rows.length < rowsAtOnce) break;
          await each();
          await turns.next();
        }
      }
    }
    return { version: live?.version ?? 0, epoch: live?.epoch ?? 0, suspects };
  }

  /**
   * Those who do differ, in a transaction in which neither tally moves. Only members whose score has moved since the look,
   * and those who were `counted` since, are read again, because everybody else waits meanwhile.
   */
  async settle(tx: Transaction, tallies: TwoTallies, looked: Looked, counted: readonly Member[]) {
    const suspects = new Map(looked.suspects);
    const live = await this.boards.tally(tx, tallies.liveId);
    const moved = await this.scores.changedSince(tx, tallies.liveId, looked.version, movedMax);
    const someLeft = live?.epoch !== looked.epoch;
    const unsure = someLeft ? [...suspects.values()].map(({ member }) => member) : [];
    const again = new Map([...counted, ...moved, ...unsure].map((member) => [textOf(member), member]));
    for (const text of again.keys()) suspects.delete(text);
    const changed = [...suspects.values(), ...(await this.among(tx, tallies, [...again.values()]))];
    return { changed: changed.length, changes: await this.placed(tx, tallies, changed) };
  }

  private async among(tx: Transaction, tallies: TwoTallies, members: readonly Member[]): Promise<Suspect[]> {
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

  /** The first of them, with their ranks. */
  private async placed(tx: Transaction, tallies: TwoTallies, changed: Suspect[]): Promise<RebuildChange[]> {
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
    return changes;
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
const leading = ({ old, fresh }: Suspect): number =>
  Math.min(old?.sortKey ?? Number.POSITIVE_INFINITY, fresh?.sortKey ?? Number.POSITIVE_INFINITY);
