/**
 * Makes the deliveries that were too many for the transaction of their events: page by page, tenants in turn, so that
 * nobody waits long for the writer. Where each range has been worked off to is stored with the deliveries.
 */
import type { Database } from '../../../platform/database/database.js';
import type { FairTurns } from '../../../platform/events/fair-turns.js';
import type { WakeUps } from '../../../platform/events/wake-ups.js';
import type { Logger } from '../../../platform/observability/logger.js';
import { Repeat } from '../../../platform/scheduler/repeat.js';
import type { DeliveryPages } from '../delivery-pages.js';
import type { BacklogRow, BacklogStore } from './backlog-store.js';
import { pollMs } from './limits.js';

export class WebhookBacklog {
  private stopping = false;
  private readonly repeat: Repeat;

  constructor(
    private readonly database: Database,
    private readonly store: BacklogStore,
    private readonly pages: DeliveryPages,
    private readonly turns: FairTurns,
    private readonly wakeUps: WakeUps,
    logger: Logger,
  ) {
    this.repeat = new Repeat('webhook-backlog', pollMs, () => this.workOff(), logger);
  }

  start(): void {
    this.repeat.start();
  }

  wake(): void {
    this.repeat.now();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.repeat.stop();
  }

  private async workOff(): Promise<void> {
    let last = '';
    for (let rows = await this.store.oldest(); rows.length > 0; rows = await this.store.oldest(last)) {
      if (this.stopping) return;
      const done = await Promise.allSettled(rows.map((row) => this.turns.run(row.tenantId, () => this.page(row))));
      const failed = done.find((one) => one.status === 'rejected');
      if (failed !== undefined) throw failed.reason; // after everybody's turn; tried again at the next one
      last = rows.at(-1)?.tenantId ?? '';
      this.wakeUps.wake(); // the dispatcher
    }
  }

  private page(row: BacklogRow): Promise<void> {
    return this.database.transaction(async (tx) => {
      const { subscriptionId, position, end } = row;
      const done = await this.pages.queue(tx, subscriptionId, { after: position, to: end, inOrder: false });
      if (done.end < end) await this.store.move(tx, row, done.end);
      else await this.store.remove(tx, row);
    });
  }
}
