/** Reads the profile, the former ids and the notes of a person for an export. */
import type { Database } from '../../platform/database/database.js';
import { byId, type PersonRecords, recordsOf } from '../../platform/person-records.js';
import { toParticipant } from './store.js';

export const ownRecords = ({ read: reader }: Pick<Database, 'read'>): PersonRecords[] => [
  recordsOf(
    'participant',
    ({ participantId }, after) =>
      reader.participant.findMany({ where: { id: { in: participantId === null ? [] : [participantId], gt: after } } }),
    byId,
    toParticipant,
  ),
  recordsOf(
    'formerId',
    ({ participantId }, after, take) =>
      reader.participantFormerId.findMany({
        where: { participantId: participantId ?? '', externalUserId: { gt: after } },
        orderBy: { externalUserId: 'asc' },
        omit: { firstIdAfter: true },
        take,
      }),
    ({ externalUserId }) => externalUserId,
  ),
  recordsOf(
    'note',
    ({ participantId }, after, take) =>
      reader.participantNote.findMany({
        where: { participantId: participantId ?? '', id: { gt: after } },
        orderBy: { id: 'asc' },
        take,
      }),
    byId,
  ),
  recordsOf(
    'notice',
    ({ projectId, externalUserId }, after, take) =>
      reader.personNotice.findMany({
        where: { projectId, externalUserId, id: { gt: after } },
        orderBy: { id: 'asc' },
        take,
      }),
    byId,
  ),
];
