/** Reads what is stored about a player, and the names of their topics, for an export. */
import type { Database } from '../../platform/database/database.js';
import { type PersonRecords, recordsOf } from '../../platform/person-records.js';

export const playerPersonRecords = ({ read: reader }: Pick<Database, 'read'>): PersonRecords[] => [
  recordsOf(
    'player',
    (person, after) =>
      reader.player.findMany({
        where: { projectId: person.projectId, userId: { equals: person.externalUserId, gt: after } },
      }),
    ({ userId }) => userId,
  ),
  recordsOf(
    'topic',
    (person, after, take) =>
      reader.topic.findMany({
        where: { projectId: person.projectId, userId: person.externalUserId, subject: { gt: after } },
        orderBy: { subject: 'asc' },
        select: { subject: true, createdAt: true }, // whoever knows the name may subscribe
        take,
      }),
    ({ subject }) => subject,
  ),
];
