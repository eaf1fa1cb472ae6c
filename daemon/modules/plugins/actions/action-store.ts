/**
 * Runs as a queue. Claiming a row moves its time to the end of a lease, so a daemon that dies with it releases it; until
 * then no other daemon sees it as due. Leases are judged by the daemon's clock.
 */

import {
  type ActionStatus,
  actionStatuses,
  type PluginAction,
} from '../../../../src/contract/plugins/session-actions.js';
import { jsonOrNull, oneOf, timeOrNull, withJson } from '../../../platform/database/column-values.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import { sqlTime } from '../../../platform/database/dialect.js';
import { withIds } from '../../../platform/database/row-ids.js';
import { earliestOf } from '../../../platform/scheduler/due-work.js';
import type { LeaseKind } from '../../../platform/turns/leases.js';
import { leaseMs, longestWaitMs } from '../host/limits.js';
import { finishedRows, nextRuns, queuedRows, runStatements } from './sql.js';

export interface ActionRow {
  readonly id: string;
  readonly tenantId: string;
  readonly projectId: string;
  readonly instanceId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly version: string;
  readonly sessionId: string | null;
  readonly status: string;
  readonly attempts: number;
  /** How often a daemon crashed during it since it last ended otherwise. */
  readonly crashes: number;
  readonly dueAt: Date | null;
  readonly subjectUserId: string | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly durationMs: number | null;
  readonly error: string | null;
  readonly result: string | null;
}

export type QueuedAction = Omit<
  ActionRow,
  'crashes' | 'startedAt' | 'finishedAt' | 'durationMs' | 'error' | 'result'
> & {
  readonly status: ActionStatus;
};

/** How a run leaves its row. */
export type FinishedAction = Pick<ActionRow, 'id' | 'dueAt' | 'finishedAt' | 'durationMs' | 'error'> & {
  readonly status: ActionStatus;
  readonly result: PluginAction['result'];
};

export interface DueAction {
  readonly id: string;
  readonly tenantId: string;
  readonly instanceId: string;
  /** A daemon crashed during it. */
  readonly suspect: boolean;
}

export const toAction = (row: ActionRow): PluginAction => ({
  id: row.id,
  type: row.eventType,
  status: oneOf(actionStatuses, row.status) ?? 'queued',
  startedAt: timeOrNull(row.startedAt),
  finishedAt: timeOrNull(row.finishedAt),
  durationMs: row.durationMs,
  error: row.error,
  result: jsonOrNull(row.result),
});

type PluginActionWhere = NonNullable<Parameters<Transaction['pluginAction']['updateMany']>[0]['where']>;

const attemptTakenBack = { attempts: { decrement: 1 } };
const disabledReason = 'the plugin was disabled';

export class ActionStore {
  private readonly sql;

  constructor(
    private readonly database: Database,
    /** Names this daemon in its leases. */
    private readonly owner: string,
  ) {
    this.sql = runStatements[database.dialect];
  }

  async queue(tx: Transaction, rows: readonly QueuedAction[]): Promise<void> {
    if (rows.length > 0) await tx.$executeRawUnsafe(this.sql.queue, queuedRows.text(rows));
  }

  /** How many runs of each instance are not at their end. */
  async open(instanceIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.database.read.pluginAction.groupBy({
      by: ['instanceId'],
      where: { instanceId: { in: [...instanceIds] }, dueAt: { not: null } },
      _count: true,
    });
    return new Map(rows.map(({ instanceId, _count }) => [instanceId, _count]));
  }

  async due(now: Date): Promise<DueAction[]> {
    type Row = DueAction & { readonly suspect: unknown };
    const at = sqlTime(now);
    const parameters = this.database.dialect === 'sqlite' ? [at, at, at] : [at];
    const rows = await this.database.read.$queryRawUnsafe<Row[]>(this.sql.due, ...parameters);
    return rows.map(({ suspect, ...row }) => ({ ...row, suspect: Boolean(suspect) }));
  }

  /** The earliest time of a run that may begin. */
  nextDue = async (): Promise<Date | null> => {
    const rows = await this.database.read.$queryRawUnsafe<{ readonly dueAt: string | null }[]>(nextRuns);
    return earliestOf(rows.map(({ dueAt }) => dueAt));
  };

  /** Claims the runs that nobody has taken meanwhile, and returns them. A lease of another daemon that has run out counts as its crash. */
  async claim(wanted: readonly DueAction[], now: Date): Promise<ActionRow[]> {
    if (wanted.length === 0) return [];
    return this.database.transaction(async (tx) => {
      for (const { id } of wanted.filter(({ suspect }) => suspect))
        await tx.pluginAction.updateMany({
          where: { id, dueAt: { lte: now }, leaseOwner: { not: this.owner } },
          data: { crashes: { increment: 1 } },
        });
      return tx.pluginAction.updateManyAndReturn({
        where: { id: { in: wanted.map(({ id }) => id) }, dueAt: { lte: now } },
        data: {
          status: 'running',
          leaseOwner: this.owner,
          dueAt: new Date(now.getTime() + leaseMs),
          attempts: { increment: 1 },
          startedAt: now,
        },
      });
    });
  }

  /**
   * Returns the runs that this daemon still holds by the same claim; nobody changes them until the transaction ends. A
   * run that began again, because a person was erased, must not store what it had read before.
   */
  async mine(tx: Transaction, claimed: readonly Pick<ActionRow, 'id' | 'attempts'>[]): Promise<Set<string>> {
    type Row = { id: string; attempts: bigint | number };
    const ids = JSON.stringify(claimed.map(({ id }) => id));
    const rows = await tx.$queryRawUnsafe<Row[]>(this.sql.mine, this.owner, ids);
    const attempts = new Map(rows.map((row) => [row.id, Number(row.attempts)]));
    return new Set(claimed.filter((one) => attempts.get(one.id) === one.attempts).map(({ id }) => id));
  }

  /** What is to be tried again of a plugin that was disabled meanwhile is skipped. */
  async finish(tx: Transaction, rows: readonly FinishedAction[], now: Date): Promise<void> {
    await tx.$executeRawUnsafe(this.sql.finish, finishedRows.text(rows.map((row) => withJson(row, 'result'))));
    if (rows.some(({ dueAt }) => dueAt !== null)) await this.skipDisabled(tx, now);
  }

  /** Releases the runs that this daemon had claimed and not finished; their attempt does not count. */
  async release(now: Date): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.pluginAction.updateMany({
        where: { status: 'running', leaseOwner: this.owner },
        data: { status: 'queued', leaseOwner: null, dueAt: now, ...attemptTakenBack },
      });
      await this.skipDisabled(tx, now);
    });
  }

  /**
   * Lets the leases of all daemons end at this time, because none of them runs any more. Returns how many there were.
   * Their attempts do not count: crashes are counted by themselves.
   */
  async endLeases(at: Date, now: Date): Promise<number> {
    const where = { finishedAt: null, leaseOwner: { not: null } };
    return this.database.transaction(async (tx) => {
      await tx.pluginAction.updateMany({ where: { ...where, status: 'running' }, data: attemptTakenBack });
      const { count } = await tx.pluginAction.updateMany({ where, data: { status: 'queued', dueAt: at } });
      await this.skipDisabled(tx, now);
      return count;
    });
  }

  readonly leases: LeaseKind = {
    table: 'PluginAction',
    lengthMs: leaseMs,
    holder: 'daemon',
    shorten: (latest) => {
      const where = { finishedAt: null, leaseOwner: { not: null }, dueAt: { gt: latest } };
      return this.database.transaction(
        async (tx) => (await tx.pluginAction.updateMany({ where, data: { dueAt: latest } })).count,
      );
    },
  };

  /** The clock was set back: runs that were due by it are due now, and none waits longer than between two attempts. */
  async bringForward(now: Date): Promise<void> {
    const waiting = { finishedAt: null, status: 'queued', leaseOwner: null };
    const latest = new Date(now.getTime() + longestWaitMs);
    await this.database.transaction((tx) =>
      tx.pluginAction.updateMany({
        where: { ...waiting, OR: [{ attempts: 0, dueAt: { gt: now } }, { dueAt: { gt: latest } }] },
        data: { dueAt: now },
      }),
    );
  }

  /** Ends the attempts at a run of this daemon until its instance is resumed. */
  async setAside(id: string, error: string): Promise<void> {
    await this.database.transaction((tx) =>
      tx.pluginAction.updateMany({
        where: { id, leaseOwner: this.owner },
        data: { status: 'set_aside', dueAt: null, leaseOwner: null, error },
      }),
    );
  }

  /** How many runs of the instances, or of all, are set aside. */
  async setAsideOf(instanceIds?: readonly string[]): Promise<Map<string, number>> {
    const ofInstances = instanceIds === undefined ? {} : { instanceId: { in: [...instanceIds] } };
    const rows = await this.database.read.pluginAction.groupBy({
      by: ['instanceId'],
      where: { finishedAt: null, status: 'set_aside', ...ofInstances },
      _count: true,
    });
    return new Map(rows.map(({ instanceId, _count }) => [instanceId, _count]));
  }

  /** Queues what is set aside of the instance; returns how many runs. One more crash sets a run aside again. */
  resume = async (tx: Transaction, instanceId: string, dueAt: Date): Promise<number> =>
    (
      await tx.pluginAction.updateMany({
        where: { instanceId, finishedAt: null, status: 'set_aside' },
        data: { status: 'queued', crashes: 1, attempts: 0, dueAt, error: null },
      })
    ).count;

  /** Skips the runs of a plugin that is disabled which wait or are set aside. Runs in progress are finished. */
  skipDisabled = (tx: Transaction, now: Date, instanceId?: string) =>
    this.skip(tx, now, disabledReason, {
      ...(instanceId === undefined ? {} : { instanceId }),
      ...{ status: { in: ['queued', 'set_aside'] }, finishedAt: null, instance: { enabled: false } },
    });

  /** Skips all runs of an instance that are not at their end, in progress too: it is enabled again, and they are of before. */
  skipOpen = (tx: Transaction, instanceId: string, now: Date) =>
    this.skip(tx, now, disabledReason, { instanceId, finishedAt: null });

  /** Skips the runs on a session that wait, because somebody asks for a newer one. */
  skipSuperseded = (tx: Transaction, instanceId: string, sessionId: string, now: Date) =>
    this.skip(tx, now, 'a newer one was asked for', { instanceId, sessionId, status: 'queued' });

  private skip = (tx: Transaction, finishedAt: Date, error: string, where: PluginActionWhere) =>
    tx.pluginAction.updateMany({
      where,
      data: { status: 'skipped', dueAt: null, leaseOwner: null, finishedAt, error },
    });

  /** The newest first. */
  ofSession = (projectId: string, sessionId: string, instanceId: string, take: number) =>
    this.database.read.pluginAction.findMany({
      where: { projectId, sessionId, instanceId },
      orderBy: { id: 'desc' },
      take,
    });

  async removeOf(tx: Transaction, instanceId: string, take: number): Promise<number> {
    const rows = await tx.pluginAction.findMany({ where: { instanceId }, select: { id: true }, take });
    return (await tx.pluginAction.deleteMany(withIds(rows))).count;
  }

  /**
   * For sessions whose content has changed: runs in progress begin again, and the results of ended runs are deleted.
   */
  async beginAgain(tx: Transaction, projectId: string, sessionIds: readonly string[], now: Date): Promise<void> {
    const where = { projectId, sessionId: { in: [...sessionIds] } };
    await tx.pluginAction.updateMany({
      where: { ...where, status: 'running' },
      data: { status: 'queued', leaseOwner: null, dueAt: now },
    });
    await this.skipDisabled(tx, now);
    await tx.pluginAction.updateMany({ where: { ...where, error: { not: null } }, data: { error: null } });
  }
}
