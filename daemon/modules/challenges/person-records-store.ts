/** Reads how far a player has come in challenges and battle passes, for an export. */
import type { Database } from '../../platform/database/database.js';
import { type ExportedPerson, type PersonRecords, plain, recordsOf } from '../../platform/person-records.js';
import { textsOf } from '../game-events/model/columns.js';

const player = ({ projectId, externalUserId: userId }: ExportedPerson) => ({ projectId, userId });
const named = <Row extends { readonly name: string }>({ name, ...row }: Row) => ({
  ...plain(row),
  name: textsOf(name),
});
const nameAlone = { select: { name: true } } as const;

export const challengePersonRecords = ({ read: reader }: Pick<Database, 'read'>): PersonRecords[] => [
  recordsOf(
    'challenge',
    (person, after, take) =>
      reader.playerChallenge.findMany({
        where: { ...player(person), challengeId: { gt: after } },
        orderBy: { challengeId: 'asc' },
        include: { challenge: nameAlone },
        take,
      }),
    ({ challengeId }) => challengeId,
    ({ challenge, ...row }) => named({ ...row, ...challenge }),
  ),
  recordsOf(
    'battlePass',
    (person, after, take) =>
      reader.playerBattlePass.findMany({
        where: { ...player(person), battlePassId: { gt: after } },
        orderBy: { battlePassId: 'asc' },
        include: { battlePass: nameAlone },
        take,
      }),
    ({ battlePassId }) => battlePassId,
    ({ battlePass, ...row }) => named({ ...row, ...battlePass }),
  ),
  recordsOf(
    'battlePassLevel',
    (person, after, take) =>
      reader.playerBattlePassLevel.findMany({
        where: { ...player(person), levelId: { gt: after } },
        orderBy: { levelId: 'asc' },
        include: { level: { select: { position: true } } },
        take,
      }),
    ({ levelId }) => levelId,
  ),
];
