/** Announces cases that were not decided in time, once each. */
import type { Database } from '../../../platform/database/database.js';
import type { EventLog } from '../../../platform/events/log.js';
import type { Clock } from '../../../platform/time/clock.js';
import { caseEvent } from './case-event.js';
import type { CaseStore } from './case-store.js';

const atOnce = 100;

export class ServiceGoals {
  constructor(
    private readonly database: Database,
    private readonly log: Pick<EventLog, 'append'>,
    private readonly cases: CaseStore,
    private readonly onMissed: (category: string) => void,
    private readonly now: Clock,
  ) {}

  /** Marks all that are due. */
  async check(): Promise<void> {
    while ((await this.cases.hasMissed(this.now())) && (await this.some()) === atOnce);
  }

  private async some(): Promise<number> {
    const missed = await this.database.transaction(async (tx) => {
      if (!(await this.database.isAlone(tx, 'case-service-goals'))) return [];
      const now = this.now();
      const rows = [];
      for (const { id } of await this.cases.missed(tx, now, atOnce)) {
        const row = await this.cases.update(tx, id, { missedAt: now });
        rows.push(row);
        await this.log.append(tx, caseEvent('case.overdue', row, now));
      }
      return rows;
    });
    for (const { category } of missed) this.onMissed(category);
    return missed.length;
  }
}
