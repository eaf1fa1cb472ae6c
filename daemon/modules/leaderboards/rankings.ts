/** Reading rankings: a page, one member, the neighbours. From memory where the list is loaded, else from the table. */
import { z } from 'zod';
import type { PageQuery } from '../../../src/contract/common.js';
import { DomainError } from '../../../src/contract/errors.js';
import type { LeaderboardPeriodList, MemberType } from '../../../src/contract/gameplay/leaderboards.js';
import { BatchedLookup } from '../../platform/database/batched-lookup.js';
import type { Database } from '../../platform/database/database.js';
import { valuesIn } from '../../platform/database/row-page.js';
import type { EventLog } from '../../platform/events/log.js';
import type { Clock } from '../../platform/time/clock.js';
import type { PlayerRows } from '../game-events/model/player.js';
import { type BoardDefinition, type BoardPeriod, needsPeriod } from './board.js';
import type { BoardDefinitions } from './board-definitions.js';
import type { BoardPeriods } from './board-periods.js';
import type { BoardStore } from './board-store.js';
import { type Infos, type MemberRank, periodView, placeless } from './board-views.js';
import type { RankMemory } from './rank-memory.js';
import type { Placed, RankedList } from './ranked-list.js';
import { fullIndexOf, type RestrictedUsers, shownRankOf } from './restricted-members.js';
import { type RankedScore, type ScoreStore, scoreOfKey, sortKeyOf, type Tally } from './score-store.js';

/** One kind of member in one period of a board. */
interface RankingOf {
  readonly definition: BoardDefinition;
  readonly period: BoardPeriod;
  readonly memberType: MemberType;
}

interface RankingPage {
  readonly places: readonly MemberRank[];
  readonly total: number;
}

interface RankedMember {
  readonly place: MemberRank;
  readonly around: readonly MemberRank[];
}

/** A place among all members, restricted ones too. */
interface FullPlace {
  readonly sortKey: number;
  readonly rank: number;
}

/** A board on which a user has a score in the period that runs now. */
interface RankOfUser {
  readonly definition: BoardDefinition;
  readonly period: BoardPeriod;
  readonly rank: number;
  readonly score: number;
  /** Users on the board. */
  readonly members: number;
}

interface RankingNeeds {
  readonly log: EventLog;
  readonly definitions: BoardDefinitions;
  readonly boards: BoardStore;
  readonly periods: BoardPeriods;
  readonly scores: ScoreStore;
  readonly memory: RankMemory;
  readonly info: Pick<PlayerRows, 'currentInfosOf'>;
  readonly restrictions: RestrictedUsers;
  readonly now: Clock;
}

/** Before every id of an event. */
const lowestId = '00000000-0000-0000-0000-000000000000';

export class Rankings {
  private readonly boards: BoardStore;
  private readonly scores: ScoreStore;
  private readonly tallies: BatchedLookup<Tally>;

  constructor(
    private readonly database: Database,
    private readonly needs: RankingNeeds,
  ) {
    this.boards = needs.boards;
    this.scores = needs.scores;
    this.tallies = new BatchedLookup(async (ids) => {
      const tallies = await needs.scores.tallies(database.read, ids);
      return new Map(tallies.map((tally) => [tally.id, tally]));
    });
  }

  /** Every board of the project, oldest first. */
  async all(projectId: string): Promise<readonly BoardDefinition[]> {
    return (await this.needs.definitions.current(projectId)).boards;
  }

  /** Throws leaderboard_not_found. */
  async find(projectId: string, id: string): Promise<BoardDefinition> {
    const found = (await this.all(projectId)).find(({ board }) => board.id === id);
    if (found === undefined) throw new DomainError('leaderboard_not_found');
    return found;
  }

  /** The period of this id, or the one that runs now. Throws leaderboard_period_not_found. */
  async period(definition: BoardDefinition, id?: string): Promise<BoardPeriod> {
    if (id === undefined) return this.current(definition);
    if (id === definition.period.id) return definition.period;
    const found = await this.boards.findPeriod(this.database.read, definition.board.id, id);
    if (found === null) throw new DomainError('leaderboard_period_not_found');
    return found;
  }

  /** Newest first. Throws leaderboard_not_found. */
  async listPeriods(projectId: string, id: string, page: PageQuery): Promise<LeaderboardPeriodList> {
    const definition = await this.find(projectId, id);
    const current = await this.period(definition);
    const { periods, total } = await this.boards.periods(this.database.read, id, page);
    const { limit, offset } = page;
    return { periods: periods.map((period) => periodView(period, current, definition)), total, limit, offset };
  }

  /**
   * Returns how many places come before a cursor (score and member) or at it. Where the member has left or has another
   * score by now, the list goes on with the members of its former score. Throws validation_failed.
   */
  async countThrough(of: RankingOf, cursor: string): Promise<number> {
    const [score, memberId] = valuesIn(cursor, z.tuple([z.int(), z.string()]));
    const restricted = await this.restrictedIn(of);
    const list = await this.list(of);
    const place = await this.placeOf(of, list, restricted, memberId);
    if (place.rank !== -1 && place.score === score) return place.rank;
    const key = { sortKey: sortKeyOf({ score, sortOrder: of.definition.board.sortOrder }), reachedId: lowestId };
    const { tallyId } = of.period;
    const [before = 0] =
      list === null
        ? await this.scores.countBefore(this.database.read, tallyId, of.memberType, [key])
        : [list.countBefore(key)];
    return shownRankOf(before + 1, await this.hiddenRanks(of, list, restricted)) - 1;
  }

  async page(of: RankingOf, offset: number, limit: number): Promise<RankingPage> {
    const restricted = await this.restrictedIn(of);
    return this.pageOf(of, await this.list(of), restricted, { offset, limit });
  }

  /**
   * The place of a member, and the neighbours on each side with the member between them. Rank -1, score 0 and no
   * neighbours: not on the board.
   *
   * @param neighbours on each side; null: none, and not the member either
   */
  async member(of: RankingOf, memberId: string, neighbours: number | null): Promise<RankedMember> {
    const restricted = await this.restrictedIn(of);
    const list = await this.list(of);
    const place = await this.placeOf(of, list, restricted, memberId);
    if (place.rank === -1 || neighbours === null) return { place, around: [] };
    const offset = Math.max(0, place.rank - 1 - neighbours);
    const { places } = await this.pageOf(of, list, restricted, {
      offset,
      limit: place.rank + neighbours - offset,
    });
    return { place, around: places };
  }

  private async pageOf(
    of: RankingOf,
    list: RankedList | null,
    restricted: ReadonlySet<string>,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<RankingPage> {
    const { tallyId } = of.period;
    const hidden = await this.hiddenRanks(of, list, restricted);
    const from = fullIndexOf(offset, hidden);
    const length = fullIndexOf(offset + limit, hidden) - from;
    const rows =
      list?.page(from, length) ?? (await this.scores.page(this.database.read, tallyId, of.memberType, from, length));
    const members = list?.size ?? (await this.scores.countMembers(this.database.read, tallyId, of.memberType));
    const shown = hidden.length === 0 ? rows : rows.filter(({ memberId }) => !restricted.has(memberId));
    return { places: this.placesOf(of, shown, offset), total: members - hidden.length };
  }

  private async placeOf(
    of: RankingOf,
    list: RankedList | null,
    restricted: ReadonlySet<string>,
    memberId: string,
  ): Promise<MemberRank> {
    const { memberType, definition } = of;
    if (restricted.has(memberId)) return placeless(memberType, memberId);
    const [hidden, found] = [
      await this.hiddenRanks(of, list, restricted),
      list === null ? await this.storedPlace(of, memberId) : listedPlace(list, memberId),
    ];
    if (found === null) return placeless(memberType, memberId);
    const score = scoreOfKey(found.sortKey, definition.board.sortOrder);
    return { memberType, memberId, rank: shownRankOf(found.rank, hidden), score };
  }

  private async storedPlace(
    { period: { tallyId }, memberType }: RankingOf,
    memberId: string,
  ): Promise<FullPlace | null> {
    const [row] = await this.scores.scores(this.database.read, [{ tallyId, memberType, memberId }]);
    if (row === undefined) return null;
    const [before = 0] = await this.scores.countBefore(this.database.read, tallyId, memberType, [row]);
    return { sortKey: row.sortKey, rank: before + 1 };
  }

  /** Users who are left out of this ranking; teams are not restricted. */
  private async restrictedIn({ definition, memberType }: RankingOf): Promise<ReadonlySet<string>> {
    if (memberType === 'team') return new Set();
    return this.needs.restrictions.restrictedUsers(definition.board.projectId);
  }

  /** Returns the ranks of these users in the list of all members, ascending. */
  private async hiddenRanks(
    { period: { tallyId }, memberType }: RankingOf,
    list: RankedList | null,
    restricted: ReadonlySet<string>,
  ): Promise<number[]> {
    if (restricted.size === 0) return [];
    if (list !== null) return [...restricted].flatMap((user) => list.rankOf(user) ?? []).sort((a, b) => a - b);
    const keys = [...restricted].map((memberId) => ({ tallyId, memberType, memberId }));
    const rows = await this.scores.scores(this.database.read, keys);
    const before = await this.scores.countBefore(this.database.read, tallyId, memberType, rows);
    return before.map((members) => members + 1).sort((a, b) => a - b);
  }

  /** On which boards of the project the user is now, oldest first. Boards are looked up together. */
  async ranksOf(projectId: string, userId: string): Promise<RankOfUser[]> {
    const restricted = await this.needs.restrictions.restrictedUsers(projectId);
    if (restricted.has(userId)) return [];
    const running: { definition: BoardDefinition; period: BoardPeriod }[] = [];
    for (const definition of await this.all(projectId))
      running.push({ definition, period: await this.current(definition) });
    const ranked = await this.rankedOf(
      userId,
      running.map(({ period }) => period.tallyId),
    );
    const found: RankOfUser[] = [];
    for (const { definition, period } of running) {
      const score = ranked.get(period.tallyId);
      if (score === undefined) continue;
      const { sortKey, before, members } = score;
      const of = { definition, period, memberType: 'user' as const };
      const hidden = restricted.size === 0 ? [] : await this.hiddenRanks(of, await this.list(of), restricted);
      found.push({
        ...{ definition, period, rank: shownRankOf(before + 1, hidden), members: members - hidden.length },
        score: scoreOfKey(sortKey, definition.board.sortOrder),
      });
    }
    return found;
  }

  /** Returns the user's ranks in the tallies that hold a score of theirs, by tally. */
  private async rankedOf(userId: string, tallyIds: readonly string[]): Promise<Map<string, RankedScore>> {
    const found = new Map<string, RankedScore>();
    const inMemory = new Set<string>();
    for (const tally of await this.scores.tallies(this.database.read, tallyIds)) {
      const list = (await this.needs.memory.current(this.database.read, tally))?.user;
      if (list === undefined) continue;
      inMemory.add(tally.id);
      const [placed, rank] = [list.get(userId), list.rankOf(userId)];
      if (placed !== null && rank !== null)
        found.set(tally.id, { sortKey: placed.sortKey, before: rank - 1, members: list.size });
    }
    const others = tallyIds.filter((id) => !inMemory.has(id));
    const keys = others.map((tallyId) => ({ tallyId, memberType: 'user' as const, memberId: userId }));
    for (const { tallyId, ...score } of await this.scores.ranked(this.database.read, keys)) found.set(tallyId, score);
    return found;
  }

  /** The user info that is shown beside these places. */
  infosOf(projectId: string, places: readonly MemberRank[]): Promise<Infos> {
    const users = places.filter(({ memberType }) => memberType === 'user').map(({ memberId }) => memberId);
    return this.needs.info.currentInfosOf(projectId, users);
  }

  private async current(definition: BoardDefinition): Promise<BoardPeriod> {
    const now = this.needs.now();
    if (!needsPeriod(definition, now)) return definition.period;
    const period = await this.database.transaction(async (tx) => {
      const { period, announced } = await this.needs.periods.running(tx, definition, now);
      await this.needs.log.append(tx, ...announced);
      return period;
    });
    if (period === null) throw new DomainError('leaderboard_not_found');
    return period;
  }

  private async list({ period: { tallyId }, memberType }: RankingOf): Promise<RankedList | null> {
    const tally = (await this.tallies.getAll([tallyId])).get(tallyId);
    const lists = tally === undefined ? null : await this.needs.memory.current(this.database.read, tally);
    return lists?.[memberType] ?? null;
  }

  private placesOf({ definition, memberType }: RankingOf, rows: readonly Placed[], offset: number): MemberRank[] {
    const { sortOrder } = definition.board;
    return rows.map(({ memberId, sortKey }, index) => ({
      memberType,
      memberId,
      rank: offset + index + 1,
      score: scoreOfKey(sortKey, sortOrder),
    }));
  }
}

function listedPlace(list: RankedList, memberId: string): FullPlace | null {
  const [found, rank] = [list.get(memberId), list.rankOf(memberId)];
  return found === null || rank === null ? null : { sortKey: found.sortKey, rank };
}
