/** Rows of rebuilds: what was asked for, which daemon works on it, and how its tally replaces the live one. */

import { z } from 'zod';
import type { PageQuery } from '../../../src/contract/common.js';
import {
  LeaderboardRebuild,
  type RebuildStatus,
  rebuildsKeptMax,
} from '../../../src/contract/gameplay/leaderboard-rebuilds.js';
import { jsonOf, timeOrNull, type WithValues, withJson } from '../../platform/database/column-values.js';
import type { DatabaseClient, Reader, Transaction } from '../../platform/database/database.js';
import { newestFirst } from '../../platform/database/row-page.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import { atOnce } from '../../platform/scheduler/due-work.js';
import type { BoardDefinition, Count } from './board.js';
import type { Projects } from './board-store.js';
import type { CountedStep } from './recount.js';

type RebuildRow = NonNullable<Awaited<ReturnType<Transaction['leaderboardRebuild']['findFirst']>>>;

/** Something is still to be done. */
const underWay = ['counting', 'applying', 'undoing'] as const;
type OpenState = (typeof underWay)[number];

/** Users who do not count from now on, and users who do again. */
export interface ExclusionChange {
  readonly excluded: readonly string[];
  readonly readmitted: readonly string[];
}

/** A rebuild as the daemon keeps it. */
export interface StoredRebuild {
  readonly rebuild: LeaderboardRebuild;
  readonly rebuiltId: string;
  readonly undoId: string | null;
  /** Users who did not count before it. */
  readonly excludedOld: readonly string[];
}

/** What applying a rebuild changes, or undoing it: whoever else does not count meanwhile stays as they are. */
export const exclusionChange = ({
  work,
  rebuild: { excluded },
  excludedOld,
}: Pick<RebuildJob, 'work' | 'excludedOld'> & {
  readonly rebuild: Pick<LeaderboardRebuild, 'excluded'>;
}): ExclusionChange => {
  const [before, after] = [new Set(excludedOld), new Set(excluded)];
  const [added, taken] = [
    [...after].filter((user) => !before.has(user)),
    [...before].filter((user) => !after.has(user)),
  ];
  return work === 'undoing' ? { excluded: taken, readmitted: added } : { excluded: added, readmitted: taken };
};

/** Work on a rebuild that a daemon has claimed; no other daemon does it while the lease holds. */
export interface RebuildJob extends StoredRebuild {
  readonly projectId: string;
  readonly work: OpenState;
  readonly lease: string;
  /** How often a daemon crashed during a turn since one was completed. */
  readonly crashes: number;
}

/** The work was cancelled, or another daemon has taken it over. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** Columns of a row that change when a rebuild is requested or carried out. */
type RebuildUpdate = Partial<
  WithValues<RebuildRow, { readonly status: RebuildStatus; readonly changes: LeaderboardRebuild['changes'] }>
>;

export const usersOf = jsonOf(z.array(z.string()));
const { status: Status, changes: Changes } = LeaderboardRebuild.shape;
export const changesOf = jsonOf(Changes);
/** The rebuilds of the board, which are few, that list the user. */
export async function rebuildsNaming(tx: Transaction, leaderboardId: string, userId: string) {
  const rows = await tx.leaderboardRebuild.findMany({ where: { leaderboardId } });
  return rows.filter(
    ({ excluded, excludedOld, changes }) =>
      [...usersOf(excluded), ...usersOf(excludedOld)].includes(userId) ||
      changesOf(changes).some(({ memberType, memberId }) => memberType === 'user' && memberId === userId),
  );
}
const free = { lease: null, leaseUntil: null } as const;

const toStored = ({ rebuiltId, undoId, excludedOld, ...row }: RebuildRow): StoredRebuild => ({
  rebuiltId,
  undoId,
  excludedOld: usersOf(excludedOld),
  rebuild: {
    id: row.id,
    leaderboardId: row.leaderboardId,
    periodId: row.periodId,
    status: Status.parse(row.status),
    failure: row.failure,
    progress: row.progress,
    events: row.events,
    changed: row.changed,
    excluded: usersOf(row.excluded),
    changes: changesOf(row.changes),
    createdAt: row.createdAt.toISOString(),
    appliedAt: timeOrNull(row.appliedAt),
    undoneAt: timeOrNull(row.undoneAt),
  },
});

/** Failure of a rebuild during which the daemon crashed twice; a new rebuild of the board takes its place. */
export const daemonEndedTwice = 'daemon_ended_twice';

export class RebuildStore {
  /** Begins the leases of this daemon. */
  private readonly owner = uuidv7();

  constructor(private readonly projects: Projects) {}

  async find(client: DatabaseClient, leaderboardId: string, id: string): Promise<StoredRebuild | null> {
    const row = await client.leaderboardRebuild.findFirst({ where: { id, leaderboardId } });
    return row === null ? null : toStored(row);
  }

  /** Newest first. */
  async page(client: DatabaseClient, leaderboardId: string, page: PageQuery) {
    const where = { leaderboardId };
    const rows = await client.leaderboardRebuild.findMany(newestFirst(where, page));
    return {
      rebuilds: rows.map((row) => toStored(row).rebuild),
      total: await client.leaderboardRebuild.count({ where }),
    };
  }

  /** Others who ask for a rebuild of the project wait for the end of the transaction. */
  async inProgress(tx: Transaction, { board, tenantId }: BoardDefinition) {
    await this.projects.bump(tx, board.projectId);
    const status = { in: [...underWay] };
    return {
      ofBoard: await tx.leaderboardRebuild.count({ where: { leaderboardId: board.id, status } }),
      ofTenant: await tx.leaderboardRebuild.count({ where: { tenantId, status } }),
    };
  }

  /** Discards the other rebuilds of the board that wait to be applied. */
  async insert(tx: Transaction, { definition, period, tallyId, excluded }: Count, at: Date): Promise<StoredRebuild> {
    const { id: leaderboardId } = definition.board;
    await this.discardReady(tx, leaderboardId);
    await tx.leaderboardRebuild.updateMany({
      where: { leaderboardId, failure: daemonEndedTwice },
      data: { failure: null, ...free },
    });
    await this.removeOldest(tx, leaderboardId);
    const row = await tx.leaderboardRebuild.create({
      data: {
        id: uuidv7(),
        leaderboardId,
        tenantId: definition.tenantId,
        periodId: period.id,
        status: 'counting',
        progress: 0,
        turnAt: at,
        createdAt: at,
        rebuiltId: tallyId,
        events: 0,
        changed: 0,
        changes: '[]',
        excluded: JSON.stringify([...excluded]),
        excludedOld: JSON.stringify([...definition.excluded]),
      },
    });
    return toStored(row);
  }

  /**
   * Changes a rebuild that has the status `from`; false: it has another. The daemon that works on it loses the lease.
   */
  async transition(tx: Transaction, id: string, from: RebuildStatus, change: RebuildUpdate): Promise<boolean> {
    const where = { id, status: from };
    return (
      (await tx.leaderboardRebuild.updateMany({ where, data: { ...free, ...withJson(change, 'changes') } })).count > 0
    );
  }

  /** The work that has waited longest, claimed until `until`; null: there is none. */
  async claim(tx: Transaction, now: Date, until: Date): Promise<RebuildJob | null> {
    const isFree = { status: { in: [...underWay] }, OR: [{ leaseUntil: null }, { leaseUntil: { lt: now } }] };
    const row = await tx.leaderboardRebuild.findFirst({
      where: isFree,
      orderBy: [{ turnAt: 'asc' }, { id: 'asc' }],
      include: { leaderboard: { select: { projectId: true } } },
    });
    const work = underWay.find((one) => one === row?.status);
    if (row === null || work === undefined) return null;
    const lease = `${this.owner}:${uuidv7()}`;
    // Another daemon has not given it back.
    const isCrash = row.lease !== null && !row.lease.startsWith(this.owner);
    const crashes = row.crashes + (isCrash ? 1 : 0);
    const data = { lease, leaseUntil: until, turnAt: now, crashes };
    const { count } = await tx.leaderboardRebuild.updateMany({ where: { id: row.id, ...isFree }, data });
    return count === 0 ? null : { ...toStored(row), projectId: row.leaderboard.projectId, work, lease, crashes };
  }

  /** When the next work may be claimed; null: there is none. */
  async nextDue(reader: Reader): Promise<Date | null> {
    const where = { status: { in: [...underWay] } };
    const orderBy = { leaseUntil: { sort: 'asc', nulls: 'first' } } as const;
    const next = await reader.leaderboardRebuild.findFirst({ where, orderBy });
    return next === null ? null : (next.leaseUntil ?? atOnce);
  }

  /** Nobody is at work any more: lets leases end at this time. */
  async endLeases(tx: Transaction, at: Date): Promise<void> {
    const where = { status: { in: [...underWay] }, lease: { not: null } };
    await tx.leaderboardRebuild.updateMany({ where, data: { leaseUntil: at } });
  }

  /** Lets leases that end later end at this time. Returns how many there were. */
  async shortenLeases(tx: Transaction, latest: Date): Promise<number> {
    const where = { status: { in: [...underWay] }, leaseUntil: { gt: latest } };
    return (await tx.leaderboardRebuild.updateMany({ where, data: { leaseUntil: latest } })).count;
  }

  /** Rebuilds that were set aside and that no later one of the board has replaced. */
  setAsideCount = (reader: Reader): Promise<number> =>
    reader.leaderboardRebuild.count({ where: { failure: daemonEndedTwice } });

  /** Renews the lease and stores how far the work is. Throws LeaseLost. */
  async renewLease(tx: Transaction, job: RebuildJob, until: Date, step?: CountedStep): Promise<void> {
    const events = job.work === 'counting' ? { increment: step?.events ?? 0 } : undefined;
    const came = step === undefined ? {} : { progress: step.progress, ...(events === undefined ? {} : { events }) };
    await this.change(tx, job, { leaseUntil: until, ...came });
  }

  /** Ends the turn, or the work. Throws LeaseLost. */
  release(
    tx: Transaction,
    job: RebuildJob,
    change: Omit<RebuildUpdate, 'events'> & { readonly events?: { readonly increment: number } } = {},
  ): Promise<void> {
    return this.change(tx, job, { ...withJson(change, 'changes'), ...free, crashes: 0 });
  }

  /** Replaces the tally that cannot continue by a new one. Throws LeaseLost. */
  async beginAnew(tx: Transaction, job: RebuildJob, tallyId: string): Promise<void> {
    await this.discard(tx, tallyOf(job));
    const begun = { ...free, progress: 0 };
    await this.change(
      tx,
      job,
      job.work === 'undoing' ? { ...begun, undoId: tallyId } : { ...begun, rebuiltId: tallyId, events: 0 },
    );
  }

  /** Nobody reads this tally any more. */
  async discard(tx: Transaction, tallyId: string): Promise<void> {
    await tx.leaderboardTally.updateMany({ where: { id: tallyId }, data: { role: 'discarded' } });
  }

  /** The tally is counted, and waits to be shown. */
  async keep(tx: Transaction, tallyId: string): Promise<void> {
    await tx.leaderboardTally.update({ where: { id: tallyId }, data: { role: 'rebuilt' } });
  }

  /**
   * Makes the tally the live one of its period. Its version goes on from that of the tally before, as the caller has locked
   * it: 0 says that no event ever came.
   */
  async putInPlace(tx: Transaction, { period, tallyId }: Count, version: number): Promise<void> {
    await this.discard(tx, period.tallyId);
    await tx.leaderboardTally.update({ where: { id: tallyId }, data: { role: 'live', version } });
    await tx.leaderboardPeriod.update({ where: { id: period.id }, data: { tallyId } });
  }

  private async change(tx: Transaction, { rebuild: { id }, lease }: RebuildJob, data: object): Promise<void> {
    const { count } = await tx.leaderboardRebuild.updateMany({ where: { id, lease }, data });
    if (count === 0) throw new LeaseLost();
  }

  private async discardReady(tx: Transaction, leaderboardId: string): Promise<void> {
    const where = { leaderboardId, status: 'ready' };
    const ready = await tx.leaderboardRebuild.findMany({ where, select: { rebuiltId: true } });
    for (const { rebuiltId } of ready) await this.discard(tx, rebuiltId);
    await tx.leaderboardRebuild.updateMany({ where, data: { status: 'discarded' } });
  }

  private async removeOldest(tx: Transaction, leaderboardId: string): Promise<void> {
    const old = await tx.leaderboardRebuild.findMany({
      where: { leaderboardId },
      orderBy: { id: 'desc' },
      skip: rebuildsKeptMax - 1,
      select: { id: true },
    });
    await tx.leaderboardRebuild.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
  }
}

/** The tally that the work counts. */
export const tallyOf = ({ work, undoId, rebuiltId }: RebuildJob): string =>
  work === 'undoing' && undoId !== null ? undoId : rebuiltId;
