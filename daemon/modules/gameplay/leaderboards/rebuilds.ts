/**
 * Rebuilding a board: counted again beside the live scores, shown, then put in their place with what has come since. An
 * undo counts again with the users who counted before. One at a time a daemon, since each reads every event of a period.
 */
import type { PageQuery } from '../../../../src/contract/common.js';
import { DomainError } from '../../../../src/contract/errors.js';
import {
  excludedUsersMax,
  type LeaderboardRebuild,
  type LeaderboardRebuildList,
  type RebuildChange,
  type RebuildLeaderboardRequest,
} from '../../../../src/contract/gameplay/leaderboards.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { EventLog, NewEvent } from '../../../platform/events/log.js';
import type { BoardDefinition, BoardPeriod } from './board.js';
import type { InfoLookup } from './board-periods.js';
import type { Difference } from './difference.js';
import { rankingEvent } from './ranking-events.js';
import type { Rankings } from './rankings.js';
import type { RebuildStore } from './rebuild-store.js';
import type { Count, Recount } from './recount-store.js';
import type { ScoreStore } from './score-store.js';

type Found = Awaited<ReturnType<Difference['among']>>;

/** Thrown to leave a transaction without its effects; carries what was found out in it. */
class LookedOnly extends Error {
  constructor(readonly found: Found) {
    super('only looked');
  }
}

export class Rebuilds {
  private running = false;

  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly rankings: Rankings,
    private readonly recount: Recount,
    private readonly difference: Difference,
    private readonly scores: ScoreStore,
    private readonly store: RebuildStore,
    private readonly infos: InfoLookup,
    private readonly now: Clock,
  ) {}

  /** Throws leaderboard_events_gone, leaderboard_rebuild_running, validation_failed. */
  async make(projectId: string, id: string, request: RebuildLeaderboardRequest): Promise<LeaderboardRebuild> {
    const definition = await this.rankings.find(projectId, id);
    const period = await this.rankings.period(definition, request.periodId);
    const excluded = new Set([...definition.excluded, ...request.without]);
    for (const user of request.readmit) excluded.delete(user);
    if (excluded.size > excludedUsersMax) {
      const details = [{ path: 'body.without', message: `a board leaves out at most ${excludedUsersMax} users` }];
      throw new DomainError('validation_failed', { details });
    }
    return this.alone(async () => {
      const { count, events } = await this.count(definition, period, excluded);
      const found = { ...(await this.compare(count)), events, periodId: period.id };
      return this.database.transaction((tx) => this.store.insert(tx, count, found, this.now()));
    });
  }

  /** Throws leaderboard_rebuild_closed where it is not ready any more. */
  async apply(projectId: string, id: string, rebuildId: string): Promise<LeaderboardRebuild> {
    const { definition, stored, period } = await this.find(projectId, id, rebuildId);
    if (stored.rebuild.status !== 'ready') throw new DomainError('leaderboard_rebuild_closed');
    const count: Count = { definition, period, tallyId: stored.rebuiltId, excluded: new Set(stored.rebuild.excluded) };
    return this.alone(async () => {
      await this.recount.catchUp(count);
      return this.replace(count, rebuildId, 'ready');
    });
  }

  /** Throws leaderboard_rebuild_closed where it was not applied, or another one has been since. */
  async undo(projectId: string, id: string, rebuildId: string): Promise<LeaderboardRebuild> {
    const { definition, stored, period } = await this.find(projectId, id, rebuildId);
    const isLive = stored.rebuild.status === 'applied' && period.tallyId === stored.rebuiltId;
    if (!isLive) throw new DomainError('leaderboard_rebuild_closed');
    return this.alone(async () => {
      const { count } = await this.count(definition, period, new Set(stored.excludedOld));
      return this.replace(count, rebuildId, 'applied');
    });
  }

  async get(projectId: string, id: string, rebuildId: string): Promise<LeaderboardRebuild> {
    return (await this.find(projectId, id, rebuildId)).stored.rebuild;
  }

  async list(projectId: string, id: string, page: PageQuery): Promise<LeaderboardRebuildList> {
    await this.rankings.find(projectId, id);
    return { ...(await this.store.page(this.database.read, id, page)), ...page };
  }

  private async count(definition: BoardDefinition, period: BoardPeriod, excluded: ReadonlySet<string>) {
    const complete = await this.store.isComplete(this.database.read, { definition, period });
    if (!complete) throw new DomainError('leaderboard_events_gone');
    const count = await this.recount.begin(definition, period, excluded);
    return { count, events: await this.recount.catchUp(count) };
  }

  /** Exact, although scores go on changing: whoever may differ is looked at again while nobody counts. */
  private async compare(count: Count) {
    const tallies = talliesOf(count);
    const suspects = await this.difference.suspects(tallies);
    try {
      return await this.database.transaction(async (tx): Promise<Found> => {
        await this.lock(tx, count.period);
        const counted = await this.recount.tail(tx, count);
        throw new LookedOnly(await this.difference.among(tx, tallies, [...suspects, ...counted]));
      });
    } catch (error) {
      if (error instanceof LookedOnly) return error.found;
      throw error;
    }
  }

  /** Puts what is counted in the place of the live scores, with everything that has come by now. */
  private async replace(count: Count, rebuildId: string, from: 'ready' | 'applied'): Promise<LeaderboardRebuild> {
    const tallies = talliesOf(count);
    const suspects = await this.difference.suspects(tallies);
    return this.database.transaction(async (tx) => {
      if (!(await this.store.move(tx, rebuildId, from, this.now())))
        throw new DomainError('leaderboard_rebuild_closed');
      await this.lock(tx, count.period);
      const counted = await this.recount.tail(tx, count);
      const { changes } = await this.difference.among(tx, tallies, [...suspects, ...counted]);
      await this.store.putInPlace(tx, count);
      await this.log.append(tx, ...(await this.announced(tx, count, changes)));
      const stored = await this.store.find(tx, count.definition.board.id, rebuildId);
      if (stored === null) throw new DomainError('leaderboard_rebuild_not_found');
      return stored.rebuild;
    });
  }

  /** Choice: what changes in the archive is not announced, since topics and webhooks tell of the board as it is now. */
  private async announced(tx: Transaction, count: Count, changes: readonly RebuildChange[]): Promise<NewEvent[]> {
    const { definition, period } = count;
    if (period.id !== definition.period.id) return [];
    const users = changes.filter(({ memberType }) => memberType === 'user').map(({ memberId }) => memberId);
    const infos = await this.infos.infosOf(tx, definition.board.projectId, users);
    return changes.map(({ before, after, ...member }) =>
      rankingEvent(definition, { ...member, ...before }, { ...member, ...after }, infos),
    );
  }

  /** Nobody counts into the period from here on. Throws leaderboard_rebuild_closed when it was rebuilt meanwhile. */
  private async lock(tx: Transaction, { tallyId }: BoardPeriod): Promise<void> {
    if (!(await this.scores.lockLive(tx, [tallyId])).has(tallyId)) throw new DomainError('leaderboard_rebuild_closed');
  }

  private async find(projectId: string, id: string, rebuildId: string) {
    const definition = await this.rankings.find(projectId, id);
    const stored = await this.store.find(this.database.read, id, rebuildId);
    if (stored === null) throw new DomainError('leaderboard_rebuild_not_found');
    return { definition, stored, period: await this.rankings.period(definition, stored.rebuild.periodId) };
  }

  private async alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.running) throw new DomainError('leaderboard_rebuild_running', { retryAfterSeconds: 5 });
    this.running = true;
    try {
      return await work();
    } finally {
      this.running = false;
    }
  }
}

const talliesOf = ({ definition, period, tallyId }: Count) => ({
  liveId: period.tallyId,
  rebuiltId: tallyId,
  sortOrder: definition.board.sortOrder,
});
