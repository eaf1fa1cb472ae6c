/** Actions of operators on leaderboards: configure, reset, remove a member. */

import { DomainError } from '../../../src/contract/errors.js';
import type { ExclusionRequest } from '../../../src/contract/gameplay/leaderboard-exclusions.js';
import { excludedUsersMax } from '../../../src/contract/gameplay/leaderboard-rebuilds.js';
import {
  type CreateLeaderboardRequest,
  type Leaderboard,
  type LeaderboardList,
  type LeaderboardPeriod,
  leaderboardsPerProjectMax,
  type MemberType,
  type UpdateLeaderboardRequest,
} from '../../../src/contract/gameplay/leaderboards.js';
import { type LocalisedText, type NamedPageQuery, textOf } from '../../../src/contract/gameplay/localised-text.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { Clock } from '../../platform/time/clock.js';
import type { DeletionStore } from '../game-events/deletion-store.js';
import { utc } from '../game-events/model/changed.js';
import { namedPage } from '../game-events/model/localised.js';
import type { RankingAnnouncements } from './announcements.js';
import { type BoardDefinition, boardProblems, endAfterChange, endOfPeriod } from './board.js';
import type { BoardPeriods } from './board-periods.js';
import type { BoardStore } from './board-store.js';
import { periodView } from './board-views.js';
import type { BoardExclusions } from './exclusion-store.js';
import type { MemberRemoval } from './removal-store.js';

/** A request whose event was judged already. */
type NewBoard = Omit<CreateLeaderboardRequest, 'eventName'> & Pick<Leaderboard, 'eventName'>;

interface BoardServiceNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly store: BoardStore;
  readonly deletions: DeletionStore;
  readonly periods: BoardPeriods;
  readonly removal: MemberRemoval;
  readonly exclusions: BoardExclusions;
  readonly announcements: RankingAnnouncements;
  readonly now: Clock;
}

export class BoardService {
  constructor(private readonly needs: BoardServiceNeeds) {}

  async list(projectId: string, query: NamedPageQuery): Promise<LeaderboardList> {
    const { rows, info } = await namedPage(query, {
      page: (page) => this.needs.store.page(this.needs.database.read, projectId, page),
      count: () => this.needs.store.count(this.needs.database.read, projectId),
      most: leaderboardsPerProjectMax,
    });
    return { leaderboards: rows, ...info };
  }

  /** Throws validation_failed, leaderboard_limit_reached. */
  create(projectId: string, request: CreateLeaderboardRequest): Promise<Leaderboard> {
    return this.change(projectId, (tx) => this.createIn(tx, projectId, request));
  }

  /** In the caller's transaction, which has moved the project's revision already. */
  async createIn(tx: Transaction, projectId: string, request: NewBoard): Promise<Leaderboard> {
    const now = this.needs.now();
    const board: Leaderboard = {
      ...request,
      id: uuidv7(),
      projectId,
      countProperty: request.countProperty ?? null,
      startDate: utc(request.startDate),
      endDate: utc(request.endDate),
      resetPeriod: request.resetPeriod ?? null,
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
    };
    check(board);
    if ((await this.needs.store.count(tx, projectId)) >= leaderboardsPerProjectMax) {
      throw new DomainError('leaderboard_limit_reached');
    }
    await this.needs.store.create(tx, board, { startsAt: now, endsAt: endOfPeriod(board, now) });
    return board;
  }

  /** Absent means "leave it", null means "clear it". Another reset period begins to hold in the period that runs. */
  update(projectId: string, id: string, request: UpdateLeaderboardRequest): Promise<Leaderboard> {
    return this.change(projectId, (tx) => this.updateIn(tx, projectId, id, request));
  }

  /** In the caller's transaction, which has moved the project's revision already. */
  async updateIn(
    tx: Transaction,
    projectId: string,
    id: string,
    request: UpdateLeaderboardRequest,
  ): Promise<Leaderboard> {
    const now = this.needs.now();
    const { board: before, period } = await this.running(tx, projectId, id, now);
    const pick = <T>(asked: T | null | undefined, stored: T | null): T | null => (asked === undefined ? stored : asked);
    const board: Leaderboard = {
      ...before,
      name: request.name ?? (before.name satisfies LocalisedText),
      metadataConditions: request.metadataConditions ?? before.metadataConditions,
      countProperty: pick(request.countProperty, before.countProperty),
      startDate: utc(pick(request.startDate, before.startDate)),
      endDate: utc(pick(request.endDate, before.endDate)),
      resetPeriod: pick(request.resetPeriod, before.resetPeriod),
      lateMinutes: request.lateMinutes ?? before.lateMinutes,
      lateEvents: request.lateEvents ?? before.lateEvents,
      updatedAt: now.toISOString(),
    };
    check(board);
    await this.needs.store.update(tx, board, endAfterChange(period, board, now));
    return board;
  }

  delete(projectId: string, id: string): Promise<void> {
    return this.change(projectId, async (tx) => {
      const { store, deletions } = this.needs;
      const definition = await store.definition(tx, projectId, id);
      if (definition === null) throw new DomainError('leaderboard_not_found');
      const deleted = { kind: 'leaderboard', id, name: textOf(definition.board.name) } as const;
      await this.hideIn(tx, projectId, [id], await deletions.record(tx, projectId, [deleted]));
    });
  }

  /** Hides boards under a deletion, and announces that their members are on none. In the caller's transaction, as above. */
  async hideIn(tx: Transaction, projectId: string, ids: readonly string[], deletionId: string): Promise<void> {
    for (const id of ids) {
      const definition = await this.needs.store.definition(tx, projectId, id);
      if (definition !== null)
        await this.needs.log.append(tx, ...(await this.needs.announcements.gone(tx, definition)));
    }
    await this.needs.store.hide(tx, ids, deletionId);
  }

  reset(projectId: string, id: string): Promise<LeaderboardPeriod> {
    return this.change(projectId, async (tx) => {
      const now = this.needs.now();
      const definition = await this.running(tx, projectId, id, now);
      const { period, announced } = await this.needs.periods.cut(tx, definition, this.needs.now);
      if (period === null) throw new DomainError('leaderboard_not_found');
      await this.needs.log.append(tx, ...announced);
      return periodView(period, period, definition);
    });
  }

  /** Throws leaderboard_member_not_found. */
  removeMember(projectId: string, id: string, memberType: MemberType, memberId: string): Promise<void> {
    return this.needs.database.transaction(async (tx) => {
      const now = this.needs.now();
      const definition = await this.running(tx, projectId, id, now);
      const { announcements, removal } = this.needs;
      const member = { memberType, memberId };
      const wasThere = await announcements.around(tx, definition, [member], () =>
        removal.remove(tx, definition, member),
      );
      if (!wasThere) throw new DomainError('leaderboard_member_not_found');
    });
  }

  /** Returns the boards that the user is off from now on and was not before. Throws leaderboard_not_found, validation_failed. */
  exclude(projectId: string, { userId, leaderboardId }: ExclusionRequest): Promise<string[]> {
    return this.onBoards(projectId, leaderboardId, async (tx, definition) => {
      if (definition.excluded.has(userId)) return false;
      if (definition.excluded.size >= excludedUsersMax) {
        const details = [{ path: 'body.userId', message: `a board can exclude at most ${excludedUsersMax} users` }];
        throw new DomainError('validation_failed', { details });
      }
      const { announcements, exclusions } = this.needs;
      await announcements.around(tx, definition, [{ memberType: 'user', memberId: userId }], () =>
        exclusions.decide(tx, definition, userId, true),
      );
      return true;
    });
  }

  /** Returns the boards on which the user counts from now on and did not before. Throws leaderboard_not_found. */
  include(projectId: string, { userId, leaderboardId }: ExclusionRequest): Promise<string[]> {
    return this.onBoards(projectId, leaderboardId, async (tx, definition) => {
      if (!definition.excluded.has(userId)) return false;
      await this.needs.exclusions.decide(tx, definition, userId, false);
      return true;
    });
  }

  /** Changes one board or all of the project, together; returns the ids of those that `change` changed. */
  private onBoards(
    projectId: string,
    leaderboardId: string | undefined,
    change: (tx: Transaction, definition: BoardDefinition) => Promise<boolean>,
  ): Promise<string[]> {
    return this.change(projectId, async (tx) => {
      const { store, now } = this.needs;
      if (leaderboardId === undefined) await store.lockAll(tx, projectId);
      const ids = leaderboardId === undefined ? (await store.all(tx, projectId)).map(({ id }) => id) : [leaderboardId];
      const changed: string[] = [];
      for (const id of ids) if (await change(tx, await this.running(tx, projectId, id, now()))) changed.push(id);
      return changed;
    });
  }

  /** Other changes of the project's configuration wait for its end: a season is compared with all of it. */
  private change<T>(projectId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.needs.database.transaction(async (tx) => {
      await this.needs.store.bump(tx, projectId);
      return work(tx);
    });
  }

  /** The board as it is in this transaction, its newest period being the one that runs. Throws leaderboard_not_found. */
  private async running(tx: Transaction, projectId: string, id: string, now: Date): Promise<BoardDefinition> {
    const definition = await this.needs.store.definition(tx, projectId, id);
    if (definition === null) throw new DomainError('leaderboard_not_found');
    const { period, announced } = await this.needs.periods.running(tx, definition, now);
    if (period === null) throw new DomainError('leaderboard_not_found');
    await this.needs.log.append(tx, ...announced);
    return { ...definition, period };
  }
}

const check = (board: Leaderboard): void => {
  const details = boardProblems(board, 'body');
  if (details.length > 0) throw new DomainError('validation_failed', { details });
};
