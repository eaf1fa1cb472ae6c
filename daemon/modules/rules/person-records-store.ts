/** Reads for an export which rules spare a person, and what rules decided about them. */
import type { Database } from '../../platform/database/database.js';
import { byId, type PersonRecords, plain, recordsOf } from '../../platform/person-records.js';

export const rulePersonRecords = ({ read: reader }: Pick<Database, 'read'>): PersonRecords[] => [
  recordsOf(
    'ruleExemption',
    ({ projectId, externalUserId }, after, take) =>
      reader.rule.findMany({
        where: { projectId, id: { gt: after }, exempt: { contains: JSON.stringify(externalUserId) } },
        orderBy: { id: 'asc' },
        select: { id: true, name: true, createdAt: true, deletedAt: true },
        take,
      }),
    byId,
  ),
  recordsOf(
    'ruleDecision',
    ({ projectId, externalUserId }, after, take) =>
      reader.ruleDecision.findMany({
        where: { projectId, externalUserId, id: { gt: after } },
        orderBy: { id: 'asc' },
        take,
      }),
    byId,
    (row) => plain(row, 'facts', 'verdict'),
  ),
];
