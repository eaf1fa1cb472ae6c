/** Reads the game events that a player sent, for an export. */
import type { Database } from '../../platform/database/database.js';
import { byId, type PersonRecords, plain, recordsOf } from '../../platform/person-records.js';

export const gameEventPersonRecords = ({ read: reader }: Pick<Database, 'read'>): PersonRecords[] => [
  recordsOf(
    'gameEvent',
    (person, after, take) =>
      reader.gameEvent.findMany({
        where: { projectId: person.projectId, userId: person.externalUserId, id: { gt: after } },
        orderBy: { id: 'asc' },
        take,
      }),
    byId,
    ({ metaData, origin: _, ...row }) => ({ ...plain(row), properties: JSON.parse(metaData) }),
  ),
];
