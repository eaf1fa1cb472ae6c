/**
 * Finds and renames what earlier versions stored under a name that no path can carry: `.` and `..`, which HTTP clients fold
 * away. `earshotd doctor` looks for them in either database without a daemon, and `earshotd ids rename` mends them.
 */
import type { Database, Transaction } from './database.js';
import { dataMap } from './generated/data-map.js';
import { all, type Condition, countAll, equal, updateAll } from './mapped-tables.js';

export const nameKinds = ['person', 'team', 'room', 'template', 'batch'] as const;
type NameKind = (typeof nameKinds)[number];

/** Rows whose column has a name of the kind. */
interface NameColumn {
  readonly table: string;
  readonly column: string;
  /** Returns a condition: the row is in the project whose id the SQL expression has. */
  readonly isIn: (projectId: string) => string;
  readonly memberType?: 'user' | 'team';
}

const rowsOf = (table: string, column: string): NameColumn => ({
  ...{ table, column },
  isIn: (projectId) => `"${table}"."projectId" = ${projectId}`,
});
const ofTallies = (table: string, column: string, memberType?: 'user' | 'team'): NameColumn => ({
  ...{ table, column },
  ...(memberType === undefined ? {} : { memberType }),
  isIn: (projectId) =>
    `"tallyId" IN (SELECT "id" FROM "LeaderboardTally" AS tally WHERE tally."projectId" = ${projectId})`,
});
const exclusions = (memberType: 'user' | 'team'): NameColumn => ({
  ...{ table: 'LeaderboardExclusion', column: 'memberId', memberType },
  isIn: (projectId) =>
    `"leaderboardId" IN (SELECT "id" FROM "Leaderboard" AS board WHERE board."projectId" = ${projectId})`,
});

const named: Readonly<Record<NameKind, readonly NameColumn[]>> = {
  /** Where the data map renames them, and where modules do. No path leads to an event by its person. */
  person: [
    ...dataMap.flatMap(({ name, person, rename }) =>
      rename && person?.external && name !== 'DomainEvent' ? [rowsOf(name, person.external)] : [],
    ),
    rowsOf('Participant', 'externalUserId'),
    rowsOf('PlayerBlock', 'externalUserId'),
    rowsOf('PlayerBlock', 'blockedUserId'),
    rowsOf('Report', 'externalUserId'),
    rowsOf('Report', 'reporterUserId'),
    rowsOf('Reporter', 'externalUserId'),
    rowsOf('Case', 'externalUserId'),
    ofTallies('LeaderboardScore', 'memberId', 'user'),
    ofTallies('LeaderboardShare', 'userId'),
    exclusions('user'),
  ],
  team: [
    ofTallies('LeaderboardScore', 'memberId', 'team'),
    ofTallies('LeaderboardShare', 'teamId'),
    exclusions('team'),
    rowsOf('GameEvent', 'teamId'),
  ],
  room: [
    rowsOf('Session', 'externalRoomId'),
    rowsOf('Gathering', 'roomId'),
    rowsOf('RoomRestriction', 'roomId'),
    rowsOf('Report', 'roomId'),
    rowsOf('Case', 'roomId'),
    rowsOf('AuthorityOrder', 'roomId'),
  ],
  template: [rowsOf('SanctionTemplate', 'name')],
  batch: [rowsOf('SanctionBatch', 'id'), rowsOf('Sanction', 'batchId')],
};
/** No index leads to the teams of game events, of which there may be very many. Those that count are on leaderboards too. */
const unindexed = ({ table, column }: NameColumn): boolean => table === 'GameEvent' && column === 'teamId';

const dots = ['.', '%2e', '%2E'];
const anyFolded = `(${[...dots, ...dots.flatMap((one) => dots.map((other) => one + other))].map((id) => `'${id}'`).join(', ')})`;
/** Names of one column that are found. */
const foundMax = 20;

const isOfType = ({ memberType }: NameColumn): string => (memberType ? ` AND "memberType" = '${memberType}'` : '');

const finding = (rows: NameColumn): string => `
  SELECT DISTINCT project."id" AS "projectId", "${rows.table}"."${rows.column}" AS "name"
  FROM "Project" AS project JOIN "${rows.table}" ON ${rows.isIn('project."id"')}
    AND "${rows.table}"."${rows.column}" IN ${anyFolded}${isOfType(rows)}
  WHERE project."deletedAt" IS NULL LIMIT ${foundMax}`;

interface FoldedId {
  readonly kind: NameKind;
  readonly projectId: string;
  readonly name: string;
}

export async function findFoldedIds(
  ask: (sql: string) => Promise<readonly Omit<FoldedId, 'kind'>[]>,
): Promise<FoldedId[]> {
  const found = new Map<string, FoldedId>();
  for (const kind of nameKinds)
    for (const rows of named[kind].filter((one) => !unindexed(one)))
      for (const { projectId, name } of await ask(finding(rows)))
        found.set(`${kind} ${projectId} ${name}`, { kind, projectId, name });
  return [...found.values()];
}

interface Renaming {
  readonly kind: Exclude<NameKind, 'person'>;
  readonly projectId: string;
  readonly from: string;
  readonly to: string;
}

/** Renames rows of everything but people, whom modules rename. Returns how many rows; null: the new name is taken. */
export async function renameFolded(
  tx: Transaction,
  { dialect }: Pick<Database, 'dialect'>,
  { kind, projectId, from, to }: Renaming,
): Promise<number | null> {
  const having = (rows: NameColumn, name: string): Condition =>
    all({ text: `${rows.isIn('?')}${isOfType(rows)}`, values: [projectId] }, equal(rows.column, name));
  if (kind === 'team') await restartBoards(tx, dialect, projectId);
  for (const rows of named[kind])
    if ((await countAll(tx, dialect, { name: rows.table }, having(rows, to))) > 0) return null;
  let renamed = 0;
  for (const rows of named[kind])
    renamed += await updateAll(tx, dialect, { name: rows.table }, [equal(rows.column, to)], having(rows, from));
  if (kind === 'room') {
    const open = all(equal('projectId', projectId), equal('openKey', `room:${from}`));
    await updateAll(tx, dialect, { name: 'Case' }, [equal('openKey', `room:${to}`)], open);
  }
  return renamed;
}

/** Locks the tallies. Lists of members in memory are read again, and rebuilds that have counted the old name begin again. */
async function restartBoards(tx: Transaction, dialect: Database['dialect'], projectId: string): Promise<void> {
  const own = equal('projectId', projectId);
  const next = (column: string): Condition => ({ text: `"${column}" = "${column}" + 1`, values: [] });
  await updateAll(tx, dialect, { name: 'GameplayRevision' }, [next('revision')], own);
  await updateAll(tx, dialect, { name: 'LeaderboardTally' }, [next('epoch')], own);
  const counting = { text: `"role" IN ('counting', 'rebuilt')`, values: [] };
  await updateAll(tx, dialect, { name: 'LeaderboardTally' }, [equal('rules', '')], all(own, counting));
}
