/** Events about cases. */
import { changesBetween } from '../../../platform/events/log.js';
import type { NewEvent } from '../../../platform/events/logged.js';
import { type CaseRow, toAnnounced } from './case-store.js';

export const caseEvent = (
  type: 'case.created' | 'case.updated' | 'case.overdue',
  row: CaseRow,
  now: Date,
  before?: CaseRow,
): NewEvent => ({
  type,
  tenantId: row.tenantId,
  projectId: row.projectId,
  resourceId: `case:${row.id}`,
  action: type === 'case.created' ? 'created' : type === 'case.updated' ? 'updated' : 'occurred',
  data: toAnnounced(row, now),
  ...(before === undefined ? {} : { changes: changesBetween(toAnnounced(before, now), toAnnounced(row, now)) ?? {} }),
  subjectUserId: row.externalUserId,
});
