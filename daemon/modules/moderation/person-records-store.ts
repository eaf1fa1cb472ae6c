/** Reads sanctions and reviews of a person for an export, with what moderators wrote for each other. */
import type { Database } from '../../platform/database/database.js';
import { byId, type ExportedPerson, type PersonRecords, plain, recordsOf } from '../../platform/person-records.js';

const pageOf = ({ projectId, externalUserId }: ExportedPerson, after: string, take: number) =>
  ({ where: { projectId, externalUserId, id: { gt: after } }, orderBy: { id: 'asc' }, take }) as const;

export const moderationPersonRecords = ({ read: reader }: Pick<Database, 'read'>): PersonRecords[] => [
  recordsOf(
    'sanction',
    (person, after, take) => reader.sanction.findMany(pageOf(person, after, take)),
    byId,
    (row) => plain(row, 'metadata', 'parameters', 'evidence'),
  ),
  recordsOf('review', (person, after, take) => reader.review.findMany(pageOf(person, after, take)), byId),
];
