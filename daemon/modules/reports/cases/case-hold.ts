/** Legal holds: while a case is on hold, nothing that it rests on expires, and its people are not erased. */
import { DomainError } from '../../../../src/contract/errors.js';
import type { Database, Transaction } from '../../../platform/database/database.js';
import type { HeldIds } from '../../../platform/database/held-ids.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { ParticipantDirectory } from '../../people/directory.js';
import type { ReportStore } from '../reports/report-store.js';
import type { CaseRow, CaseStore } from './case-store.js';

interface CaseHoldNeeds {
  readonly database: Database;
  readonly cases: CaseStore;
  readonly reports: Pick<ReportStore, 'peopleIn'>;
  readonly people: Pick<ParticipantDirectory, 'lock'>;
  readonly held: HeldIds;
  readonly now: Clock;
}

export class CaseHold {
  constructor(private readonly needs: CaseHoldNeeds) {}

  /** An erasure of its people that is under way ends here, with what it has not deleted. Throws case_not_found, case_held. */
  async hold(projectId: string, id: string, by: string, reason: string): Promise<CaseRow> {
    const { database, cases, people } = this.needs;
    return database.transaction(async (tx) => {
      await this.needs.held.takeTurn(tx, projectId);
      const found = await cases.find(projectId, id, tx);
      if (found === null) throw new DomainError('case_not_found');
      await people.lock(tx, projectId, await this.peopleOf(tx, found));
      const before = await this.locked(tx, projectId, id);
      if (before.heldAt !== null) {
        throw new DomainError('case_held', {
          message: `The case is on hold since ${before.heldAt.toISOString()}.`,
        });
      }
      const after = await this.change(tx, before, { heldAt: this.needs.now(), heldByUserId: by, holdReason: reason });
      await this.extend(tx, after);
      return after;
    });
  }

  /** Throws case_not_found, case_not_held. */
  async lift(projectId: string, id: string): Promise<CaseRow> {
    return this.needs.database.transaction(async (tx) => {
      await this.needs.held.takeTurn(tx, projectId);
      const before = await this.locked(tx, projectId, id);
      if (before.heldAt === null) throw new DomainError('case_not_held');
      await this.needs.held.release(tx, projectId, id);
      return this.change(tx, before, { heldAt: null, heldByUserId: null, holdReason: null });
    });
  }

  /** Holds everybody in a held case, or in one report that joins it; they are locked by whoever lets them join. */
  async extend(
    tx: Transaction,
    row: Pick<CaseRow, 'id' | 'projectId' | 'externalUserId' | 'heldAt'>,
    reportId?: string,
  ): Promise<void> {
    const since = row.heldAt ?? this.needs.now();
    await this.needs.held.add(tx, row.projectId, { caseId: row.id, since }, [
      row.id,
      ...(await this.peopleOf(tx, row, reportId)),
    ]);
  }

  /** Another case, with what was in this one, is held as long as this one, by the holds of cases that came into it too. */
  async follow(tx: Transaction, { id, projectId }: CaseRow, otherId: string): Promise<void> {
    for (const held of await this.needs.held.find(projectId, [id], tx))
      await this.needs.held.add(tx, projectId, held, [otherId]);
  }

  private async peopleOf(
    tx: Transaction,
    { id, externalUserId }: Pick<CaseRow, 'id' | 'externalUserId'>,
    reportId?: string,
  ) {
    const named = await this.needs.reports.peopleIn(tx, id, reportId);
    return [...new Set([...(externalUserId === null ? [] : [externalUserId]), ...named])].sort();
  }

  private async locked(tx: Transaction, projectId: string, id: string): Promise<CaseRow> {
    const row = await this.needs.cases.lock(tx, projectId, id);
    if (row === null) throw new DomainError('case_not_found');
    return row;
  }

  /** Without an event: it would warn people of the hold. */
  private change = (tx: Transaction, before: CaseRow, fields: Partial<CaseRow>): Promise<CaseRow> =>
    this.needs.cases.update(tx, before.id, { ...fields, updatedAt: this.needs.now() });
}
