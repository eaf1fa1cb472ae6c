/** Reads sanctions and reviews of a person for an export, with what moderators wrote for each other. */
import type { Database } from '../../platform/database/database.js';
import { byId, type ExportedPerson, type PersonRecords, plain, recordsOf } from '../../platform/person-records.js';

const pageOf = ({ projectId, externalUserId }: ExportedPerson, after: string, take: number) =>
  ({ where: { projectId, externalUserId, id: { gt: after } }, orderBy: { id: 'asc' }, take }) as const;

export const moderationPersonRecords = ({ read: reader }: Pick<Database, 'read'>): PersonRecords[] => [
  recordsOf(
    'sanction',
    (...page) => reader.sanction.findMany(pageOf(...page)),
    byId,
    (row) => plain(row, 'metadata', 'parameters', 'evidence'),
  ),
  recordsOf('review', (...page) => reader.review.findMany(pageOf(...page)), byId),
];
