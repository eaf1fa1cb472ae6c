/** Erases and renames people in reports: as the reported person, as the reporter, and as a speaker. */
import type { Database, Transaction } from '../../platform/database/database.js';
import type { PersonErasure, PersonMoveSteps } from '../../platform/module.js';
import type { MovingPerson } from '../../platform/moving-person.js';
import type { ReportStore } from './reports/report-store.js';

export class ReportErasure implements PersonErasure, PersonMoveSteps {
  constructor(
    private readonly database: Database,
    private readonly reports: ReportStore,
  ) {}

  /** Erases some at a time: others write in between. */
  async inBatches(projectId: string, { externalUserId }: { readonly externalUserId: string }): Promise<void> {
    const some = (tx: Transaction) => this.reports.eraseSome(tx, projectId, externalUserId);
    while ((await this.database.transaction(some)) > 0);
  }

  async afterLog(
    tx: Transaction,
    projectId: string,
    { externalUserId }: { readonly externalUserId: string },
  ): Promise<void> {
    while ((await this.reports.eraseSome(tx, projectId, externalUserId)) > 0);
  }

  merge(tx: Transaction, { projectId, from, to }: MovingPerson): Promise<void> {
    return this.reports.rename(tx, projectId, from, to);
  }
}
