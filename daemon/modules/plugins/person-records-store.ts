/** Reads the runs of plugins on events about a person for an export. */
import type { Database } from '../../platform/database/database.js';
import { byId, type PersonRecords, plain, recordsOf } from '../../platform/person-records.js';

export const pluginPersonRecords = ({ read: reader }: Pick<Database, 'read'>): PersonRecords[] => [
  recordsOf(
    'pluginRun',
    ({ projectId, externalUserId: subjectUserId }, after, take) =>
      reader.pluginAction.findMany({
        where: { projectId, subjectUserId, id: { gt: after } },
        orderBy: { id: 'asc' },
        omit: { leaseOwner: true },
        take,
      }),
    byId,
    (row) => plain(row, 'result'),
  ),
];
