/** Reads a person's scores, what they brought to teams, and the boards that they are kept off, for an export. */
import type { Database, Reader } from '../../platform/database/database.js';
import { byId, type ExportedPerson, type PersonRecords, plain, recordsOf } from '../../platform/person-records.js';
import { textsOf } from '../game-events/model/columns.js';

/** Counts that are shown or kept; what was discarded is about to be deleted. */
const kept = { not: 'discarded' };
const boardColumns = { name: true, sortOrder: true } as const;

interface TallyPart {
  readonly tallyId: string;
}

/** The records of one count each, made of the rows that `read` finds in it; `score` of a score by its key. */
const talliesWith = <Row extends TallyPart>(
  reader: Reader,
  kind: 'leaderboardScore' | 'leaderboardShare',
  read: (person: ExportedPerson, tallyIds: readonly string[]) => Promise<readonly Row[]>,
  view: (rows: readonly Row[], isHighestFirst: boolean) => object,
): PersonRecords => ({
  kind,
  async page(person, after, take) {
    const tallies = await reader.leaderboardTally.findMany({
      where: { projectId: person.projectId, role: kept, id: { gt: after } },
      orderBy: { id: 'asc' },
      select: { id: true, leaderboardId: true, periodId: true, role: true },
      take,
    });
    const rows = await read(person, tallies.map(byId));
    const boardIds = [...new Set(tallies.map(({ leaderboardId }) => leaderboardId))];
    const boards = await reader.leaderboard.findMany({
      where: { id: { in: boardIds } },
      select: { id: true, ...boardColumns },
    });
    const records = tallies.flatMap(({ id, leaderboardId, periodId, role }) => {
      const own = rows.filter(({ tallyId }) => tallyId === id);
      const board = boards.find((one) => one.id === leaderboardId);
      if (own.length === 0 || board === undefined) return [];
      const counted = { leaderboardId, name: textsOf(board.name), periodId, count: role };
      return [{ place: id, record: { ...counted, ...view(own, board.sortOrder === 'desc') } }];
    });
    return { records, next: tallies.length === take ? (tallies.at(-1)?.id ?? null) : null };
  },
});

export const boardPersonRecords = ({ read: reader }: Pick<Database, 'read'>): PersonRecords[] => [
  talliesWith(
    reader,
    'leaderboardScore',
    ({ externalUserId: memberId }, tallyIds) =>
      reader.leaderboardScore.findMany({ where: { tallyId: { in: [...tallyIds] }, memberType: 'user', memberId } }),
    ([score], isHighestFirst) => ({
      score: Number(score?.sortKey ?? 0) * (isHighestFirst ? -1 : 1),
      reachedId: score?.reachedId,
    }),
  ),
  talliesWith(
    reader,
    'leaderboardShare',
    ({ externalUserId: userId }, tallyIds) =>
      reader.leaderboardShare.findMany({ where: { tallyId: { in: [...tallyIds] }, userId } }),
    (shares) => ({ teams: shares.map(({ teamId, score, reachedId }) => plain({ teamId, score, reachedId })) }),
  ),
  recordsOf(
    'leaderboardExclusion',
    ({ projectId, externalUserId: memberId }, after, take) => {
      // The origin is somebody's id, which may contain spaces.
      const [leaderboardId = '', ...rest] = after.split(' ');
      const periodId = rest.pop() ?? '';
      const origin = rest.join(' ');
      const later = [
        { leaderboardId: { gt: leaderboardId } },
        { leaderboardId, origin: { gt: origin } },
        { leaderboardId, origin, periodId: { gt: periodId } },
      ];
      return reader.leaderboardExclusion.findMany({
        where: { leaderboard: { projectId }, memberType: 'user', memberId, OR: later },
        orderBy: [{ leaderboardId: 'asc' }, { origin: 'asc' }, { periodId: 'asc' }],
        include: { leaderboard: { select: boardColumns } },
        take,
      });
    },
    ({ leaderboardId, origin, periodId }) => `${leaderboardId} ${origin} ${periodId}`,
    ({ leaderboard, origin: _, ...row }) => ({ ...plain(row), name: textsOf(leaderboard.name) }),
  ),
];
