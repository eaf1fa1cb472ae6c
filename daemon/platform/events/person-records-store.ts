/** Reads the events about a person for an export, as far back as the log is kept. */
import { concealedEvents, withoutConcealed } from '../../../src/contract/people/concealed.js';
import type { Database } from '../database/database.js';
import { type PersonRecords, plain, recordsOf } from '../person-records.js';
import { unpacked } from './packed.js';

/** 0 for anything that is no position. */
const positionOf = (place: string): bigint => (/^\d{1,18}$/.test(place) ? BigInt(place) : 0n);
const placeOf = ({ position }: { readonly position: bigint }): string => String(position);

export const eventRecords = ({ read: reader }: Pick<Database, 'read'>): PersonRecords[] => [
  recordsOf(
    'event',
    ({ projectId, externalUserId: subjectUserId }, after, take) =>
      reader.domainEvent.findMany({
        where: {
          ...{ projectId, subjectUserId, position: { gt: positionOf(after) } },
          type: { notIn: [...concealedEvents] },
        },
        orderBy: { position: 'asc' },
        select: {
          ...{ id: true, position: true, type: true, source: true, resourceId: true },
          ...{ timestamp: true, payload: true },
        },
        take,
      }),
    placeOf,
    ({ position: _, payload, ...row }) => {
      const record = plain({ ...row, payload: unpacked(payload) }, 'payload');
      return row.type.startsWith('case.') ? withoutConcealed(record) : record;
    },
  ),
];
