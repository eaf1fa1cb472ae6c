/** Reads for an export what was done to a person, and by whom; from which network address is not about them. */
import { concealedOperations } from '../../../src/contract/people/concealed.js';
import type { Database } from '../../platform/database/database.js';
import { type PersonRecords, plain } from '../../platform/person-records.js';
import { madeWhileHeld } from './held-entries.js';
import { personKinds } from './targets.js';

const entry = { omit: { actorKey: true, address: true, requestId: true } } as const;

export const auditPersonRecords = ({ read: reader }: Pick<Database, 'read'>): PersonRecords[] => [
  {
    kind: 'auditEntry',
    async page({ projectId, heldIds }, after, take) {
      // Without `distinct`, for which Prisma loads everything: an entry that names the person twice is one place here.
      const targets = await reader.auditTarget.findMany({
        where: {
          ...{ projectId, kind: { in: [...personKinds] }, entryId: { gt: after } },
          OR: heldIds.map((held) => ({ targetId: held.id, entryId: madeWhileHeld(held) })),
          entry: { action: { notIn: [...concealedOperations] } },
        },
        orderBy: [{ entryId: 'asc' }, { place: 'asc' }],
        select: { entryId: true, entry },
        take,
      });
      const entries = new Map(targets.map((one) => [one.entryId, one.entry]));
      const records = [...entries].map(([place, done]) => ({ place, record: plain(done, 'changed') }));
      return { records, next: targets.length === take ? (records.at(-1)?.place ?? null) : null };
    },
  },
];
