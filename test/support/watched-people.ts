/** Moves and erasures of people, with a look at what they were to change and what not. Nothing else happens meanwhile. */
import { expect } from 'vitest';
import { ApiError } from '../../src/client/errors.js';
import { ExportEnd } from '../../src/contract/common.js';
import { leaderboardExclusionRoutes } from '../../src/contract/gameplay/leaderboard-exclusions.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { PersonRecord, type PersonRecordKind, personExportRoutes } from '../../src/contract/people/person-export.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { type Contents, contentsOf, rowsOfProjects, tracesIn } from './traces.js';
import type { WalkProject } from './walk-project.js';

/** Records of an export, by their place in it. */
type Records = ReadonlyMap<string, PersonRecord>;

/** Tables whose rows of a person an erasure deletes, with the kind of record that an export shows of each. */
const deleted: Readonly<Record<string, PersonRecordKind>> = {
  Participant: 'participant',
  ParticipantFormerId: 'formerId',
  ParticipantNote: 'note',
  Sanction: 'sanction',
  Review: 'review',
  PlayerBlock: 'block',
  Reporter: 'reporter',
  GatheringMember: 'gatheringMember',
  GatheringInvitation: 'gatheringInvitation',
  PlayerChallenge: 'challenge',
  PlayerBattlePass: 'battlePass',
  PlayerBattlePassLevel: 'battlePassLevel',
  LeaderboardExclusion: 'leaderboardExclusion',
  GameEvent: 'gameEvent',
};
/** Kinds of which nothing is lost where two people become one. */
const kept = ['note', 'sanction', 'review', 'report', 'gameEvent'] satisfies PersonRecordKind[];
/** Each look at a person adds to these. */
const ofLooking = new Set<PersonRecordKind>(['event', 'auditEntry']);
/** Fields of a gathering that tell of others in it too. */
const shared = ['ownerId', 'memberCount', 'updatedAt', 'emptySince', 'dueAt'];

async function exportOf({ client, params }: WalkProject, user: string): Promise<Records> {
  const records = new Map<string, PersonRecord>();
  let after: string | undefined;
  do {
    const query = { limit: 1_000, ...(after === undefined ? {} : { after }) };
    const parts = { params: { ...params, user }, query };
    const response = await client.fetch(personExportRoutes.export, parts).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'participant_not_found') return null;
      throw error;
    });
    if (response === null) return records;
    const lines = (await response.text()).trim().split('\n');
    for (const line of lines.slice(0, -1)) {
      const record = PersonRecord.parse(JSON.parse(line));
      records.set(record.place, record);
    }
    after = ExportEnd.parse(JSON.parse(lines.at(-1) ?? '')).next ?? undefined;
  } while (after !== undefined);
  return records;
}

/** Exports of everybody else; a former id of one of those who are looked at leads to them. */
async function othersThan(
  project: WalkProject,
  users: readonly string[],
  ids: readonly string[],
): Promise<ReadonlyMap<string, Records>> {
  const all = new Map<string, Records>();
  for (const user of project.people.filter((one) => !users.includes(one))) {
    const records = await exportOf(project, user);
    if (!idsIn(records).some((id) => ids.includes(id))) all.set(user, records);
  }
  return all;
}

const isNamedIn = (record: PersonRecord, ids: readonly string[]): boolean =>
  tracesIn({ one: [JSON.stringify(record)] }, ids).one !== undefined;

const rowsWith = (contents: Contents, trace: string): string[] =>
  Object.entries(contents).flatMap(([table, rows]) =>
    rows.filter((row) => tracesIn({ table: [row] }, [trace]).table !== undefined).map((row) => `${table}: ${row}`),
  );

const comparable = ({ kind, record }: PersonRecord): unknown => {
  if (kind !== 'gathering') return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !shared.includes(name)));
};

/** What is known of everybody else is as it was, but for what named them. */
async function othersAreAsBefore(
  project: WalkProject,
  before: ReadonlyMap<string, Records>,
  ids: readonly string[],
): Promise<void> {
  for (const [user, records] of before) {
    const now = await exportOf(project, user);
    for (const record of records.values()) {
      if (ofLooking.has(record.kind) || isNamedIn(record, ids)) continue;
      const after = now.get(record.place);
      expect(after === undefined ? null : comparable(after), `${record.place} of ${user}`).toEqual(comparable(record));
    }
  }
}

/** The ids by which somebody is named, in all that is stored. */
const idsIn = (records: Records): string[] =>
  [...records.values()].filter(({ kind }) => kind === 'participant').map(({ record }) => String(record.id));

const counted = (records: Records): Record<string, number> =>
  Object.fromEntries(
    Object.entries(deleted).map(([table, kind]) => [
      table,
      [...records.values()].filter((record) => record.kind === kind).length,
    ]),
  );

/** What is stored, without the siblings of a project, and what is stored of those. */
async function storedBeside({ operator, siblings }: WalkProject) {
  const all = await contentsOf(operator.databaseUrl);
  const ofSiblings = rowsOfProjects(all, siblings);
  const own = Object.entries(all).map(([table, rows]) => {
    const strange = new Set(ofSiblings[table]);
    return [table, rows.filter((row) => !strange.has(row))] as const;
  });
  return { own: Object.fromEntries(own) as Contents, ofSiblings };
}

/** Whoever has the same ids in another project is named there as before; counts that are not shown go at any time. */
function siblingsAreAsBefore(before: Contents, after: Contents, users: readonly string[]): void {
  const unshown = (before.LeaderboardTally ?? [])
    .filter((row) => /^(?:counting|rebuilt|discarded)$/m.test(row))
    .map((row) => row.split('\n', 1)[0] ?? '');
  const named = (contents: Contents, table: string, user: string) =>
    rowsWith({ [table]: contents[table] ?? [] }, user).filter((row) => !unshown.some((id) => row.includes(id))).length;
  for (const user of users)
    for (const table of Object.keys(before))
      expect(named(after, table, user), `rows of ${table} in other projects with ${user}`).toBeGreaterThanOrEqual(
        named(before, table, user),
      );
}

/** Who is excluded from each board, by what the board lists. */
async function exclusionsOf({ client, judgedBoards, board }: WalkProject): Promise<ReadonlySet<string>[]> {
  const all: ReadonlySet<string>[] = [];
  for (const id of judgedBoards)
    all.push(new Set((await client.call(leaderboardExclusionRoutes.list, { params: board(id) })).userIds));
  return all;
}

/** Erases somebody: what an export showed of them is gone, their ids are nowhere, and others are as they were. */
export async function eraseWatched(project: WalkProject, user: string): Promise<void> {
  const { client, params } = project;
  const own = await exportOf(project, user);
  const ids = idsIn(own);
  const others = await othersThan(project, [user], ids);
  const excluded = await exclusionsOf(project);
  const { own: before, ofSiblings } = await storedBeside(project);
  await client.call(personRoutes.erase, { params: { ...params, user } });
  const { own: after, ofSiblings: siblingsAfter } = await storedBeside(project);
  siblingsAreAsBefore(ofSiblings, siblingsAfter, [user]);
  // Events keep the id of what they are about, which for a participant says nothing more.
  const { DomainEvent: _, ...rest } = after;
  expect(tracesIn(rest, ids), `traces of ${user}`).toEqual({});
  if (!project.formerIds.has(user)) expect(rowsWith(after, user), `rows with ${user}`).toEqual([]);
  const gone = Object.keys(deleted).map((table) => [table, (before[table]?.length ?? 0) - (after[table]?.length ?? 0)]);
  expect(Object.fromEntries(gone), `rows deleted of ${user}`).toEqual(counted(own));
  expect(await exclusionsOf(project)).toEqual(excluded.map((all) => new Set([...all].filter((one) => one !== user))));
  await othersAreAsBefore(project, others, [user, ...ids]);
}

/** Gives somebody another id: nothing of either is lost, who was excluded stays so, and others are as they were. */
export async function moveWatched(project: WalkProject, from: string, to: string): Promise<void> {
  const { client, params } = project;
  const both = [await exportOf(project, from), await exportOf(project, to)];
  const ids = both.flatMap(idsIn);
  const others = await othersThan(project, [from, to], ids);
  const excluded = await exclusionsOf(project);
  const { ofSiblings } = await storedBeside(project);
  await client.call(personMoveRoutes.move, { params: { ...params, user: from }, body: { externalUserId: to } });
  project.formerIds.add(from);
  siblingsAreAsBefore(ofSiblings, (await storedBeside(project)).ofSiblings, [from, to]);
  const joined = await exportOf(project, to);
  const lost = both
    .flatMap((records) => [...records.values()])
    .filter(({ kind, place }) => kept.some((one) => one === kind) && !joined.has(place));
  expect(lost, `lost of ${from} and ${to}`).toEqual([]);
  expect(await exclusionsOf(project), `excluded after ${from} became ${to}`).toEqual(
    excluded.map((all) => new Set([...all].map((one) => (one === from ? to : one)))),
  );
  await othersAreAsBefore(project, others, [from, to, ...ids]);
}
