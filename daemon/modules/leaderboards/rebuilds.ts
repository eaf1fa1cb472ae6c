/**
 * Rebuilds as operators ask for them: counted beside the live scores, shown, applied, undone. A request only stores
 * what is to be done, one work at a time for a board; `rebuild-jobs.ts` does it.
 */
import type { PageQuery } from '../../../src/contract/common.js';
import { DomainError } from '../../../src/contract/errors.js';
import {
  excludedUsersMax,
  type LeaderboardRebuild,
  type LeaderboardRebuildList,
  type RebuildLeaderboardRequest,
  rebuildsPerTenantMax,
} from '../../../src/contract/gameplay/leaderboard-rebuilds.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { Clock } from '../../platform/time/clock.js';
import type { BoardDefinition, BoardPeriod } from './board.js';
import type { BoardStore } from './board-store.js';
import type { Rankings } from './rankings.js';
import type { RebuildStore, StoredRebuild } from './rebuild-store.js';
import type { Recount } from './recount.js';

interface RebuildsNeeds {
  readonly database: Database;
  readonly boards: BoardStore;
  readonly rankings: Rankings;
  readonly recount: Recount;
  readonly store: RebuildStore;
  readonly now: Clock;
  /** There is something to do. */
  readonly asked: () => void;
}

export class Rebuilds {
  constructor(private readonly needs: RebuildsNeeds) {}

  /** Throws leaderboard_events_gone, leaderboard_rebuild_running, rate_limited, validation_failed. */
  async make(projectId: string, id: string, request: RebuildLeaderboardRequest): Promise<LeaderboardRebuild> {
    const known = await this.needs.rankings.find(projectId, id);
    const period = await this.needs.rankings.period(known, request.periodId);
    const { rebuild } = await this.ask(async (tx) => {
      await this.requireToBePossible(tx, known, period);
      const definition = await this.needs.boards.definition(tx, projectId, id);
      if (definition === null) throw new DomainError('leaderboard_not_found');
      const excluded = new Set([...definition.excluded, ...request.without]);
      for (const user of request.readmit) excluded.delete(user);
      if (excluded.size > excludedUsersMax) {
        const details = [{ path: 'body.without', message: `a board can exclude at most ${excludedUsersMax} users` }];
        throw new DomainError('validation_failed', { details });
      }
      const tallyId = await this.needs.recount.open(tx, definition, period);
      return this.needs.store.insert(tx, { definition, period, tallyId, excluded }, this.needs.now());
    });
    return rebuild;
  }

  /** Throws leaderboard_rebuild_closed where it is not ready any more. */
  apply(projectId: string, id: string, rebuildId: string): Promise<LeaderboardRebuild> {
    return this.asking(projectId, id, rebuildId, async (tx, definition, { rebuild }) => {
      if (rebuild.status !== 'ready') throw new DomainError('leaderboard_rebuild_closed');
      await this.requireToBePossible(tx, definition, await this.periodOf(tx, rebuild));
      await this.needs.store.transition(tx, rebuildId, 'ready', {
        status: 'applying',
        progress: 0,
        turnAt: this.needs.now(),
      });
    });
  }

  /** Throws leaderboard_rebuild_closed where it was not applied, or another one was applied later. */
  undo(projectId: string, id: string, rebuildId: string): Promise<LeaderboardRebuild> {
    return this.asking(projectId, id, rebuildId, async (tx, definition, { rebuild, rebuiltId }) => {
      const period = await this.periodOf(tx, rebuild);
      const isLive = rebuild.status === 'applied' && period.tallyId === rebuiltId;
      if (!isLive) throw new DomainError('leaderboard_rebuild_closed');
      await this.requireToBePossible(tx, definition, period);
      const undoId = await this.needs.recount.open(tx, definition, period);
      const begun = { undoId, progress: 0, failure: null, turnAt: this.needs.now() };
      await this.needs.store.transition(tx, rebuildId, 'applied', { ...begun, status: 'undoing' });
    });
  }

  /** Stops what is under way; scores stay as they are. Throws leaderboard_rebuild_closed when nothing is under way. */
  cancel(projectId: string, id: string, rebuildId: string): Promise<LeaderboardRebuild> {
    return this.asking(projectId, id, rebuildId, async (tx, _, { rebuild: { status }, rebuiltId, undoId }) => {
      if (status === 'applying')
        await this.needs.store.transition(tx, rebuildId, status, { status: 'ready', progress: 1 });
      else if (status === 'undoing') {
        await this.needs.store.discard(tx, undoId ?? '');
        await this.needs.store.transition(tx, rebuildId, status, { status: 'applied', undoId: null, progress: 1 });
      } else if (status === 'counting' || status === 'ready') {
        await this.needs.store.discard(tx, rebuiltId);
        await this.needs.store.transition(tx, rebuildId, status, { status: 'cancelled' });
      } else throw new DomainError('leaderboard_rebuild_closed');
    });
  }

  async get(projectId: string, id: string, rebuildId: string): Promise<LeaderboardRebuild> {
    await this.needs.rankings.find(projectId, id);
    const stored = await this.needs.store.find(this.needs.database.read, id, rebuildId);
    if (stored === null) throw new DomainError('leaderboard_rebuild_not_found');
    return stored.rebuild;
  }

  async list(projectId: string, id: string, page: PageQuery): Promise<LeaderboardRebuildList> {
    await this.needs.rankings.find(projectId, id);
    const { limit, offset } = page;
    return { ...(await this.needs.store.page(this.needs.database.read, id, page)), limit, offset };
  }

  /** Changes a rebuild; returns it as it is then. */
  private async asking(
    projectId: string,
    id: string,
    rebuildId: string,
    change: (tx: Transaction, definition: BoardDefinition, stored: StoredRebuild) => Promise<void>,
  ): Promise<LeaderboardRebuild> {
    return this.ask(async (tx) => {
      await this.needs.boards.bump(tx, projectId);
      const definition = await this.needs.boards.definition(tx, projectId, id);
      if (definition === null) throw new DomainError('leaderboard_not_found');
      const stored = await this.needs.store.find(tx, id, rebuildId);
      if (stored === null) throw new DomainError('leaderboard_rebuild_not_found');
      await change(tx, definition, stored);
      return (await this.needs.store.find(tx, id, rebuildId))?.rebuild ?? stored.rebuild;
    });
  }

  private async ask<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const result = await this.needs.database.transaction(work);
    this.needs.asked();
    return result;
  }

  private async periodOf(tx: Transaction, { leaderboardId, periodId }: LeaderboardRebuild): Promise<BoardPeriod> {
    const period = await this.needs.boards.findPeriod(tx, leaderboardId, periodId);
    if (period === null) throw new DomainError('leaderboard_rebuild_closed');
    return period;
  }

  private async requireToBePossible(tx: Transaction, definition: BoardDefinition, period: BoardPeriod): Promise<void> {
    const { ofBoard, ofTenant } = await this.needs.store.inProgress(tx, definition);
    if (ofBoard > 0) throw new DomainError('leaderboard_rebuild_running', { retryAfterSeconds: 5 });
    if (ofTenant >= rebuildsPerTenantMax) throw new DomainError('rate_limited', { retryAfterSeconds: 30 });
    if (!(await this.needs.recount.isComplete(tx, definition, period)))
      throw new DomainError('leaderboard_events_gone');
  }
}
