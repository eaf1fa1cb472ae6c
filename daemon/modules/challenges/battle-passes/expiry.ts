/** Announces the end of battle passes, once each, soon after it. */

import type { Database } from '../../../platform/database/database.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { NextDue } from '../../../platform/scheduler/due-work.js';
import type { JobRunner } from '../../../platform/scheduler/jobs.js';
import type { Repeat } from '../../../platform/scheduler/repeat.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { Tenants } from '../../game-events/project-definitions.js';
import type { BattlePassStore } from './store.js';
import { passExpired } from './views.js';

const everyMs = 1_000;
const batchSize = 100;

export class BattlePassExpiry {
  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly store: BattlePassStore,
    private readonly tenants: Tenants,
    private readonly now: Clock,
  ) {}

  readonly nextDue: NextDue = () => this.store.nextEnd(this.database.read);

  /** Handles up to `limit` that have ended; returns how many there were. */
  async announce(limit: number): Promise<number> {
    const now = this.now();
    const ended = await this.store.ended(this.database.read, now, limit);
    for (const { projectId, id } of ended)
      await this.database.transaction(async (tx) => {
        if (!(await this.store.markExpired(tx, id, now))) return;
        const battlePass = await this.store.find(tx, projectId, id);
        if (battlePass === null) return;
        await this.log.append(tx, {
          type: 'battlepass.expired',
          source: 'earshot:gameplay',
          tenantId: await this.tenants.tenantIn(tx, projectId),
          projectId,
          resourceId: `battle-pass:${id}`,
          action: 'updated',
          data: passExpired(battlePass),
        });
      });
    return ended.length;
  }
}

export const announceExpiredPasses = (expiry: BattlePassExpiry, jobs: JobRunner): Repeat =>
  jobs.repeat(
    'announce-expired-passes',
    everyMs,
    async () => {
      while ((await expiry.announce(batchSize)) === batchSize);
    },
    expiry.nextDue,
  );
