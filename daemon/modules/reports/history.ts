/** Reports about a person, for their timeline. Who reported is left out: the report itself says it. */
import type { HistorySource } from '../people/history.js';
import type { ReportStore } from './reports/report-store.js';

export const reportHistory = (reports: Pick<ReportStore, 'list'>): HistorySource => ({
  scope: 'reports:read',
  async read({ projectId, externalUserId }, limit) {
    const rows = await reports.list(projectId, { externalUserId }, { limit, offset: 0 });
    return rows.map(({ id, caseId, category, words, createdAt }) => ({
      at: createdAt.toISOString(),
      kind: 'report',
      what: `was reported for ${category}${words === null ? '' : `: ${words}`}`,
      resourceId: `report:${id}`,
      partOf: caseId === null ? null : `case:${caseId}`,
    }));
  },
});
