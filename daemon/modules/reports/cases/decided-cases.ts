/** Shows decided cases with their reports to whoever looks at their sanctions again. */
import type { SanctionCase } from '../../../../src/contract/moderation/reviews.js';
import { timeOrNull } from '../../../platform/database/column-values.js';
import type { CaseReader } from '../../moderation/cases.js';
import { type ReportStore, toReport } from '../reports/report-store.js';
import type { CaseStore } from './case-store.js';

const reportsMax = 200;

export class DecidedCases implements CaseReader {
  constructor(
    private readonly cases: Pick<CaseStore, 'find'>,
    private readonly reports: Pick<ReportStore, 'inCase'>,
  ) {}

  /** null: the case is gone. */
  async of(projectId: string, id: string): Promise<SanctionCase | null> {
    const row = await this.cases.find(projectId, id);
    if (row === null) return null;
    const { category, decision, reasonCode, decidedByUserId, note } = row;
    return {
      ...{ id, category, decision, reasonCode, decidedByUserId, note },
      decidedAt: timeOrNull(row.decidedAt),
      reports: (await this.reports.inCase(id, reportsMax)).map(toReport),
    };
  }
}
