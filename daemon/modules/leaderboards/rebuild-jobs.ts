/**
 * Carries out rebuilds in short turns, so that none waits behind a board with millions of events. A turn stores
 * everything that it has counted, so the next turn continues there, also after a crash or on another daemon.
 */
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../../src/contract/errors.js';
import type { RebuildChange } from '../../../src/contract/gameplay/leaderboard-rebuilds.js';
import { atMost } from '../../platform/collections/at-most.js';
import type { Database, Transaction } from '../../platform/database/database.js';
import type { Logger } from '../../platform/observability/logger.js';
import { DueWork } from '../../platform/scheduler/due-work.js';
import { Repeat } from '../../platform/scheduler/repeat.js';
import type { Clock } from '../../platform/time/clock.js';
import type { LeaseKind } from '../../platform/turns/leases.js';
import { crashesMax, restAfterCrashMs } from '../../platform/turns/suspect-turns.js';
import type { RankingAnnouncements } from './announcements.js';
import type { BoardDefinition, Count } from './board.js';
import type { BoardStore } from './board-store.js';
import type { TallyComparison, TwoTallies } from './difference.js';
import type { BoardExclusions } from './exclusion-store.js';
import {
  daemonEndedTwice,
  exclusionChange,
  LeaseLost,
  type RebuildJob,
  type RebuildStore,
  tallyOf,
} from './rebuild-store.js';
import { type BoardMember, type Recount, StaleCount } from './recount.js';
import type { ScoreStore } from './score-store.js';

const everyMs = 1_000;
const turnMs = 2_000;
const leaseMs = 30_000;
/** How often in a row something unexpected may go wrong. */
const attemptsMax = 5;
const rebuildsRemembered = 1_000;

interface RebuildNeeds {
  readonly boards: BoardStore;
  readonly recount: Recount;
  readonly difference: TallyComparison;
  readonly scores: ScoreStore;
  readonly store: RebuildStore;
  readonly exclusions: BoardExclusions;
  readonly announcements: RankingAnnouncements;
  readonly now: Clock;
  readonly logger: Logger;
}

type SettledComparison = NonNullable<Awaited<ReturnType<TallyComparison['settle']>>> & {
  /** Events that were counted while counting was locked. */
  readonly last: number;
};

/** Thrown to roll a transaction back; carries what was found in it. null: compare again. */
class LookedOnly extends Error {
  constructor(readonly found: SettledComparison | null) {
    super('only looked');
  }
}

export class RebuildJobs {
  private readonly repeat: Repeat;
  private stopping = false;
  /** Failed turns in a row by rebuild. Another daemon may end a rebuild that failed here. */
  private readonly failures = new LRUCache<string, number>(atMost(rebuildsRemembered));

  constructor(
    private readonly database: Database,
    private readonly needs: RebuildNeeds,
  ) {
    const due = new DueWork(database, needs.now, () => needs.store.nextDue(database.read));
    this.repeat = new Repeat('rebuild-leaderboards', everyMs, () => due.run(() => this.work()), needs.logger);
  }

  async start(): Promise<void> {
    // Only one daemon works on a SQLite file, so the earlier holder of a lease has stopped.
    if (this.database.dialect === 'sqlite') {
      const at = new Date(this.needs.now().getTime() + restAfterCrashMs);
      await this.database.transaction((tx) => this.needs.store.endLeases(tx, at));
    }
    this.repeat.start();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.repeat.stop();
  }

  /** Something was asked for. */
  wake(): void {
    this.repeat.now();
  }

  /** Returns how many rebuilds are set aside. */
  setAsideCount(): Promise<number> {
    return this.needs.store.setAsideCount(this.database.read);
  }

  readonly leases: LeaseKind = {
    table: 'LeaderboardRebuild',
    lengthMs: leaseMs,
    holder: 'daemon',
    shorten: (latest) => this.database.transaction((tx) => this.needs.store.shortenLeases(tx, latest)),
  };

  /** Does everything that is to be done. */
  async work(): Promise<void> {
    while (!this.stopping) {
      const job = await this.database.transaction((tx) =>
        this.needs.store.claim(tx, this.needs.now(), this.leaseEnd()),
      );
      if (job === null) return;
      await this.turn(job);
    }
  }

  private async turn(job: RebuildJob): Promise<void> {
    try {
      await this.carryOn(job);
      this.failures.delete(job.rebuild.id);
    } catch (error) {
      if (error instanceof LeaseLost) return;
      await this.failed(job, error).catch((lost: unknown) => {
        if (!(lost instanceof LeaseLost)) throw lost;
      });
    }
  }

  private async carryOn(job: RebuildJob): Promise<void> {
    if (job.crashes >= crashesMax) return this.fail(job, daemonEndedTwice);
    const count = await this.countOf(job);
    if (count === null) return this.fail(job, 'leaderboard_rebuild_closed');
    const isDone = await this.catchUp(job, count);
    if (!isDone) return this.database.transaction((tx) => this.needs.store.release(tx, job));
    if (job.work === 'counting') await this.show(job, count);
    else await this.replace(job, count);
  }

  /** Counts until the turn is over; false: there is more. `each` is called with the members that were counted. */
  private catchUp(job: RebuildJob, count: Count, each: (members: readonly BoardMember[]) => void = () => {}) {
    const end = performance.now() + turnMs;
    const isOver = () => this.stopping || performance.now() > end;
    return this.needs.recount.catchUp(count, isOver, async (tx, step) => {
      each(step.members);
      await this.needs.store.renewLease(tx, job, this.leaseEnd(), step);
    });
  }

  /** null: the board, its period or its live tally is not there any more. */
  private async countOf(job: RebuildJob): Promise<Count | null> {
    const { leaderboardId, periodId } = job.rebuild;
    const { read } = this.database;
    const definition = await this.needs.boards.definition(read, job.projectId, leaderboardId);
    const period = definition === null ? null : await this.needs.boards.findPeriod(read, leaderboardId, periodId);
    if (definition === null || period === null) return null;
    const change = exclusionChange(job);
    const users = new Set([...definition.excluded, ...change.excluded]);
    for (const user of change.readmitted) users.delete(user);
    return { definition, period, tallyId: tallyOf(job), excluded: users };
  }

  /**
   * Stores the difference. It is exact although scores keep changing: members whose score has changed are compared
   * again while counting is locked.
   */
  private async show(job: RebuildJob, count: Count): Promise<void> {
    const { changed, changes, last } = await this.compare(job, count, async (_, found) => {
      throw new LookedOnly(found);
    });
    await this.database.transaction(async (tx) => {
      await this.needs.store.keep(tx, count.tallyId);
      await this.needs.store.release(tx, job, {
        status: 'ready',
        progress: 1,
        events: { increment: last }, // counted again when it is applied
        changed,
        changes,
      });
    });
  }

  /** Replaces the live scores by the counted ones, after counting everything that has arrived by now. */
  private async replace(job: RebuildJob, count: Count): Promise<void> {
    const at = this.needs.now();
    const done =
      job.work === 'undoing'
        ? ({ status: 'undone', undoneAt: at } as const)
        : ({ status: 'applied', appliedAt: at } as const);
    await this.compare(job, count, async (tx, { changes }, version) => {
      await this.needs.store.putInPlace(tx, count, version);
      await this.needs.store.release(tx, job, { ...done, progress: 1 });
      await this.changeExclusions(tx, job, count);
      // Choice: what changes in the archive is not announced, since topics and webhooks tell of the board as it is now.
      if (isOfRunning(count)) await this.announce(tx, count, changes);
    });
  }

  /** Finds the difference, and calls `end` in the transaction that completes it, while counting is locked. */
  private async compare(
    job: RebuildJob,
    count: Count,
    end: (tx: Transaction, found: SettledComparison, version: number) => Promise<void>,
  ): Promise<SettledComparison> {
    const tallies = talliesOf(count);
    for (;;) {
      const looked = await this.needs.difference.findDiffering(tallies, () => this.renewLease(job));
      // Events that came during the comparison are counted before the lock is taken.
      const counted: BoardMember[] = [];
      await this.catchUp(job, count, (members) => counted.push(...members));
      try {
        return await this.database.transaction(async (tx): Promise<SettledComparison> => {
          const version = await this.lock(tx, count);
          const last = await this.needs.recount.tail(tx, count);
          const settled = await this.needs.difference.settle(tx, tallies, looked, [...counted, ...last.members]);
          if (settled === null) throw new LookedOnly(null);
          const found = { ...settled, last: last.events };
          await end(tx, found, version);
          return found;
        });
      } catch (error) {
        if (!(error instanceof LookedOnly)) throw error;
        if (error.found !== null) return error.found;
      }
    }
  }

  /** Announces users whom the rebuild of an earlier period takes off the one that runs. */
  private changeExclusions(tx: Transaction, job: RebuildJob, count: Count): Promise<void> {
    const change = exclusionChange(job);
    const members = change.excluded.map((memberId) => ({ memberType: 'user' as const, memberId }));
    const definition = running(count);
    return this.needs.announcements.around(tx, definition, members, () =>
      this.needs.exclusions.change(tx, definition, change),
    );
  }

  private announce(tx: Transaction, { definition }: Count, changes: readonly RebuildChange[]): Promise<void> {
    const ranks = changes.map(({ before, after, ...member }) => ({
      before: { ...member, ...before },
      after: { ...member, ...after },
    }));
    return this.needs.announcements.append(tx, definition, ranks);
  }

  /**
   * Locks the revision of the project and the period, so that nobody counts into it, and returns the version that its tally
   * had. Throws StaleCount where the tally was replaced.
   */
  private async lock(tx: Transaction, { period: { tallyId }, definition }: Count): Promise<number> {
    await this.needs.boards.bump(tx, definition.board.projectId);
    const locked = (await this.needs.scores.lockLive(tx, [tallyId])).get(tallyId);
    if (locked === undefined) throw new StaleCount();
    return locked.version - 1;
  }

  /**
   * Work that cannot continue starts again, except a difference that an operator has already seen: another one must not
   * be applied in its place.
   */
  private async failed(job: RebuildJob, error: unknown): Promise<void> {
    const { id } = job.rebuild;
    if (error instanceof DomainError) return this.fail(job, error.code);
    if (error instanceof StaleCount) {
      if (job.work === 'applying') return this.fail(job, 'leaderboard_rebuild_closed');
      return this.beginAnew(job);
    }
    const attempts = (this.failures.get(id) ?? 0) + 1;
    this.needs.logger.error({ err: error, rebuild: id, attempts }, 'a leaderboard could not be rebuilt');
    this.failures.set(id, attempts);
    if (attempts < attemptsMax) return this.database.transaction((tx) => this.needs.store.release(tx, job));
    this.failures.delete(id);
    return this.fail(job, 'internal');
  }

  private fail(job: RebuildJob, failure: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      await this.needs.store.discard(tx, tallyOf(job));
      const back = { status: 'applied', undoId: null, failure, progress: 1 } as const;
      await this.needs.store.release(tx, job, job.work === 'undoing' ? back : { status: 'failed', failure });
    });
  }

  private async beginAnew(job: RebuildJob): Promise<void> {
    const count = await this.countOf(job);
    if (count === null) return this.fail(job, 'leaderboard_rebuild_closed');
    const { definition, period } = count;
    const begun = await this.database.transaction(async (tx) => {
      if (!(await this.needs.recount.isComplete(tx, definition, period))) return false;
      await this.needs.store.beginAnew(tx, job, await this.needs.recount.open(tx, definition, period));
      return true;
    });
    if (!begun) await this.fail(job, 'leaderboard_events_gone');
  }

  private renewLease(job: RebuildJob): Promise<void> {
    return this.database.transaction((tx) => this.needs.store.renewLease(tx, job, this.leaseEnd()));
  }

  private leaseEnd = (): Date => new Date(this.needs.now().getTime() + leaseMs);
}

const isOfRunning = ({ definition, period }: Count): boolean => period.id === definition.period.id;

/** The board with the period that runs, which the count has just replaced where it is of that one. */
const running = (count: Count): BoardDefinition => {
  const { definition, tallyId } = count;
  return isOfRunning(count) ? { ...definition, period: { ...definition.period, tallyId } } : definition;
};

const talliesOf = ({ definition, period, tallyId }: Count): TwoTallies => ({
  liveId: period.tallyId,
  rebuiltId: tallyId,
  projectId: definition.board.projectId,
  sortOrder: definition.board.sortOrder,
});
