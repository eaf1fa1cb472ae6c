/** Reads for an export what was done to a person, and by whom; from which network address is not about them. */
import type { Database } from '../../platform/database/database.js';
import { type PersonRecords, plain, recordsOf } from '../../platform/person-records.js';
import { personKinds } from './targets.js';

const entry = { omit: { actorKey: true, address: true, requestId: true } } as const;

export const auditRecords = ({ read: reader }: Pick<Database, 'read'>): PersonRecords[] => [
  recordsOf(
    'auditEntry',
    ({ projectId, allIds }, after, take) =>
      reader.auditTarget.findMany({
        where: { projectId, kind: { in: [...personKinds] }, targetId: { in: [...allIds] }, entryId: { gt: after } },
        distinct: ['entryId'],
        orderBy: { entryId: 'asc' },
        select: { entryId: true, entry },
        take,
      }),
    ({ entryId }) => entryId,
    ({ entry: done }) => plain(done, 'changed'),
  ),
];
