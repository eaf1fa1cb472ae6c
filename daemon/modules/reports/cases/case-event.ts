/** Events about cases. */
import { changesBetween } from '../../../platform/events/log.js';
import type { NewEvent } from '../../../platform/events/logged.js';
import { type CaseRow, toAnnounced } from './case-store.js';

export function caseEvent(
  type: 'case.created' | 'case.updated' | 'case.overdue',
  row: CaseRow,
  now: Date,
  before?: CaseRow,
): NewEvent {
  const data = toAnnounced(row, now);
  return {
    type,
    tenantId: row.tenantId,
    projectId: row.projectId,
    resourceId: `case:${row.id}`,
    action: type === 'case.created' ? 'created' : type === 'case.updated' ? 'updated' : 'occurred',
    data,
    ...(before === undefined ? {} : { changes: changesBetween(toAnnounced(before, now), data) ?? {} }),
    subjectUserId: data.externalUserId,
  };
}
