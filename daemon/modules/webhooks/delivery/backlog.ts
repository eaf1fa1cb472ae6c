/**
 * Makes the deliveries that were too many for the transaction of their events: page by page, tenants in turn, so that
 * nobody waits long for the writer. How far each range is done is stored with the deliveries.
 */
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { AppendedRange } from '../../../platform/events/logged.js';
import type { WakeUps } from '../../../platform/events/wake-ups.js';
import type { FairTurns } from '../../../platform/limits/fair-turns.js';
import type { Logger } from '../../../platform/observability/logger.js';
import { whileThere } from '../../../platform/scheduler/due-work.js';
import type { JobRunner } from '../../../platform/scheduler/jobs.js';
import { Repeat } from '../../../platform/scheduler/repeat.js';
import type { DeliveryPages } from '../delivery-pages.js';
import type { BacklogRow, BacklogStore, WaitingSubscription } from './backlog-store.js';
import { pollMs } from './limits.js';

const job = 'webhook-backlog';

interface WebhookBacklogNeeds {
  readonly database: Database;
  readonly store: BacklogStore;
  readonly pages: DeliveryPages;
  readonly turns: FairTurns;
  readonly wakeUps: WakeUps;
  readonly jobs: Pick<JobRunner, 'run' | 'due'>;
}

export class WebhookBacklog {
  private stopping = false;
  private readonly repeat: Repeat;

  constructor(
    private readonly needs: WebhookBacklogNeeds,
    logger: Logger,
  ) {
    const due = needs.jobs.due(whileThere(async () => (await needs.store.oldest(new Set(), '')).length > 0));
    this.repeat = new Repeat(job, pollMs, () => due.run(() => this.workOff()), logger);
  }

  start(): void {
    this.repeat.start();
  }

  /** Notes that these subscriptions are to be sent the range; the work begins after the commit. */
  async add(tx: Transaction, subscriptions: readonly WaitingSubscription[], range: AppendedRange): Promise<void> {
    if (subscriptions.length === 0) return;
    await this.needs.store.insert(tx, subscriptions, range);
    this.needs.database.afterCommit(tx, () => this.repeat.now());
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.repeat.stop();
  }

  /** A tenant whose page fails waits for the next round and delays nobody. */
  private async workOff(): Promise<void> {
    const failed = new Map<string, unknown>();
    const suspected = new Set<string>();
    let last = '';
    let pages = 0;
    const oldest = () => this.needs.store.oldest(suspected, last);
    for (let rows = await oldest(); rows.length > 0; rows = await oldest()) {
      if (this.stopping) return;
      const isNewRound = (rows[0]?.tenantId ?? '') <= last;
      if (isNewRound && pages === 0) break; // only those are left that failed
      if (isNewRound) pages = 0;
      const tried = rows.filter(({ tenantId }) => !failed.has(tenantId));
      await Promise.all(
        tried.map(async (row) => {
          const isBegun = await this.turn(row).catch((error: unknown) => failed.set(row.tenantId, error));
          if (isBegun === false) suspected.add(row.subscriptionId);
        }),
      );
      pages += tried.length;
      last = rows.at(-1)?.tenantId ?? '';
      this.needs.wakeUps.wake('deliveries');
    }
    for (const error of failed.values()) throw error;
  }

  /** false: not now, because a daemon crashed during it. */
  private turn(row: BacklogRow): Promise<boolean> {
    const piece = { job, subject: row.subscriptionId, projectId: row.projectId };
    return this.needs.turns.run(row.tenantId, () => this.needs.jobs.run(piece, () => this.page(row)));
  }

  private page(row: BacklogRow): Promise<void> {
    return this.needs.database.transaction(async (tx) => {
      const { subscriptionId, position, end } = row;
      const done = await this.needs.pages.queue(tx, subscriptionId, { after: position, to: end, inOrder: false });
      if (done.end < end) await this.needs.store.advance(tx, row, done.end);
      else await this.needs.store.remove(tx, row);
    });
  }
}
