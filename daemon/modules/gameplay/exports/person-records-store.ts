/** Reads what a player did, and where they stand, for an export. */
import type { Database } from '../../../platform/database/database.js';
import { byId, type ExportedPerson, type PersonRecords, plain, recordsOf } from '../../../platform/person-records.js';
import { textsOf } from '../columns.js';

const player = ({ projectId, externalUserId: userId }: ExportedPerson) => ({ projectId, userId });
const named = <Row extends { readonly name: string }>({ name, ...row }: Row) => ({
  ...plain(row),
  name: textsOf(name),
});
const nameAlone = { select: { name: true } } as const;

export const playerRecords = ({ read: reader }: Pick<Database, 'read'>): PersonRecords[] => [
  recordsOf(
    'player',
    (person, after) =>
      reader.player.findMany({
        where: { projectId: person.projectId, userId: { equals: person.externalUserId, gt: after } },
      }),
    ({ userId }) => userId,
  ),
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
  recordsOf(
    'topic',
    (person, after, take) =>
      reader.topic.findMany({
        where: { ...player(person), subject: { gt: after } },
        orderBy: { subject: 'asc' },
        select: { subject: true, createdAt: true }, // whoever knows the name may subscribe
        take,
      }),
    ({ subject }) => subject,
  ),
  recordsOf(
    'gameEvent',
    (person, after, take) =>
      reader.gameEvent.findMany({
        where: { ...player(person), id: { gt: after } },
        orderBy: { id: 'asc' },
        take,
      }),
    byId,
    ({ metaData, ...row }) => ({ ...plain(row), properties: JSON.parse(metaData) }),
  ),
];
