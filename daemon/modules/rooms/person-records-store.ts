/** Reads for an export which room tokens of a person were used or revoked, and whom they block; not who blocks them. */
import type { Database } from '../../platform/database/database.js';
import { type PersonRecords, recordsOf } from '../../platform/person-records.js';

export const roomPersonRecords = ({ read: reader }: Pick<Database, 'read'>): PersonRecords[] => [
  recordsOf(
    'roomToken',
    ({ projectId, externalUserId }, after, take) =>
      reader.roomTokenUse.findMany({
        where: { projectId, externalUserId, jti: { gt: after } },
        orderBy: { jti: 'asc' },
        take,
      }),
    ({ jti }) => jti,
  ),
  recordsOf(
    'block',
    ({ projectId, externalUserId }, after, take) =>
      reader.playerBlock.findMany({
        where: { projectId, externalUserId, blockedUserId: { gt: after } },
        orderBy: { blockedUserId: 'asc' },
        take,
      }),
    ({ blockedUserId }) => blockedUserId,
  ),
];
