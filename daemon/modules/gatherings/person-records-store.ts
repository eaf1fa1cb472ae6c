/** Reads the gatherings of a person for an export: those that they own, where they have been, and where they were invited. */
import type { Database } from '../../platform/database/database.js';
import { byId, type ExportedPerson, type PersonRecords, plain, recordsOf } from '../../platform/person-records.js';

const pageOf = ({ projectId, externalUserId }: ExportedPerson, after: string, take: number) =>
  ({
    where: { projectId, externalUserId, id: { gt: after } },
    orderBy: { id: 'asc' },
    include: { gathering: { select: { name: true, status: true, roomId: true } } },
    take,
  }) as const;

export const gatheringPersonRecords = ({ read: reader }: Pick<Database, 'read'>): PersonRecords[] => [
  recordsOf(
    'gathering',
    ({ projectId, participantId }, after, take) =>
      reader.gathering.findMany({
        where: { projectId, ownerId: participantId ?? '', id: { gt: after } },
        orderBy: { id: 'asc' },
        take,
      }),
    byId,
    (row) => plain(row, 'properties', 'searchProperties'),
  ),
  recordsOf(
    'gatheringMember',
    (person, after, take) => reader.gatheringMember.findMany(pageOf(person, after, take)),
    byId,
  ),
  recordsOf(
    'gatheringInvitation',
    (person, after, take) => reader.gatheringInvitation.findMany(pageOf(person, after, take)),
    byId,
  ),
];
