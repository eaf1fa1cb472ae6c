/** Reads for an export which rules spare a person, and what rules decided about them. */
import type { Database } from '../../platform/database/database.js';
import { all, contains, equal, firstIds } from '../../platform/database/mapped-tables.js';
import { byId, type PersonRecords, plain, recordsOf } from '../../platform/person-records.js';

export const rulePersonRecords = ({ read: reader, dialect }: Pick<Database, 'read' | 'dialect'>): PersonRecords[] => [
  recordsOf(
    'ruleExemption',
    async ({ projectId, externalUserId }, after, take) => {
      const later = { text: '"id" > ?', values: [after] };
      const sparing = contains(dialect, 'exempt', JSON.stringify(externalUserId));
      const condition = all(equal('projectId', projectId), later, sparing);
      const ids = await firstIds(reader, dialect, { name: 'Rule' }, condition, { by: 'id', take });
      return reader.rule.findMany({
        where: { id: { in: ids } },
        orderBy: { id: 'asc' },
        select: { id: true, name: true, createdAt: true, deletedAt: true },
      });
    },
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
