/**
 * Announces what a change other than a game event makes of the ranking that runs: from the ranks before and after it, as
 * readers see them. People who are left out of rankings are left out here too.
 */
import { MemberType } from '../../../src/contract/gameplay/leaderboards.js';
import type { Transaction } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { NewEvent } from '../../platform/events/logged.js';
import type { MovingPerson } from '../../platform/moving-person.js';
import type { PlayerRows } from '../game-events/model/player.js';
import type { BoardDefinition } from './board.js';
import { type MemberRank, placeless } from './board-views.js';
import { placeIn } from './rank-changes.js';
import { announcedMax, rankingEvent } from './ranking-events.js';
import type { BoardMember } from './recount.js';
import { hiddenKeys, type RestrictedUsers } from './restricted-members.js';
import { type ScoreStore, type StoredScore, scoreOfKey } from './score-store.js';
import type { TallyStore } from './tally-store.js';

export interface RankingChange {
  readonly before: MemberRank;
  readonly after: MemberRank;
}

type MovedUser = Pick<MovingPerson, 'from' | 'to'>;

interface RankingAnnouncementNeeds {
  readonly log: Pick<EventLog, 'append'>;
  readonly scores: ScoreStore;
  readonly tallies: Pick<TallyStore, 'lock'>;
  readonly infos: Pick<PlayerRows, 'infosOf'>;
  readonly restrictions: RestrictedUsers;
}

export class RankingAnnouncements {
  constructor(private readonly needs: RankingAnnouncementNeeds) {}

  /**
   * Makes a change of the period that runs, and announces what it changes for these members.
   *
   * @param moved a user whom the change renames, ahead of the sanctions that hide them
   */
  async around<T>(
    tx: Transaction,
    definition: BoardDefinition,
    members: readonly BoardMember[],
    change: () => Promise<T>,
    moved: MovedUser | null = null,
  ): Promise<T> {
    await this.needs.tallies.lock(tx, definition.period.tallyId); // nobody scores in between
    const before = await this.ranksOf(tx, definition, members, null);
    const result = await change();
    const after = await this.ranksOf(tx, definition, members, moved);
    const changes = before.map((one, index) => ({ before: one, after: after[index] ?? one }));
    await this.append(tx, definition, changes);
    return result;
  }

  /** Announces changes whose ranks are known already. */
  async append(tx: Transaction, definition: BoardDefinition, changes: readonly RankingChange[]): Promise<void> {
    await this.needs.log.append(tx, ...(await this.events(tx, definition, changes)));
  }

  /** Returns events for the best members, who leave the board: a period ends, or the board is deleted. */
  async gone(tx: Transaction, definition: BoardDefinition): Promise<NewEvent[]> {
    const best = await this.best(tx, definition);
    return this.events(
      tx,
      definition,
      best.map((before) => ({ before, after: placeless(before.memberType, before.memberId) })),
    );
  }

  /** Returns events for the best members of a board that is there again. */
  async back(tx: Transaction, definition: BoardDefinition): Promise<NewEvent[]> {
    const best = await this.best(tx, definition);
    return this.events(
      tx,
      definition,
      best.map((after) => ({ before: placeless(after.memberType, after.memberId), after })),
    );
  }

  /** The user whom readers see behind this one; null: nobody. */
  async behind(tx: Transaction, definition: BoardDefinition, userId: string): Promise<BoardMember | null> {
    const { tallyId } = definition.period;
    const [row] = await this.needs.scores.scores(tx, [{ tallyId, memberType: 'user', memberId: userId }]);
    if (row === undefined) return null;
    const [before = 0] = await this.needs.scores.countBefore(tx, tallyId, 'user', [row]);
    const hidden = await this.hiddenOn(tx, definition, 'user');
    const rows = await this.needs.scores.page(tx, tallyId, 'user', before + 1, hidden.size + 1);
    const next = rows.find(({ memberId }) => !hidden.has(memberId));
    return next === undefined ? null : { memberType: 'user', memberId: next.memberId };
  }

  private async best(tx: Transaction, definition: BoardDefinition): Promise<MemberRank[]> {
    const { board, period } = definition;
    const places: MemberRank[] = [];
    for (const memberType of MemberType.options) {
      const hidden = await this.hiddenOn(tx, definition, memberType);
      const rows = await this.needs.scores.page(tx, period.tallyId, memberType, 0, announcedMax + hidden.size);
      const seen = rows.filter(({ memberId }) => !hidden.has(memberId)).slice(0, announcedMax);
      for (const [index, { memberId, sortKey }] of seen.entries())
        places.push({ memberType, memberId, rank: index + 1, score: scoreOfKey(sortKey, board.sortOrder) });
    }
    return places;
  }

  /** Returns the ranks that readers see, in the order of the members. */
  private async ranksOf(
    tx: Transaction,
    definition: BoardDefinition,
    members: readonly BoardMember[],
    moved: MovedUser | null,
  ): Promise<MemberRank[]> {
    const { board, period } = definition;
    const { tallyId } = period;
    const ranks = new Map<string, MemberRank>();
    for (const memberType of MemberType.options) {
      const found = await this.hiddenOn(tx, definition, memberType);
      const hidden = moved !== null && found.has(moved.from) ? new Set([...found, moved.to]) : found;
      const keys = members
        .filter((member) => member.memberType === memberType && !hidden.has(member.memberId))
        .map(({ memberId }) => ({ tallyId, memberType, memberId }));
      const rows: StoredScore[] = await this.needs.scores.scores(tx, keys);
      if (rows.length === 0) continue;
      const before = await this.needs.scores.countBefore(tx, tallyId, memberType, rows);
      const hiddenScores = await hiddenKeys(this.needs.scores, tx, { tallyId, restricted: hidden });
      for (const [index, row] of rows.entries()) {
        const rank = (before[index] ?? 0) - placeIn(hiddenScores, row) + 1;
        const { memberId, sortKey } = row;
        ranks.set(`${memberType} ${memberId}`, {
          memberType,
          memberId,
          rank,
          score: scoreOfKey(sortKey, board.sortOrder),
        });
      }
    }
    return members.map(
      ({ memberType, memberId }) => ranks.get(`${memberType} ${memberId}`) ?? placeless(memberType, memberId),
    );
  }

  private async hiddenOn(
    tx: Transaction,
    { board }: BoardDefinition,
    memberType: MemberType,
  ): Promise<ReadonlySet<string>> {
    return memberType === 'team' ? new Set() : this.needs.restrictions.restrictedUsersIn(tx, board.projectId);
  }

  private async events(
    tx: Transaction,
    definition: BoardDefinition,
    changes: readonly RankingChange[],
  ): Promise<NewEvent[]> {
    const changed = changes.filter(({ before, after }) => before.rank !== after.rank || before.score !== after.score);
    const users = changed.filter(({ after }) => after.memberType === 'user').map(({ after }) => after.memberId);
    const infos = await this.needs.infos.infosOf(tx, definition.board.projectId, users);
    return changed.map(({ before, after }) => rankingEvent(definition, before, after, infos));
  }
}
