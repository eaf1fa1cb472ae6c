/** Erases and renames people in reports and cases: as the reported person, as the reporter, and as a speaker. */
import type { Database, Transaction } from '../../platform/database/database.js';
import type { PersonErasure, PersonMoveSteps } from '../../platform/module.js';
import type { MovingPerson } from '../../platform/moving-person.js';
import type { Clock } from '../../platform/time/clock.js';
import type { CaseStore } from './cases/case-store.js';
import type { CaseDeciding } from './cases/deciding.js';
import { openKeyOf } from './cases/intake.js';
import type { CaseService } from './cases/service.js';
import type { OrderStore } from './orders/order-store.js';
import type { ReporterStore } from './reporters/reporter-store.js';
import type { ReportStore } from './reports/report-store.js';

interface ReportErasureNeeds {
  readonly database: Database;
  readonly reports: ReportStore;
  readonly reporters: ReporterStore;
  readonly cases: CaseStore;
  readonly orders: Pick<OrderStore, 'erase'>;
  readonly deciding: Pick<CaseDeciding, 'eraseIn'>;
  readonly service: Pick<CaseService, 'mergeIn' | 'recountIn'>;
  readonly now: Clock;
}

interface ReportedPerson {
  readonly externalUserId: string;
}

export class ReportErasure implements PersonErasure, PersonMoveSteps {
  constructor(private readonly needs: ReportErasureNeeds) {}

  /** Erases some at a time: others write in between. */
  async inBatches(projectId: string, { externalUserId }: ReportedPerson): Promise<void> {
    const some = (tx: Transaction) => this.needs.reports.eraseSome(tx, projectId, externalUserId);
    while ((await this.needs.database.transaction(some)) > 0);
  }

  async beforeLog(tx: Transaction, projectId: string, { externalUserId }: ReportedPerson): Promise<void> {
    await this.needs.deciding.eraseIn(tx, projectId, externalUserId);
    await this.needs.orders.erase(tx, projectId, externalUserId);
  }

  async afterLog(tx: Transaction, projectId: string, { externalUserId }: ReportedPerson): Promise<void> {
    while ((await this.needs.reports.eraseSome(tx, projectId, externalUserId)) > 0);
  }

  /** An undecided case of the former id goes into that of the new one; two reporters who become one count once. */
  async merge(tx: Transaction, { projectId, from, to }: MovingPerson): Promise<void> {
    const shared = await this.needs.reports.rename(tx, projectId, from, to);
    await this.needs.reporters.merge(tx, projectId, from, to, this.needs.now());
    const key = (externalUserId: string): string => openKeyOf({ externalUserId, roomId: null });
    const moved = await this.needs.cases.undecided(tx, projectId, key(from));
    const there = await this.needs.cases.undecided(tx, projectId, key(to));
    await this.needs.cases.rename(tx, projectId, { from, to, openKey: there === null ? key(to) : null });
    if (moved !== null && there !== null) await this.needs.service.mergeIn(tx, projectId, moved.id, there.id, null);
    for (const id of shared) await this.needs.service.recountIn(tx, projectId, id);
  }
}
